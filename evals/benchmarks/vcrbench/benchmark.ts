import { z } from "zod";
import { kendallTau } from "../../statistics/statistics.ts";
import type { Benchmark, Extraction, Loaded, Sample, Scored } from "../benchmark.ts";
import { onePerSample, scoreEqual } from "../benchmark.ts";
import { isIdentityOrder, isRunawayList } from "../consecutive-lists.ts";
import type { Row } from "../data-files.ts";
import { EvidenceSpans } from "../evidence-spans.ts";
import { type Loading, loadRows, unreadable, videoOf } from "../load-rows.ts";
import { firstInteger, numpyRoundedMean, PYTHON_SPACE, pythonRound } from "../python-text.ts";
import { afterStripping } from "../reasoning-tags.ts";
import { finalPart, lastLines, plain } from "../reply-text.ts";

/* VCRBench (arXiv 2505.08455): put the shuffled clips of a procedure in their right order. */

const VcrRow = z.looseObject({
  qid: z.union([z.string(), z.number()]).transform(String),
  goal: z.string(),
  video_file: z.string(),
  /** 0-based clip indices in their right order. */
  ground_truth: z.array(z.int()),
  steps: z.array(z.string()).optional(),
  evidence_s: EvidenceSpans.optional(),
});

export const vcrbench: Benchmark = {
  name: "vcrbench",
  title: "VCRBench",
  load,
  groups: (sample) => ({ goal: sample.goal ?? "", steps: String(sample.answer.length) }),
  cluster: (sample) => sample.video,
  extractors: {
    official: (reply, sample) => officialOrder(reply, sample.answer.length),
    "lmms-eval-0.7": afterStripping((reply, sample) => officialOrder(reply, sample.answer.length)),
    sound: (reply, sample) => soundOrder(reply, sample.answer.length),
  },
  answers: { written: "order-line", readBy: { "order-line": "sound" }, unreadable: {} },
  score: scoreEqual,
  questions: onePerSample,
  official: officialScores,
  measures,
  positions,
  replySigns: {
    about:
      "identity_order: the order read from the reply is 1, 2, ..., n. runaway_list: the reply counts on from 1 past the number of clips (figure 6 of the paper).",
    read: (reply, { sample, extraction }) => ({
      identity_order: isIdentityOrder(extraction?.answer ?? null),
      runaway_list: isRunawayList(reply, sample.answer.length),
    }),
  },
};

function load(path: string): Promise<Loaded> {
  const columns = ["qid", "goal", "video_file", "ground_truth"];
  return loadRows(path, { title: vcrbench.title, columns }, readRow);
}

function readRow(row: Row, position: number, loading: Loading): Sample | null {
  const read = VcrRow.safeParse(row);
  if (!read.success) return unreadable(position, loading);
  const { qid, goal, video_file, ground_truth, steps, evidence_s } = read.data;
  const { tally, samples } = loading;
  const answer = ground_truth.map((index) => index + 1);
  if (!isOrder(answer, answer.length) || answer.length < 2) {
    tally.add("rows whose ground truth is no order", qid);
    return null;
  }
  if (samples.has(qid)) tally.add("repeated qid, the last counts", qid);
  return {
    id: qid,
    ...videoOf([video_file], video_file, loading),
    question: `Put the clips in the order that completes this task: ${goal}`,
    task: "order",
    goal,
    options: [],
    answer,
    ...(steps === undefined ? {} : { steps }),
    ...(evidence_s === undefined ? {} : { evidence_s }),
    row,
  };
}

/**
 * The released parser (VCRBench `process.py`): `*` deleted, text cut after sentence marks and at line ends, each
 * piece split at commas, the first integer of every field kept; the first piece that holds a permutation counts.
 */
export function officialOrder(reply: string, clips: number): Extraction {
  const pieces = reply
    .replaceAll("*", "")
    .split(new RegExp(`(?<=[.!?])${PYTHON_SPACE}+|\\n+`, "u"));
  for (const [position, piece] of pieces.entries()) {
    const numbers = piece
      .split(",")
      .map(firstInteger)
      .filter((number) => number !== undefined);
    if (isOrder(numbers, clips)) return { answer: numbers, how: `sentence ${position + 1}` };
  }
  return { answer: null, how: "no sentence is a permutation" };
}

/**
 * Ours: the list after the last `Correct order:` that is followed by one; without such a line, the last list that
 * is a permutation of exactly the clips. A last line `Correct order: ...` counts before anything else. Reads `Clip 3`, arrows, `then`, brackets, one clip a line, remarks in brackets.
 */
export function soundOrder(reply: string, clips: number): Extraction {
  for (const { line } of lastLines(reply)) {
    const ending = LABELLED.exec(line)?.[1];
    const ended = ending === undefined ? undefined : orderAfterLabel(tidy(ending), clips);
    if (ended !== undefined && isOrder(ended, clips))
      return { answer: ended, how: "after `Correct order:`" };
  }
  const text = tidy(plain(finalPart(reply)));
  const sections = text.split(LABEL).slice(1);
  for (const section of sections.reverse()) {
    const order = orderAfterLabel(section, clips);
    if (order === undefined) continue;
    return isOrder(order, clips)
      ? { answer: order, how: "after `Correct order:`" }
      : { answer: null, how: "what follows `Correct order:` is no permutation" };
  }
  const whole = (lists: number[][]) => lists.filter((list) => isOrder(list, clips)).at(-1);
  const order =
    whole(text.split("\n").flatMap((line) => listsIn(line))) ??
    whole(listsIn(text, ACROSS_OR_DOWN));
  return order === undefined
    ? { answer: null, how: "no permutation" }
    : { answer: order, how: "the last permutation" };
}

