"""Independent Shapley values: reads a list of outcome tables, writes one object of effects for each.

Values by all orders of the stages and interactions by all subsets of the others; the variance by deleting each cluster
and computing the mean again; the quantile of t by numerical integration and bisection.
"""
import itertools
import json
import math
import sys

FEWEST_CLUSTERS = 20


def t_quantile(p, df):
    constant = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)

    def above_centre(x, steps=400):
        def density(u):
            return constant * (1 + u * u / df) ** (-(df + 1) / 2)

        width = x / steps
        inner = sum((4 if step % 2 else 2) * density(step * width) for step in range(1, steps))
        return (density(0) + inner + density(x)) * width / 3

    low, high = 0.0, 50.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if 0.5 + above_centre(middle) < p else (low, middle)
    return (low + high) / 2


def effect(values, clusters, quantile, size_of_effect=1):
    n = len(values)
    mean = sum(values) / n
    names = sorted(set(clusters))
    if len(names) < FEWEST_CLUSTERS:
        return {"mean": mean, "low": None, "high": None}
    count = {name: clusters.count(name) for name in names}
    total = {name: sum(v for v, c in zip(values, clusters) if c == name) for name in names}
    without = [(sum(values) - total[name]) / (n - count[name]) for name in names]
    variance = (len(names) - 1) / len(names) * sum((one - mean) ** 2 for one in without)
    present = [(v, c) for v, c in zip(values, clusters) if abs(v) > 1e-9]
    informative = len({c for _, c in present})
    typical = sum(v * v for v, _ in present) / len(present) if present else 0
    pseudo = (informative * typical + size_of_effect**2) / (informative + 1)
    own = sum((v - mean) ** 2 for v in values) / n
    size = sum(count[c] for c in clusters) / n
    icc = (variance / (own / n) - 1) / (size - 1) if size > 1 and own > 1e-12 else 0
    shrunk = (informative * min(1, max(0, icc)) + 1) / (informative + 1)
    effective = n / (1 + shrunk * (size - 1))
    reach = quantile * math.sqrt(variance + 2 * pseudo / effective**2)
    return {"mean": mean, "low": mean - reach, "high": mean + reach}


def effects(table):
    stages, clusters, arms = table["stages"], table["clusters"], table["arms"]
    k, n = len(stages), len(clusters)
    quantile = t_quantile(0.975, max(1, len(set(clusters)) - 1))

    def v(stages_right, sample):
        return arms[sum(1 << stage for stage in stages_right)][sample]

    found = {}
    everything = set(range(k))
    for stage, name in enumerate(stages):
        values = []
        for sample in range(n):
            gains = []
            for order in itertools.permutations(range(k)):
                before = set(order[: order.index(stage)])
                gains.append(v(before | {stage}, sample) - v(before, sample))
            values.append(sum(gains) / len(gains))
        found[name] = effect(values, clusters, quantile)
        solo = [v({stage}, s) - v(set(), s) for s in range(n)]
        last = [v(everything, s) - v(everything - {stage}, s) for s in range(n)]
        found[f"{name} solo"] = effect(solo, clusters, quantile)
        found[f"{name} last"] = effect(last, clusters, quantile)
    for a, b in itertools.combinations(range(k), 2):
        others = [stage for stage in range(k) if stage not in (a, b)]
        # The pair as one item among the others: the share of the orders with exactly `before` in front of it.
        orders = list(itertools.permutations([*others, "pair"]))
        values = []
        for sample in range(n):
            total = 0
            for order in orders:
                before = set(order[: order.index("pair")])
                total += v(before | {a, b}, sample) - v(before | {a}, sample) - v(before | {b}, sample) + v(before, sample)
            values.append(total / len(orders))
        found[f"{stages[a]} x {stages[b]}"] = effect(values, clusters, quantile, 2)
    found["gained"] = effect([v(everything, s) - v(set(), s) for s in range(n)], clusters, quantile)
    return found


json.dump([effects(table) for table in json.load(sys.stdin)], sys.stdout)
