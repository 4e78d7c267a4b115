"""What every table, plot and question of a report has to show, by its title. Python's standard library only."""

import copy
import re

from check_report import (
    DASH,
    N,
    difference,
    holm,
    kendall_tau,
    mcnemar,
    mean,
    mean_share,
    overlap,
    p_value,
    points,
    rounded,
    share,
)
from report_statistics import by_cluster, t_quantile

KINDS = {
    "number of steps": "steps",
    "length of the video": "length",
    "kind of reasoning": "reasoning",
    "ability (level 2)": "l2",
    "ability (level 3)": "l3",
    "type of video": "video_type",
}


def check_part(checker, part, runs):
    groups = {q["id"]: dict(g.split(": ", 1) for g in q["groups"]) for q in part["questions"]}
    clusters = {s["video"] for run in runs for s in run.samples.values()}
    counts = [len({question for question, _ in run.questions()}) for run in runs]
    about = re.match(r"[^.]* questions on \d+ videos; guessing scores [\d.]+ %", part["about"][0])
    told = [N(max(counts), 0), " questions on ", N(len(clusters), 0), " videos; guessing scores "]
    checker.cell("about", about and about[0], [*told, N(100 * runs[0].chance()), " %"])
    for table in part["tables"]:
        title = table["title"]
        where = f"{part['title']}, {title}"
        if title.startswith("Certificate of "):
            continue
        if title.startswith("Accuracy by ") and title != POSITIONS:
            kind = title.removeprefix("Accuracy by ")
            rows = group_rows(KINDS.get(kind, kind), groups, table, runs)
        elif title.startswith("Scores of the released code"):
            rows = released_rows(table, runs)
        elif title in TABLES:
            rows = TABLES[title](table, runs)
        else:
            checker.equal(where, "a table", "no table that this script knows")
            continue
        checker.equal(f"{where}: rows", len(table["rows"]), len(rows))
        for shown, expected in zip(table["rows"], rows):
            for head, cell, wanted in zip(table["head"], shown, expected):
                if wanted is not None:
                    checker.cell(f"{where}, {shown[0]}, {head}", cell, wanted)
    for plot in part["plots"]:
        check_plot(checker, part, plot, groups, runs)
    for question in part["questions"]:
        check_question(checker, question, runs)


def accuracy_rows(table, runs):
    rows = []
    for run in runs:
        questions = run.questions().values()
        right = sum(value == 1 for value, _ in questions)
        known = lambda question, value, answered: answered and value is not None
        answered = sum(known(None, value, was) for value, was in questions)
        replies = [line for line in run.lines if run.replied(line)]
        invalid = [run.answer(line) is None for line in replies]
        rows.append(
            [
                [run.name],
                *(None, None),
                [run.extractor] if run.header.get("extractor") else None,
                mean(run.mean(run.items())),
                [N(right, 0), " of ", N(len(questions), 0)],
                mean(run.mean(run.items(known))),
                [N(right, 0), " of ", N(answered, 0)],
                share(sum(invalid) / len(invalid) if invalid else None),
                *([mean(run.mean(run.planned_items()))] if "All questions" in table["head"][9:] else []),
            ]
        )
    return rows


def step_rows(_, runs):
    def micro(run):
        return mean_share([(v, run.cluster(sample)) for (sample, _), v in run.positions().items()])

    return [[[run.name], mean(micro(run)), mean(run.mean(run.macro()))] for run in runs]


def epoch_rows(table, runs):
    return [
        [
            [run.name],
            [N(run.epochs, 0)],
            mean(run.mean(run.majority())),
            *(pass_cell(run, k) for k in range(1, len(table["head"]) - 2)),
        ]
        for run in runs
        if run.epochs > 1
    ]


def pass_cell(run, k):
    """With the number of questions that have all their epochs."""
    known = run.pass_at(k) if k <= run.epochs else {}
    return [*mean(run.mean(known)), " (n ", N(len(known), 0), ")"] if known else [DASH]


