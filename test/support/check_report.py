"""Recomputes every number of a report from the runs' own files, and lists what differs.

    python3 check_report.py REPORT.json RUN...

REPORT.json is what `report --format json` writes, RUN are the folders that it was made of, in any order. Reads
header.json, questions.jsonl, samples.jsonl and evidence-test/samples.jsonl; uses no code of the project. Bootstrap
intervals and Monte Carlo p-values come from a documented generator and are recomputed draw by draw. A table that this
script does not know is a difference. The papers' published numbers (`apart`) are not recomputed.
"""

import json
import math
import os
import re
import sys

from report_statistics import (
    difference,
    holm,
    kendall_tau,
    mcnemar,
    mean_share,
    overlap,
    pass_at,
)

DASH = "–"


class N:
    """A number in a cell, which may differ by half a unit of its last place."""

    def __init__(self, value, places=2, sign=False):
        self.value, self.places, self.sign = value, places, sign


def share(value):
    return [DASH] if value is None else [N(100 * value)]


def mean(value):
    if value is None:
        return [DASH]
    middle, low, high = value
    interval = [] if low is None else [" [", N(100 * low), ", ", N(100 * high), "]"]
    return [N(100 * middle), *interval]


def points(value):
    return [N(100 * value, sign=True)]


def p_value(p):
    return ["< 0.001"] if p < 0.001 else [N(p, 3)]


def rounded(value):
    return [N(value, 0 if value >= 100 else 2)]


class Checker:
    def __init__(self):
        self.checked, self.differences = 0, []

    def cell(self, where, shown, parts):
        parts = [str(p) if not isinstance(p, N) else p for p in parts]
        pattern = "".join(
            r"([+-]?\d+(?:\.\d+)?)" if isinstance(p, N) else re.escape(p) for p in parts
        )
        numbers = [p for p in parts if isinstance(p, N)]
        match = re.fullmatch(pattern, shown)
        ok = match is not None
        for part, text in zip(numbers, match.groups() if match else ()):
            near = abs(float(text) - part.value) <= 0.5 * 10**-part.places + 1e-7
            # A difference has a sign unless it is shown as 0; nothing else has one.
            plus = part.sign and float(text) > 0
            ok = ok and near and text.startswith("+") == plus and not re.fullmatch(r"-0\.?0*", text)
        self.checked += max(1, len(numbers))
        if not ok:
            expected = "".join(p if isinstance(p, str) else f"{p.value:.6f}" for p in parts)
            self.differences.append(f"{where}: shown {shown!r}, recomputed {expected!r}")

    def number(self, where, shown, value):
        """Unrounded; t quantiles of two libraries agree to about 1e-8."""
        self.checked += 1
        same = shown is value is None or (
            None not in (shown, value) and abs(shown - value) <= 1e-7 * max(1, abs(value))
        )
        if not same:
            self.differences.append(f"{where}: shown {shown!r}, recomputed {value!r}")

    def equal(self, where, shown, value):
        self.checked += 1
        if shown != value:
            self.differences.append(f"{where}: shown {shown!r}, recomputed {value!r}")


