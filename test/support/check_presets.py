"""Recomputes the tables of presets from the runs' own files, and lists what differs.

    python3 check_presets.py REPORT.json SWEEP...

REPORT.json is what `report --format json` writes of the folders SWEEP. Reads sweep.json, header.json, questions.jsonl,
samples.jsonl and judgements/*/; uses no code of the project. Every row of a run is recomputed. A table or column that this
script does not know is a difference.
"""

import json
import os
import sys

from check_report import DASH, Checker, N, Run, lines, mean
from report_statistics import mean_share

EXPLICIT = {
    "Causal Reasoning",
    "Sequential Structure Reasoning",
    "Counterintuitive Reasoning",
    "Cross-modal Transfer Reasoning",
    "Video Type and Intent",
}
TYPES = {"Art": "Art", "Life": "Life", "TV": "TV", "Film": "Film", "Ani.": "Animation", "Phi.": "Philosophy"}
CONCEPTS = {
    "GAng": "Geometry Angle",
    "GAre": "Geometry Area",
    "GLen": "Geometry Length",
    "Chart": "Chart",
    "Stat": "Statistics",
    "Arth": "Arithmetic",
    "Topo": "Topology",
    "Grph": "Graph Theory",
    "Cntg": "Counting",
    "Pzle": "Puzzle",
}
DURATIONS = {"Short": "short", "Med": "medium", "Long": "long"}
MATH_ERRORS = {
    "Misunderstood": "TYPE1",
    "Not found": "TYPE2",
    "Visual": "TYPE3",
    "Concept": "TYPE4",
    "Strategy": "TYPE5",
    "Memory": "TYPE6",
    "Computation": "TYPE7",
    "None": "none",
    "Uncategorized": "uncategorized",
}
MMR_ERRORS = [
    "Lack of Visual Reasoning",
    "Implicit Misinterpretation",
    "Knowledge Insufficiency",
    "Reasoning Error",
    "Output Formatting Issue",
    "Hallucination",
]
COT = {
    "other frame": "other_frame_desc",
    "question frame": "question_frame_desc",
    "video analysis": "video_analysis",
    "text analysis": "text_analysis",
}


def among(keep):
    """Accuracy over the questions whose row passes `keep`: (mean, low, high), or None without any."""

    def value(run, _labels):
        items = run.items(
            lambda question, *_: keep(run.samples[run.first_sample(question)]["row"])
        )
        return run.mean(items) if items else None

    return value


EVERY = among(lambda row: True)


def steps_right(run, _labels):
    return mean_share(
        [(value, run.cluster(sample)) for (sample, _), value in run.positions().items()]
    )


def judged(run, kind):
    """Latest line of each judged reply and judge run; None if nothing was judged."""
    folder = os.path.join(run.folder, "judgements")
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        with open(os.path.join(folder, name, "header.json"), encoding="utf-8") as file:
            if json.load(file)["kind"] != kind:
                continue
        latest = {}
        for line in lines(os.path.join(folder, name, "samples.jsonl")):
            latest[line["sample"], line["epoch"]] = line
        # Others were judged only for their critique.
        return [line for line in latest.values() if "error" not in line]
    return None


def values_of(run, kind):
    found = judged(run, kind)
    return (
        None
        if found is None
        else [p["value"] for line in found for p in line["parts"] if p["value"] is not None]
    )


def error_share(type_name):
    def value(run, _labels):
        found = values_of(run, "errors")
        if not found:
            return None
        named = [type_name in one.get("types", [one.get("error_type")]) for one in found]
        return ("plain", sum(named) / len(named))

    return value


def error_count(run, _labels):
    found = values_of(run, "errors")
    return None if found is None else ("count", len(found))


def cot_share(piece):
    def value(run, labels):
        found = judged(run, "cot")
        if found is None:
            return None
        items = [
            (int(line["parts"][piece]["value"][COT[labels[0]]]), run.cluster(line["of"]["sample"]))
            for line in found
            if len(line["parts"]) > piece and line["parts"][piece]["value"] is not None
        ]
        return mean_share(items)

    return value


def step_score(run, _labels):
    found = judged(run, "steps")
    if found is None:
        return None
    scores = {}
    for line in found:
        for part in line["parts"]:
            if part["value"] is not None:
                scores.setdefault(line["of"]["sample"], []).append(part["value"]["score"])
    items = [(sum(of) / len(of) / 10, run.cluster(sample)) for sample, of in scores.items()]
    return ("score", mean_share(items))


