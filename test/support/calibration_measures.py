"""Independent calibration measures: reads a list of tables [[confidence, value], ...], writes one object for each.

Brier score and calibration error by loops over answers; the area under the risk-coverage curve as a mean over random
or all orders of equal confidences; isotonic regression by the min-max formula.
"""
import itertools
import json
import sys
from fractions import Fraction


def brier(rows):
    return sum((c - v) ** 2 for c, v in rows) / len(rows)


def calibration_error(rows, bins=10):
    total = 0.0
    for b in range(bins):
        inside = [r for r in rows if (b / bins <= r[0] + 1e-9 / bins and r[0] + 1e-9 / bins < (b + 1) / bins) or (b == bins - 1 and r[0] >= 1 - 1e-12)]
        if inside:
            gap = abs(sum(c for c, _ in inside) / len(inside) - sum(v for _, v in inside) / len(inside))
            total += gap * len(inside) / len(rows)
    return total


def area(order):
    wrong, total = 0.0, 0.0
    for k, value in enumerate(order, start=1):
        wrong += 1 - value
        total += wrong / k
    return total / len(order)


def aurc(rows):
    """Every order of equal confidences, one group at a time: groups are independent given their position."""
    groups = []
    for confidence in sorted({c for c, _ in rows}, reverse=True):
        groups.append([v for c, v in rows if c == confidence])
    before, taken, total = 0.0, 0, 0.0
    for values in groups:
        # Expected wrong among the first k of a random order, counted over all subsets of size k.
        for k in range(1, len(values) + 1):
            subsets = list(itertools.combinations(values, k))
            wrong = sum(sum(1 - v for v in s) for s in subsets) / len(subsets)
            total += (before + wrong) / (taken + k)
        before += sum(1 - v for v in values)
        taken += len(values)
    return total / len(rows)


def isotonic(rows):
    """Fitted value at each distinct confidence: max over a <= i of min over b >= i of the mean of a..b."""
    xs = sorted({c for c, _ in rows})
    cells = [[v for c, v in rows if c == x] for x in xs]
    fitted = []
    for i in range(len(xs)):
        best = None
        for a in range(i + 1):
            least = None
            for b in range(i, len(xs)):
                values = [v for cell in cells[a : b + 1] for v in cell]
                mean = Fraction(sum(int(v) for v in values), len(values))
                least = mean if least is None else min(least, mean)
            best = least if best is None else max(best, least)
        fitted.append(float(best))
    return [[x, f] for x, f in zip(xs, fitted)]


out = [
    {"brier": brier(t), "error": calibration_error(t), "aurc": aurc(t), "isotonic": isotonic(t)}
    for t in json.load(sys.stdin)
]
json.dump(out, sys.stdout)
