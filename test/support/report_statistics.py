"""Statistics of a report, written without the project's code. Python's standard library only."""

import hashlib
import math
import struct


def t_cdf(t, df):
    """Student's t by Simpson's rule over x = sqrt(df) * tan(u), which makes the range finite."""
    bound = math.atan(abs(t) / math.sqrt(df))
    steps = 4000
    h = bound / steps
    total = sum(
        (1 if i in (0, steps) else 4 if i % 2 else 2) * math.cos(i * h) ** (df - 1)
        for i in range(steps + 1)
    )
    log_scale = math.lgamma((df + 1) / 2) - math.lgamma(df / 2) - math.log(math.pi) / 2
    half = math.exp(log_scale) * total * h / 3
    return 0.5 + half if t >= 0 else 0.5 - half


QUANTILES = {}


def t_quantile(p, df):
    if (p, df) not in QUANTILES:
        low, high = -1000.0, 1000.0
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (middle, high) if t_cdf(middle, df) < p else (low, middle)
        QUANTILES[p, df] = (low + high) / 2
    return QUANTILES[p, df]


def by_cluster(items):
    """[(value, cluster)] -> {cluster: [values]}, in order of appearance."""
    clusters = {}
    for value, cluster in items:
        clusters.setdefault(cluster, []).append(value)
    return clusters


def mean_share(items):
    """(mean, low, high): Wilson on the effective number, t on clusters minus one; None without an interval."""
    if not items:
        return None
    n = len(items)
    clusters = list(by_cluster(items).values())
    g = len(clusters)
    mean = sum(map(sum, clusters)) / n
    if g < 2:
        return mean, None, None
    size = sum(len(c) ** 2 for c in clusters) / n
    variance = sum((value - mean) ** 2 for value, _ in items) / n
    if variance < 1e-12:
        effective = n / size
    else:
        between = sum((sum(c) - len(c) * mean) ** 2 for c in clusters) * g / (g - 1) / n / n
        icc = (between * n / variance - 1) / (size - 1) if size > 1 else 0
        holding = min(
            sum(1 for c in clusters if sum(c) > 1e-9),
            sum(1 for c in clusters if sum(c) < len(c) - 1e-9),
        )
        icc = (holding * min(1, max(0, icc)) + 1) / (holding + 1)
        effective = n / (1 + icc * (size - 1)) * mean * (1 - mean) / variance
    t = t_quantile(0.975, g - 1)
    # Both roots of (mean - p)^2 = t^2 p (1 - p) / effective.
    a = 1 + t * t / effective
    b = -(2 * mean + t * t / effective)
    root = math.sqrt(max(0.0, b * b - 4 * a * mean * mean))
    return mean, max(0.0, (-b - root) / (2 * a)), min(1.0, (-b + root) / (2 * a))


def stream(*seed):
    """The documented generator: mulberry32 from the first 32 bits of SHA-256 over the seed's parts."""
    text = "\0".join(map(str, seed)).encode()
    state = struct.unpack("<I", hashlib.sha256(text).digest()[:4])[0]
    mask = 0xFFFFFFFF
    while True:
        state = (state + 0x6D2B79F5) & mask
        t = ((state ^ (state >> 15)) * (1 | state)) & mask
        t = ((t + (((t ^ (t >> 7)) * (61 | t)) & mask)) & mask) ^ t
        yield ((t ^ (t >> 14)) & mask) / 4294967296


def quantile(ordered, p):
    place = p * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def difference(pairs, seed=0, draws=10_000):
    """[(a, b, cluster)] -> every figure of a paired difference b - a."""
    clusters = by_cluster([(b - a, cluster) for a, b, cluster in pairs])
    sums = [sum(values) for values in clusters.values()]
    sizes = [len(values) for values in clusters.values()]
    n, g = len(pairs), len(sums)
    mean = sum(sums) / n
    found = {"mean": mean, "n": n, "clusters": g, "low": None, "high": None, "detectable": None}
    found["identical"] = all(a == b for a, b, _ in pairs)
    found["p"] = sign_flip(sums, seed, draws)
    if g < 20 or found["identical"]:
        return found
    spread = sum((s - c * mean) ** 2 for s, c in zip(sums, sizes))
    se = math.sqrt(spread * g / (g - 1)) / n
    smallest = (t_quantile(0.975, g - 1) + t_quantile(0.8, g - 1)) * se
    found["detectable"] = smallest if smallest <= 1 else None
    random = stream("cluster-bootstrap", seed)
    means = []
    for _ in range(draws):
        total = count = 0
        for _ in range(g):
            drawn = int(next(random) * g)
            total += sums[drawn]
            count += sizes[drawn]
        means.append(total / count)
    means.sort()
    found["low"], found["high"] = quantile(means, 0.025), quantile(means, 0.975)
    return found


def sign_flip(sums, seed, draws):
    sums = [s for s in sums if s != 0]
    observed = abs(sum(sums)) - 1e-9
    if len(sums) <= 14:
        totals = [0.0]
        for s in sums:
            totals = [t + sign * s for t in totals for sign in (1, -1)]
        return sum(abs(t) >= observed for t in totals) / len(totals)
    random = stream("sign-flip", seed)
    hits = sum(
        abs(sum(s if next(random) < 0.5 else -s for s in sums)) >= observed for _ in range(draws)
    )
    return (hits + 1) / (draws + 1)


def holm(p):
    adjusted, highest = [0.0] * len(p), 0.0
    for rank, place in enumerate(sorted(range(len(p)), key=lambda i: p[i])):
        highest = max(highest, min(1.0, p[place] * (len(p) - rank)))
        adjusted[place] = highest
    return adjusted


def mcnemar(pairs):
    """None unless each cluster has one item and every value is 0 or 1."""
    if len({cluster for _, _, cluster in pairs}) < len(pairs):
        return None
    if any(value not in (0, 1) for a, b, _ in pairs for value in (a, b)):
        return None
    only_a = sum(a > b for a, b, _ in pairs)
    only_b = sum(a < b for a, b, _ in pairs)
    n = only_a + only_b
    tail = sum(math.comb(n, k) for k in range(min(only_a, only_b) + 1)) / 2**n
    return min(1.0, 2 * tail)


def pass_at(n, right, k):
    return 1 - math.comb(n - right, k) / math.comb(n, k)


def kendall_tau(order, truth):
    place = {clip: i for i, clip in enumerate(order)}
    n = len(truth)
    balance = sum(
        (place[truth[i]] > place[truth[j]]) - (place[truth[i]] < place[truth[j]])
        for i in range(n)
        for j in range(i)
    )
    return balance / (n * (n - 1) / 2)


def overlap(cited, right):
    """Recall, precision and IoU of [start, end] spans, widened to 2 s; None without right spans."""
    if not right:
        return None

    def widened(span):
        start, end = min(span), max(span)
        lacking = max(0.0, 2 - (end - start)) / 2
        return start - lacking, end + lacking

    def covered(spans):
        edges = sorted({edge for span in spans for edge in span})
        return sum(
            b - a
            for a, b in zip(edges, edges[1:])
            if any(start <= a and b <= end for start, end in spans)
        )

    cited, right = [widened(s) for s in cited], [widened(s) for s in right]
    touch = lambda one, others: any(one[0] < b and a < one[1] for a, b in others)
    union = covered(cited + right)
    return {
        "recall": sum(touch(s, cited) for s in right) / len(right),
        "precision": sum(touch(s, right) for s in cited) / len(cited) if cited else None,
        "iou": max(0.0, covered(right) + covered(cited) - union) / union,
    }