def released_rows(table, runs):
    """First epoch only, with the rounding of the released code: Python's own."""
    rows = []
    for run in runs:
        first = [line for line in run.lines if line["epoch"] == 1]
        right = [run.right(line) == 1 for line in first]
        exact = round(100 * sum(right) / len(right), 2)
        goals = {}
        hits = places = 0
        for line, ok in zip(first, right):
            sample = run.samples[line["sample"]]
            goals.setdefault(sample.get("goal"), []).append(ok)
            if run.benchmark == "vcrbench":
                answer = run.answer(line) or []
                places += len(sample["answer"])
                if len(answer) == len(sample["answer"]):
                    hits += sum(a == b for a, b in zip(answer, sample["answer"]))
        by_goal = [round(100 * sum(of) / len(of), 2) for of in goals.values()]
        questions = [value == 1 for (_, epoch), (value, _) in run.questions().items() if epoch == 1]
        score = 100 * sum(questions) / len(questions)
        known = {
            "avg_accuracy": [N(exact)],
            "avg_step_accuracy": [N(round(100 * hits / places, 2) if places else 0)],
            "weighted_avg_accuracy": [N(round(sum(by_goal) / len(by_goal), 2))],
            "total": [N(exact), " (", N(sum(right), 0), "/", N(len(right), 0), ")"],
            "videomathqa_perception_score": [N(score)],
            "MCQ": [N(score)],
            "MBin": [N(score)],
        }
        rows.append([[run.name], *(known[name] for name in table["head"][1:])])
    return rows


def further_rows(table, runs):
    rows = []
    for run in runs:
        replies = [line for line in run.lines if run.replied(line)]
        first_stage = lambda line: run.extractor != "official" or re.search(
            r"\[\[[A-L]\]\]|\\boxed\{[A-L]\}", line["reply"]
        )
        has = lambda line: run.answer(line) is not None
        of = {
            "accuracy": lambda line: run.right(line),
            "pair_accuracy": lambda line: run.right(line),
            "answered": has,
            "invalid_rate": lambda line: not has(line),
            "accuracy_stage_1": lambda line: run.right(line) and first_stage(line),
            "answered_stage_1": lambda line: has(line) and first_stage(line),
        }
        cells = [
            share(sum(map(bool, map(of[name], replies))) / len(replies) if replies else None)
            for name in table["head"][1:]
        ]
        rows.append([[run.name], *cells])
    return rows


def tau_rows(_, runs):
    rows = []
    for run in runs:
        taus = [
            kendall_tau(run.answer(line), run.samples[line["sample"]]["answer"])
            for line in run.lines
            if run.answer(line) is not None
        ]
        rows.append([[run.name], [N(sum(taus) / len(taus), 4)] if taus else [DASH]])
    return rows


def difference_rows(table, runs):
    """Each run against the first, by every metric of the table; Holm over the rows of a metric."""
    by_name = {run.name: run for run in runs}
    found = []
    for name, against, title, *_ in table["rows"]:
        rerun = against.endswith(" (same settings)")
        a, b = by_name[against.removesuffix(" (same settings)")], by_name[name]
        left, right = a.metric(title), b.metric(title)
        # Each row has its own questions: those of its two runs.
        common = {q for q, _ in a.metric(main_metric(table))} & {
            q for q, _ in b.metric(main_metric(table))
        }
        pairs = [
            (value, right[key], a.cluster(a.first_sample(key[0])))
            for key, value in left.items()
            if key in right and key[0] in common
        ]
        found.append((title, rerun, pairs, difference(pairs)))
    adjusted = {}
    for title in {title for title, *_ in found}:
        tested = [i for i, row in enumerate(found) if row[0] == title and not row[1]]
        adjusted |= dict(zip(tested, holm([found[i][3]["p"] for i in tested])))
    rows = []
    for i, (title, _, pairs, one) in enumerate(found):
        few = one["clusters"] < 20
        missing = "identical" if one["identical"] else "n too small" if few else DASH
        exact = mcnemar(pairs) if title == main_metric(table) else None
        known = one["low"] is not None
        rows.append(
            [
                *(None, None, None),
                [N(one["n"], 0)],
                points(one["mean"]),
                [*points(one["low"]), " to ", *points(one["high"])] if known else [missing],
                p_value(one["p"]),
                p_value(adjusted.get(i, one["p"])),
                [DASH] if exact is None else p_value(exact),
                [missing] if one["detectable"] is None else share(one["detectable"]),
            ]
        )
    return rows