def recognised(run, _labels):
    found = lines(os.path.join(run.folder, "event-test.jsonl"))
    asked = [line for line in found if "stopped_by" not in line]
    return mean_share([(int(line["right"] is True), line["cluster"]) for line in asked])


def reasoning(explicit):
    return among(lambda row: (row["abilityType_L2"] in EXPLICIT) == explicit)


def field(name, wanted):
    return among(lambda row: str(row.get(name, "")).lower() == wanted.lower())


VCRBENCH = {"Acc.": EVERY, "Step Acc.": steps_right}
REASONING = {"Overall": EVERY, "Implicit": reasoning(False), "Explicit": reasoning(True)}
VIDEO_TYPES = {head: field("videoType", name) for head, name in TYPES.items()}
LENGTHS = {head: field("length", name) for head, name in DURATIONS.items()}
LEVELS = {head: field("difficulty", head) for head in ("Easy", "Medium", "Hard")}


def named(arm, columns, suffix=""):
    return {f"{head}{suffix}": (arm, value) for head, value in columns.items()}


MATH_TABLE = {
    "MCQ V": ("mcq", EVERY),
    "MCQ +Sub": ("mcq-subtitles", EVERY),
    "MBin V": ("mbin", EVERY),
    "MBin +Sub": ("mbin-subtitles", EVERY),
    **named("mbin-subtitles", {h: field("category", name) for h, name in CONCEPTS.items()}),
    **named("mbin-subtitles", LENGTHS),
}

RRD_ROWS = {
    ("all-at-once", "all-at-once"): "all-at-once_all-at-once",
    ("all-at-once", "sequential"): "all-at-once_merge-sort",
    ("sequential", "all-at-once"): "sequential_all-at-once",
    ("sequential", "sequential"): "sequential_merge-sort",
}

# Title -> (labels -> (arm, arm of the difference), heading -> value or (arm, value)).
TABLES = {
    "VCRBench, table 1": ({(): ("direct", None)}, VCRBENCH),
    "VCRBench, table 2": (
        {
            ("direct",): ("direct", None),
            ("+ RRD",): ("all-at-once_all-at-once", "direct"),
        },
        VCRBENCH,
    ),
    "VCRBench, table 3": (
        {
            ("video", "descriptions"): ("all-at-once_all-at-once", None),
            ("video", "video and descriptions"): ("video-and-text", "all-at-once_all-at-once"),
        },
        VCRBENCH,
    ),
    "VCRBench, table 4": ({labels: (arm, None) for labels, arm in RRD_ROWS.items()}, VCRBENCH),
    "VCRBench, figure 7": (
        {(): ("direct", None)},
        {"Recognition": recognised, **VCRBENCH},
    ),
    "MMR-V, table 3": (
        {(): ("zero-shot", None)},
        {**REASONING, **named("cot", REASONING, " CoT"), **VIDEO_TYPES},
    ),
    "MMR-V, table 4": (
        {("frames",): ("silent", None), ("+ audio",): ("audio", "silent")},
        {**REASONING, **VIDEO_TYPES},
    ),
    "MMR-V, figure 4": (
        {(str(n),): (f"frames-{n}", None) for n in (16, 32, 64, 96, 128, 256, 512)},
        REASONING,
    ),
    "MMR-V, figure 5": (
        {(): ("cot", None)},
        {"Judged": error_count, **{name: error_share(name) for name in MMR_ERRORS}},
    ),
    "MMR-V, figure 6": (
        {(label,): ("cot", None) for label in COT},
        {f"{piece + 1}0 %": cot_share(piece) for piece in range(10)},
    ),
    "MMR-V, with and without thinking": (
        {("off",): ("thinking-off", None), ("on",): ("thinking-on", "thinking-off")},
        {**REASONING, **VIDEO_TYPES},
    ),
    "VideoMathQA, table 1": ({(): ("mcq", None)}, MATH_TABLE),
    "VideoMathQA, table 2": (
        {(): ("mcq", None)},
        {**MATH_TABLE, "CoT Eval": ("mcq-subtitles", step_score)},
    ),
    "VideoMathQA, figure 4a and b": (
        {("video",): ("mbin", None), ("+ subtitles",): ("mbin-subtitles", "mbin")},
        {"Overall": EVERY, **LENGTHS},
    ),
    "VideoMathQA, figure 4c": (
        {(str(n),): (f"frames-{n}", None) for n in (16, 64, 256, 768)},
        {"Overall": EVERY, **LENGTHS},
    ),
    "VideoMathQA, figure 5a": (
        {
            (label,): (arm, None)
            for label, arm in (("text only", "blind"), ("one frame", "image"), ("video", "video"))
        },
        {"MCQ": EVERY, "MBin": (lambda arm: f"{arm}-mbin", EVERY)},
    ),
    "VideoMathQA, figure 5b": ({(): ("cot", None)}, {"Overall": EVERY, **LEVELS}),
    "VideoMathQA, figure 5c": (
        {(): ("cot", None)},
        {"Judged": error_count, **{h: error_share(name) for h, name in MATH_ERRORS.items()}},
    ),
}