def lines(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


class Run:
    """Answers and right or wrong of one run, from its stored lines."""

    def __init__(self, folder):
        with open(os.path.join(folder, "header.json"), encoding="utf-8") as file:
            self.header = json.load(file)
        self.name = os.path.basename(os.path.abspath(folder))
        self.benchmark = self.header["benchmark"]
        self.epochs = self.header["epochs"]
        if self.header.get("option_orders", 1) != 1:
            raise SystemExit(f"{self.name}: option orders are not covered by this script")
        self.extractor = (self.header.get("extractor") or {}).get("name", "official")
        self.samples = {s["id"]: s for s in lines(os.path.join(folder, "questions.jsonl"))}
        latest = {}
        for line in lines(os.path.join(folder, "samples.jsonl")):
            latest[line["sample"], line["epoch"]] = line
        self.lines = list(latest.values())
        self.has_test = os.path.exists(os.path.join(folder, "evidence-test", "header.json"))
        tested = {}
        for line in lines(os.path.join(folder, "evidence-test", "samples.jsonl")):
            tested[line["sample"], line["epoch"]] = line
        self.tested = list(tested.values())
        self.pairs = all(len(s["options"]) == 2 for s in self.samples.values())

    def key(self):
        return self.benchmark, self.header["data"]["hash"], self.header["data"]["subset"]

    def replied(self, line):
        return line.get("error") is None and line["reply"] is not None

    def answer(self, line):
        if not self.replied(line):
            return None
        if self.extractor in line["scores"]:
            return line["scores"][self.extractor]["answer"]
        order = re.search(r"Correct order: ([\d, ]+)", line["reply"])
        return [int(clip) for clip in order[1].split(",")] if order else None

    def right(self, line):
        """1, 0, or None where no reply came."""
        if not self.replied(line):
            return None
        return int(self.answer(line) == self.samples[line["sample"]]["answer"])

    def unit(self, sample):
        return re.sub(r"/\d+$", "", sample) if self.pairs else sample

    def cluster(self, sample):
        return self.samples[sample]["video"]

    def questions(self, score=None):
        """Question and epoch -> (value, answered); a question of pairs is right if all of them are."""
        score = score or self.right
        found = {}
        for line in self.lines:
            found.setdefault((self.unit(line["sample"]), line["epoch"]), []).append(line)
        questions = {}
        for key, of in found.items():
            values = [score(line) for line in of]
            value = 0 if 0 in values else None if None in values else 1
            questions[key] = value, all(self.answer(line) is not None for line in of)
        return questions

    def first_sample(self, question):
        return next(s for s in self.samples if self.unit(s) == question)

    def items(self, keep=lambda question, value, answered: True):
        """Question -> mean over its epochs."""
        values = {}
        for (question, _), (value, answered) in self.questions().items():
            if keep(question, value, answered):
                values.setdefault(question, []).append(value or 0)
        return {question: sum(of) / len(of) for question, of in values.items()}

    def planned_items(self):
        """The same with every result that is missing as wrong."""
        values = self.questions()
        units = dict.fromkeys(self.unit(sample) for sample in self.samples)
        return {
            unit: sum(values.get((unit, epoch), (0, False))[0] or 0 for epoch in range(1, self.epochs + 1))
            / self.epochs
            for unit in units
        }

    def mean(self, items):
        clustered = [(v, self.cluster(self.first_sample(question))) for question, v in items.items()]
        return mean_share(clustered)

    def positions(self):
        """(sample, place) -> mean over the epochs of a right position."""
        found = {}
        for line in self.lines:
            truth, answer = self.samples[line["sample"]]["answer"], self.answer(line) or []
            for place, clip in enumerate(truth):
                hit = len(answer) == len(truth) and answer[place] == clip
                found.setdefault((line["sample"], place), []).append(int(hit))
        return {key: sum(of) / len(of) for key, of in found.items()}

    def macro(self):
        by_sample = {}
        for (sample, _), value in self.positions().items():
            by_sample.setdefault(sample, []).append(value)
        return {sample: sum(of) / len(of) for sample, of in by_sample.items()}

    def majority(self):
        ballots = {}
        for line in sorted(self.lines, key=lambda line: line["epoch"]):
            ballots.setdefault(line["sample"], []).append(self.answer(line))
        right = {}
        for sample, answers in ballots.items():
            cast = [a for a in answers if a is not None]
            # `max` keeps the first of equals: the lowest epoch.
            winner = max(cast, key=cast.count) if cast else None
            right.setdefault(self.unit(sample), []).append(
                winner is not None and winner == self.samples[sample]["answer"]
            )
        return {question: int(all(of)) for question, of in right.items()}

    def pass_at(self, k):
        by_question = {}
        for (question, _), (value, _) in self.questions().items():
            by_question.setdefault(question, []).append(value or 0)
        return {
            question: pass_at(len(of), sum(of), k)
            for question, of in by_question.items()
            if len(of) == self.epochs
        }

    def metric(self, title):
        """{(question, item): value} of a metric by its title in a table."""
        if title == "accuracy":
            found = self.items()
        elif title == "step accuracy (micro)":
            return self.positions()
        elif title == "step accuracy (macro)":
            found = self.macro()
        elif title == "majority":
            found = self.majority()
        else:
            found = self.pass_at(int(title.removeprefix("pass@")))
        return {(question, 0): value for question, value in found.items()}

    def chance(self):
        by_question = {}
        for sample in self.samples.values():
            if sample["task"] == "order":
                guess = 1 / math.factorial(len(sample["answer"]))
            else:
                letters = [option["letter"] for option in sample["options"]]
                guess = 1 / len(letters) if sample["answer"] in letters else 0
            question = self.unit(sample["id"])
            by_question[question] = by_question.get(question, 1) * guess
        return sum(by_question.values()) / len(by_question)


def main():
    report, *folders = sys.argv[1:]
    with open(report, encoding="utf-8") as file:
        data = json.load(file)
    from report_tables import check_part

    runs = [Run(folder) for folder in folders]
    checker = Checker()
    shown = [name for part in data["parts"] for name in part["runs"]]
    checker.equal("runs", sorted(shown), sorted(run.name for run in runs))
    for part in data["parts"]:
        by_name = {run.name: run for run in runs}
        check_part(checker, part, [by_name[name] for name in part["runs"]])
    for told in checker.differences:
        print(told)
    print(f"{checker.checked} values checked, {len(checker.differences)} differ")
    return 1 if checker.differences else 0


if __name__ == "__main__":
    sys.modules["check_report"] = sys.modules["__main__"]
    sys.exit(main())