def main_metric(table):
    """The metric asked for is in the first row."""
    return table["rows"][0][2]


def noise_rows(table, runs):
    [[name, again, *_]] = table["rows"]
    by_name = {run.name: run for run in runs}
    a, b = with_replies_in_both(by_name[name], by_name[again])
    answers = {(line["sample"], line["epoch"]): b.answer(line) for line in b.lines}
    changed = [
        (int(a.answer(line) != answers[line["sample"], line["epoch"]]), a.cluster(line["sample"]))
        for line in a.lines
        if (line["sample"], line["epoch"]) in answers
    ]
    left, right = a.items(), b.items()
    both = [q for q in left if q in right]
    cluster = {q: a.cluster(a.first_sample(q)) for q in both}
    flipped = [(int((left[q] > 0.5) != (right[q] > 0.5)), cluster[q]) for q in both]
    sums = [sum(of) for of in by_cluster([(right[q] - left[q], cluster[q]) for q in both]).values()]
    a, b = by_name[name], by_name[again]
    starts = {(line["sample"], line["epoch"]): line["started_at"] for line in b.lines}
    twice = [
        starts[line["sample"], line["epoch"]] == line["started_at"]
        for line in a.lines
        if (line["sample"], line["epoch"]) in starts
    ]
    later = a if min(x["started_at"] for x in b.lines) < min(x["started_at"] for x in a.lines) else b
    calls = [call["cached"] for line in later.lines for call in line["calls"]]
    copied = a.header["run"] == b.header["run"] or all(twice) or (calls != [] and all(calls))
    floor, missing = None, "n too small"
    if copied or all(abs(s) < 1e-12 for s in sums):
        missing = "none"
    elif len(sums) >= 20:
        floor = t_quantile(0.975, len(sums) - 1) * sum(s * s for s in sums) ** 0.5 / len(both)
    return [
        [
            *(None, None),
            [N(len(both), 0)],
            mean(mean_share(changed)),
            mean(mean_share(flipped)),
            points(sum(sums) / len(both)),
            [missing] if floor is None else share(floor),
        ]
    ]


def with_replies_in_both(*runs):
    """Copies of two runs with only the questions and epochs in which every sample has a reply in both."""

    def got(run, line):
        stopped = line["status"] == "not-answered" and line["limits_met"] and not line.get("error")
        return run.replied(line) and not stopped

    have = [{(line["sample"], line["epoch"]) for line in run.lines if got(run, line)} for run in runs]
    members = {}
    for sample in runs[0].samples:
        members.setdefault(runs[0].unit(sample), []).append(sample)
    found = []
    for run in runs:
        whole = copy.copy(run)
        whole.lines = [
            line
            for line in run.lines
            if all(
                (sample, line["epoch"]) in of
                for sample in members[run.unit(line["sample"])]
                for of in have
            )
        ]
        found.append(whole)
    return found


def spent_rows(_, runs):
    rows = []
    for run in runs:
        n = len(run.lines)
        usage = lambda what: sum(line["usage"][what] for line in run.lines)
        costs = [line["usage"]["cost"] for line in run.lines]
        cost = None if None in costs else sum(costs)
        right = sum(value == 1 for value, _ in run.questions().values())
        times = [line["time"] for line in run.lines if "time" in line]
        timed = lambda what: (
            rounded(sum(t[what] for t in times) / len(times)) if times else [DASH]
        )
        mark = "~" if any(line["usage"].get("estimated") for line in run.lines) else ""
        rows.append(
            [
                [run.name],
                rounded(usage("calls") / n),
                rounded(usage("frames") / n),
                [mark, *rounded(usage("input") / n)],
                [mark, *rounded(usage("output") / n)],
                [DASH] if cost is None else [N(cost / n, 4)],
                [DASH] if cost is None or right == 0 else [N(cost / right, 4)],
                *(timed("model_s"), timed("own_s"), timed("waited_s")),
                rounded(sum(line["seconds"] for line in run.lines) / n),
            ]
        )
    return rows