class Sweep:
    """The runs of a sweep by model and arm."""

    def __init__(self, folder):
        with open(os.path.join(folder, "sweep.json"), encoding="utf-8") as file:
            stored = json.load(file)
        self.preset = stored["preset"]
        self.models = {}
        for cell in stored["cells"]:
            path = os.path.join(folder, cell["name"])
            if not os.path.exists(os.path.join(path, "header.json")):
                continue
            run = Run(path)
            run.folder = path
            self.models.setdefault(run.header["settings"]["model"], {})[cell["arm"]] = run


def number(value):
    """The number of a cell, in the unit of its text."""
    if value is None:
        return None
    if value[0] == "count":
        return value[1]
    if value[0] == "plain":
        return 100 * value[1]
    return 10 * value[1][0] if value[0] == "score" else 100 * value[0]


def parts_of(value):
    if value is None:
        return [DASH]
    if value[0] == "count":
        return [str(value[1])]
    if value[0] == "plain":
        return [N(100 * value[1])]
    if value[0] != "score":
        return mean(value)
    middle, low, high = value[1]
    interval = [] if low is None else [" [", N(10 * low), ", ", N(10 * high), "]"]
    return [N(10 * middle), *interval]


def check_table(checker, title, table, sweeps):
    rows, columns = TABLES[title]
    words = table["words"]
    heads = table["head"][words:]
    checker.equal(f"{title}: columns", sorted(heads), sorted(columns))
    ours = [row for row in table["rows"] if row[words - 1] in ("ours", "not run")]
    wanted = [
        (model, arms, labels)
        for sweep in sweeps
        for model, arms in sweep.models.items()
        for labels in rows
    ]
    checker.equal(f"{title}: number of rows", len(ours), len(wanted))
    for row, (model, arms, labels) in zip(ours, wanted):
        arm, against = rows[labels]
        where = f"{title}, {model}, {labels}"
        checker.equal(where, row[: 1 + len(labels)], [model, *labels])
        for head, shown in zip(heads, row[words:]):
            of, value = columns[head] if isinstance(columns[head], tuple) else (None, columns[head])

            def found(row_arm):
                name = of(row_arm) if callable(of) else of or row_arm
                return value(arms[name], labels) if name in arms else None

            cell, other = found(arm), None if against is None else found(against)
            expected = parts_of(cell)
            if cell is not None and other is not None:
                expected += [" (", N(number(cell) - number(other), sign=True), ")"]
            checker.cell(f"{where}, {head}", shown, expected)


def main():
    report, *folders = sys.argv[1:]
    with open(report, encoding="utf-8") as file:
        data = json.load(file)
    checker = Checker()
    sweeps = {}
    for folder in folders:
        sweep = Sweep(folder)
        sweeps.setdefault(sweep.preset, []).append(sweep)
    parts = [part for part in data["parts"] if "preset" in part]
    checker.equal("presets", sorted(p["preset"] for p in parts), sorted(sweeps))
    for part in parts:
        for table in part["tables"]:
            if table["title"] not in TABLES:
                checker.equal("table", table["title"], "a table that is known")
                continue
            check_table(checker, table["title"], table, sweeps.get(part["preset"], []))
    for told in checker.differences:
        print(told)
    print(f"{checker.checked} values checked, {len(checker.differences)} differ")
    return 1 if checker.differences else 0


if __name__ == "__main__":
    sys.exit(main())