const LABEL =
  /\b(?:correct|final|right|proper) (?:clip )?(?:order|sequence)\b(?: (?:is|would be|should be))? ?[:：=]?|\border ?(?:is ?)?[:：]/gi;
const LABELLED = /^[#>•-]* ?correct order ?[:：](.*)$/i;
const CLIP = "(?:(?:the )?clips? ?#? ?)?\\d+";

/** What stands after a label: a list on its line, or clips named in its sentence, or a list down the page; undefined without numbers. */
function orderAfterLabel(section: string, clips: number): number[] | undefined {
  const line = section.split("\n").find((item) => item.trim() !== "") ?? "";
  const found = [
    ...listsIn(line)
      .filter((list) => list.length > 1)
      .slice(0, 1),
    [...line.matchAll(/clip ?(\d+)/gi)].map((match) => Number(match[1])),
    ...listsIn(section.trim().replace(DESCRIBED, "$1"), ACROSS_OR_DOWN).slice(0, 1),
  ].filter((numbers) => numbers.length > 0);
  return found.find((numbers) => isOrder(numbers, clips)) ?? found[0];
}

/** `Clip 3: stir the batter`, on a line of its own. */
const DESCRIBED = /^(clip ?\d+) ?[:–—-] [^\n]*$/gim;

const BETWEEN = " ?[,;，、] ?(?:(?:and|then) )*| ?(?:[-=]?-?>|→|➔|➜|⇒|–|—|-|&) ?| (?:and|then) | ";
const list = (between: string) =>
  new RegExp(`(?<![\\d.])${CLIP}(?:(?:${between})${CLIP})*(?![\\d%])`, "gi");
const ACROSS = list(BETWEEN);
const ACROSS_OR_DOWN = list(`${BETWEEN}|\\n`);

/** Runs of clip numbers, in the order of the text; blanks are single (`plain`). */
function listsIn(text: string, pattern = ACROSS): number[][] {
  return [...text.matchAll(pattern)].map((run) => (run[0].match(/\d+/g) ?? []).map(Number));
}

/** Takes away what stands between clip numbers without being one: remarks in brackets, brackets, the marks of a list. */
function tidy(text: string): string {
  return text
    .replace(/\([^()]*\)/g, (inner) =>
      /^[(\d\s,;>→)-]*$/.test(inner.replace(/\bclips? ?#? ?(?=\d)/gi, "")) ? inner : "",
    )
    .replace(/[[\](){}"“”]/g, " ")
    .replace(/(^|[\n,;]\s?)(?:[-•] ?)?(?:step ?)?\d+ ?[.:)] ?(?=clip ?\d)/gi, "$1")
    .replace(/(^|\n)[-•] ?(?=clip ?\d)/gi, "$1")
    .replace(/ {2,}/g, " ")
    .replace(/ ?\n ?/g, "\n");
}

function isOrder(numbers: readonly number[], clips: number): boolean {
  return (
    numbers.length === clips &&
    new Set(numbers).size === clips &&
    numbers.every((number) => number >= 1 && number <= clips)
  );
}

/** Which positions of the right order the answer meets; a wrong length (here: no answer) meets none. */
function positions({ sample, extraction }: Scored): boolean[] {
  const answer = extraction?.answer ?? [];
  const comparable = answer.length === sample.answer.length;
  return [...sample.answer].map((clip, place) => comparable && answer[place] === clip);
}

/** `metrics.py` of VCRBench, percentages; a sample without a reply counts as wrong. */
function officialScores(scored: readonly Scored[]): Record<string, unknown> {
  const byGoal = percentBy(scored, ({ sample }) => sample.goal ?? "");
  const places = scored.flatMap(positions);
  const exact = scored.filter(({ score }) => score.value === 1).length;
  return {
    avg_accuracy: pythonRound((exact / scored.length) * 100),
    avg_step_accuracy: pythonRound((places.filter(Boolean).length / places.length) * 100),
    weighted_avg_accuracy: numpyRoundedMean([...byGoal.values()]),
    scores_per_class: Object.fromEntries(byGoal),
    scores_per_step: Object.fromEntries(
      percentBy(scored, ({ sample }) => String(sample.answer.length)),
    ),
  };
}

function percentBy(
  scored: readonly Scored[],
  groupOf: (item: Scored) => string,
): Map<string, number> {
  return new Map(
    [...Map.groupBy(scored, groupOf)].map(([group, items]) => {
      const exact = items.filter(({ score }) => score.value === 1).length;
      return [group, pythonRound((exact / items.length) * 100)];
    }),
  );
}

/** The share of replies without an order, and Kendall's tau over those with one. */
function measures(scored: readonly Scored[]): Record<string, number | null> {
  const replied = scored.filter(({ extraction }) => extraction !== null);
  const mean = (values: readonly number[]) =>
    values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    invalid_rate: mean(replied.map(({ extraction }) => (extraction?.answer == null ? 1 : 0))),
    kendall_tau: mean(
      replied.flatMap(({ sample, extraction }) =>
        Array.isArray(extraction?.answer) && Array.isArray(sample.answer)
          ? [orderTau(extraction.answer, sample.answer)]
          : [],
      ),
    ),
  };
}

/** Kendall's tau between the places that two orders give to each clip: 1 the same order, -1 the reverse. */
export function orderTau(order: readonly number[], truth: readonly number[]): number {
  return kendallTau(
    truth.map((clip) => order.indexOf(clip)),
    truth.map((_, place) => place),
  );
}