def in_group(run, kind, group, groups):
    """Question -> score, of those in a group."""
    of = lambda question: groups[run.first_sample(question)].get(kind)
    return run.items(lambda question, value, answered: of(question) == group)


def group_rows(kind, groups, table, runs):
    rows = []
    for group, *_ in table["rows"]:
        asked = {q: run.first_sample(q) for run in runs for q, _ in run.questions()}
        size = sum(groups[sample].get(kind) == group for sample in asked.values())
        cells = []
        for run in runs:
            found = in_group(run, kind, group, groups)
            other = [] if len(found) in (0, size) else [" (", N(len(found), 0), ")"]
            cells.append([*mean(run.mean(found)), *other])
        rows.append([[group], [N(size, 0)], *cells])
    everywhere = {of[kind] for of in groups.values() if kind in of}
    return rows if len(rows) == len(everywhere) else []


def sign_rows(_, runs):
    rows = []
    for run in runs:
        replies = [line for line in run.lines if run.replied(line)]
        clips = lambda line: len(run.samples[line["sample"]]["answer"])
        identity = [run.answer(line) == list(range(1, clips(line) + 1)) for line in replies]
        runaway = [counts_past(line["reply"], clips(line)) for line in replies]
        rate = lambda signs: mean(
            mean_share([(int(s), run.cluster(x["sample"])) for s, x in zip(signs, replies)])
        )
        rows.append([[run.name], [N(len(replies), 0)], rate(identity), rate(runaway)])
    return rows


def counts_past(reply, clips):
    """Whether a list counts on from 1, by ones, past the number of clips; an ellipsis stands for what it leaves out."""
    last, elided = None, False
    tokens = r"(\d+)|(\.{3,}|…)|(?:clips?|and|then)\b|[\s,;>→#*–—-]+|(.)"
    for match in re.finditer(tokens, reply, re.IGNORECASE | re.DOTALL):
        digits, ellipsis, other = match.groups()
        if other is not None:
            last = None
        elif ellipsis is not None:
            elided = True
        elif digits is not None:
            number = int(digits)
            follows = last is not None and (number == last + 1 or (elided and number > last))
            last, elided = (number if follows or number == 1 else None), False
            if last is not None and last > clips:
                return True
    return False


def over_samples(run, values):
    """[(sample, value or None)] -> mean with interval, each sample once."""
    known = by_cluster([(value, sample) for sample, value in values if value is not None])
    return mean_share([(sum(of) / len(of), run.cluster(sample)) for sample, of in known.items()])


def stage_spans(stage, trail):
    timed = lambda items: [
        (item["start_s"], item["end_s"])
        for item in items
        if item["kind"] not in ("calculation", "comparison")
    ]
    if trail[stage] is None:
        return None
    if stage == "indexed":
        return trail["indexed"]
    if stage != "shown":
        return timed(trail[stage])
    shown = trail["shown"]
    return timed(shown["items"]) + [(t, t) for t in shown["frames_s"]] + shown["footage_s"]


def funnel_rows(_, runs):
    rows = []
    for run in runs:
        tracked = [
            (line["sample"], run.samples[line["sample"]]["evidence_s"], line["trail"])
            for line in run.lines
            if line.get("trail") and run.samples[line["sample"]].get("evidence_s")
        ]
        for stage in ("indexed", "retrieved", "shown", "cited"):
            found, even, counts = [], [], []
            for sample, right, trail in tracked:
                spans = stage_spans(stage, trail)
                if spans is None:
                    continue
                n = len(spans)
                middles = [(i + 0.5) * trail["duration_s"] / n for i in range(n)]
                found.append((sample, overlap(spans, right)))
                even.append((sample, overlap([(t, t) for t in middles], right)))
                counts.append(n)
            if not found:
                continue
            cells = lambda of: [
                mean(over_samples(run, [(sample, one[what]) for sample, one in of]))
                for what in ("recall", "precision", "iou")
            ]
            samples = len({sample for sample, _ in found})
            items = N(sum(counts) / len(counts), 1)
            rows.append([[run.name], [stage], [N(samples, 0)], [items], *cells(found), *cells(even)])
    return rows


def position_rows(table, runs):
    rows = []
    for place in range(len(table["rows"])):
        cells = []
        for run in runs:
            here, offered, named = [], 0, 0
            for line in run.lines:
                sample = run.samples[line["sample"]]
                letters = [option["letter"] for option in sample["options"]]
                if sample["answer"] not in letters:
                    continue
                if letters.index(sample["answer"]) == place:
                    here.append((line["sample"], run.right(line) or 0))
                if len(letters) > place:
                    offered += 1
                    named += run.answer(line) == letters[place]
            told = share(named / offered if offered else None)
            count = N(len(here), 0)
            cells.append([*mean(over_samples(run, here)), " (", count, "; named ", *told, ")"])
        rows.append([[place + 1], *cells])
    return rows


def evidence_rows(table, runs):
    rows = []
    for run in runs:
        good = [line for line in run.tested if not line.get("error")]
        tested = [line for line in good if line["again"] is not None]
        if not run.has_test:
            continue
        same = lambda which, want: mean(
            over_samples(
                run, [(x["sample"], int(x["again"][which]["same"] == want)) for x in tested]
            )
        )
        placed = []
        for line in good:
            spans = run.samples[line["sample"]].get("evidence_s") or []
            if spans:
                placed.append((line["sample"], overlap(line["cited_s"], spans)))
        overlaps = [
            mean(over_samples(run, [(sample, one[what]) for sample, one in placed]))
            for what in ("recall", "precision", "iou")
        ]
        counts = [N(len(tested), 0)], [N(len(good) - len(tested), 0)]
        shares = same("all", True), same("cited", True), same("rest", False)
        rows.append([[run.name], *counts, *shares, *overlaps[: len(table["head"]) - 6]])
    return rows


def extractor_rows(table, runs):
    """Means, ranks and differences by each extractor's stored answers, on the items that all runs have."""
    columns = table["head"][1:-1]
    title = re.match(r"(.*?) in percent with the rank", table["about"])[1]
    own = [run.extractor for run in runs]
    read = []
    for column in columns:
        for run, mine in zip(runs, own):
            run.extractor = mine if column == "each run's own" else column
        read.append([run.metric(title) for run in runs])
    for run, mine in zip(runs, own):
        run.extractor = mine
    common = set.intersection(*(set(values) for of in read for values in of))
    means = [[sum(v[key] for key in common) / len(common) for v in of] for of in read]
    exact = lambda value: round(value, 12)
    ranks = [[1 + sum(exact(other) > exact(m) for other in of) for m in of] for of in means]
    only = len(columns) == 1
    holds = lambda values: [
        "only one extractor" if only else "yes" if len(set(values)) == 1 else "no"
    ]
    rows = []
    for i, run in enumerate(runs):
        cells = [[N(100 * of[i]), " (", N(rank[i], 0), ")"] for of, rank in zip(means, ranks)]
        rows.append([[run.name], *cells, holds([rank[i] for rank in ranks])])
    for i, run in enumerate(runs[1:], 1):
        gaps = [exact(of[i] - of[0]) for of in means]
        signs = [(gap > 0) - (gap < 0) for gap in gaps]
        rows.append([[f"{run.name} minus {runs[0].name}"], *map(points, gaps), holds(signs)])
    return rows


def blind_rows(table, runs):
    by_name = {run.name: run for run in runs}
    rows = []
    for name, blind, *_ in table["rows"]:
        run, base = by_name[name], by_name[blind.removesuffix(" (another model)")]
        seen, unseen = run.items(), base.items()
        cluster = {q: run.cluster(run.first_sample(q)) for q in seen}
        pairs = [(unseen[q], seen[q], cluster[q]) for q in seen if q in unseen]
        one = difference(pairs)
        wrong = [(b, c) for a, b, c in pairs if a <= 0.5]
        told = [*mean(mean_share(wrong)), " (", N(len(wrong), 0), ")"] if wrong else [DASH]
        known = one["low"] is not None
        missing = "identical" if one["identical"] else "n too small"
        rows.append(
            [
                *([name], [blind], [N(len(pairs), 0)]),
                share(sum(b for _, b, _ in pairs) / len(pairs)),
                share(sum(a for a, _, _ in pairs) / len(pairs)),
                points(one["mean"]),
                [*points(one["low"]), " to ", *points(one["high"])] if known else [missing],
                told,
            ]
        )
    return rows


def check_plot(checker, part, plot, groups, runs):
    where = f"{part['title']}, plot {plot['title']}"
    title = plot["title"].removeprefix("Accuracy by ")
    kind = KINDS.get(title, title)
    per_sample = lambda run, of: sum(map(of, run.lines)) / len(run.lines)
    if plot["chance"] is not None:
        checker.number(f"{where}, chance", plot["chance"], runs[0].chance())
    by_name = {run.name: run for run in runs}
    for series in plot["series"]:
        run = by_name[series["name"]]
        for point in series["points"]:
            if title == "frames sent":
                x, found = per_sample(run, lambda line: line["usage"]["frames"]), run.items()
            elif title == "Accuracy against cost":
                x, found = per_sample(run, lambda line: line["usage"]["cost"]), run.items()
            elif title == "Accuracy against tokens":
                tokens = lambda line: line["usage"]["input"] + line["usage"]["output"]
                x, found = per_sample(run, tokens), run.items()
            else:
                group = point.get("at") or str(point["x"])
                x, found = point["x"], in_group(run, kind, group, groups)
            middle, low, high = run.mean(found)
            checker.number(f"{where}, x", point["x"], x)
            for name, value in (("y", middle), ("low", low), ("high", high)):
                checker.number(f"{where}, {point['label']}, {name}", point[name], value)
            shown = point["label"].rsplit(": ", 1)[1]
            checker.cell(f"{where}, label", shown, [*mean((middle, low, high)), " %"])


def check_question(checker, question, runs):
    show = lambda answer: answer if isinstance(answer, str) else ", ".join(map(str, answer))
    for said in question["said"]:
        run = runs[said["run"]]
        where = f"question {question['id']} of {run.name}, epoch {said['epoch']}"
        lines = [x for x in run.lines if x["sample"] == question["id"]]
        line = next((x for x in lines if x["epoch"] == said["epoch"]), None)
        checker.equal(f"{where}, right", question["right"], show(run.samples[question["id"]]["answer"]))
        if line is None:
            checker.equal(where, said["outcome"], "not asked")
            continue
        answer, right = run.answer(line), run.right(line)
        checker.equal(f"{where}, answer", said["answer"], None if answer is None else show(answer))
        outcome = (
            "right" if right else "failed" if right is None else "wrong" if answer else "unanswered"
        )
        if said["outcome"] != "stopped":
            checker.equal(where, said["outcome"], outcome)


POSITIONS = "Accuracy by position of the right option"
TABLES = {
    "Accuracy": accuracy_rows,
    "Step accuracy": step_rows,
    "Majority and pass@k": epoch_rows,
    "Further measures": further_rows,
    "Agreement with the right orders": tau_rows,
    "Differences between runs": difference_rows,
    "Noise floor": noise_rows,
    "Conclusions under each extractor": extractor_rows,
    "Accuracy beyond blind": blind_rows,
    "Calls, cost and time per sample": spent_rows,
    "Replies without regard to the video": sign_rows,
    "Retrieval funnel": funnel_rows,
    POSITIONS: position_rows,
    "Dependence of answers on evidence": evidence_rows,
}
