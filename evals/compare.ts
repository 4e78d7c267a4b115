import { Failure } from "../src/core/errors.ts";
import type { Sample, ScoredQuestion } from "./benchmarks/benchmark.ts";
import { extractorOf, withExtractor } from "./extractor-choice.ts";
import {
  compareRuns,
  type Difference,
  holm,
  type McNemar,
  mcnemar,
  type Pair,
} from "./paired-statistics.ts";
import { type Results, type Said, scoreSaid } from "./read-results.ts";
import { accountOf, stoppedText } from "./run-account.ts";
import type { RunLine } from "./run-folder.ts";
import { type Accuracy, accuracyOf, questionMeans } from "./score-run.ts";
import { unitOf } from "./selection.ts";

/** One group (or all questions) in both runs; `p_holm` is adjusted over the comparisons or groups it was made with. */
export interface Contrast extends Difference {
  kind: string;
  group: string;
  a: number;
  b: number;
  p_holm: number;
}

/** One run against the first. */
export interface Compared {
  a: string;
  b: string;
  all: Contrast;
  /** Exact, only where each video has one question and every score is 0 or 1. */
  mcnemar: McNemar | null;
  groups: Contrast[];
  flipped: Flip[];
}

/** A question that one run has right and the other wrong, in the mean over epochs. */
export interface Flip {
  question: string;
  video: string;
  text: string;
  right: string;
  to: "better" | "worse";
  a: Side;
  b: Side;
}

export interface Side {
  value: number;
  answers: string[];
  replies: string[];
  evidence: RunLine["evidence"];
  frames_s: number[];
}

export interface Comparison {
  benchmark: string;
  /** Null: the runs were read by different ones, each named with its run. */
  extractor: string | null;
  /** Questions that every run has a result for; those that only some have are left out. */
  common: number;
  runs: {
    name: string;
    extractor: string;
    questions: number;
    left_out: number;
    accuracy: Accuracy;
    /** `16 of 16 (cost)` of all samples of the run; null where no budget stopped one. */
    stopped: string | null;
  }[];
  comparisons: Compared[];
}

/**
 * Compares runs on the questions that all of them have, each with the first: paired by question, clustered by video,
 * with Holm's correction over the comparisons, and over the groups of a kind.
 * Throws `Failure` `wrong-usage` for fewer than two runs, or runs of other data.
 */
export function compareResults(
  given: readonly Results[],
  { extractor, seed = 0 }: { extractor?: string; seed?: number } = {},
): Comparison {
  const runs = given.map((run) => withExtractor(run, { extractor }));
  const [first, ...others] = runs;
  if (first === undefined || others.length === 0)
    throw new Failure("wrong-usage", `Expected at least two runs to compare, got ${runs.length}.`);
  for (const other of others) refuseOtherData(first, other);
  const scored = runs.map(scoreRun);
  const extractors = new Set(runs.map((run) => extractorOf(run).name));
  const everywhere = new Set(
    [...(scored[0]?.means.keys() ?? [])].filter((id) => scored.every(({ means }) => means.has(id))),
  );
  if (everywhere.size === 0)
    throw new Failure(
      "wrong-usage",
      `Expected the runs to have questions in common, but ${runs.map((run) => run.name).join(" and ")} share none.`,
    );
  const [base, ...rest] = scored as [ScoredRun, ...ScoredRun[]];
  const compared = rest.map((run) => compareTwo(base, run, everywhere, seed));
  const adjusted = holm(compared.map(({ all }) => all.p));
  return {
    benchmark: first.benchmark.name,
    extractor: extractors.size === 1 ? extractorOf(first).name : null,
    common: everywhere.size,
    runs: scored.map(({ run, questions, means }) => ({
      name: run.name,
      extractor: extractorOf(run).name,
      questions: means.size,
      left_out: means.size - everywhere.size,
      accuracy: accuracyOf(questions.filter(({ id }) => everywhere.has(id))),
      stopped: stoppedText(accountOf(run)),
    })),
    comparisons: compared.map((one, place) => ({
      ...one,
      all: { ...one.all, p_holm: adjusted[place] ?? one.all.p },
    })),
  };
}

function refuseOtherData(a: Results, b: Results): void {
  if (a.benchmark.name !== b.benchmark.name)
    throw new Failure(
      "wrong-usage",
      `Expected runs of one benchmark, but ${a.name} is of ${a.benchmark.title} and ${b.name} of ${b.benchmark.title}.`,
      { a: a.benchmark.name, b: b.benchmark.name },
    );
  if (a.data === null || b.data === null) return;
  if (a.data.hash === b.data.hash && a.data.subset === b.data.subset) return;
  const other = a.data.subset === b.data.subset ? "other data files" : "another set of questions";
  throw new Failure(
    "wrong-usage",
    `Expected runs over the same data, but ${b.name} was made with ${other} than ${a.name}: their questions may differ under the same names.`,
    { a: a.data, b: b.data },
  );
}

type Item = ReturnType<typeof scoreSaid>[number];

interface ScoredRun {
  run: Results;
  questions: ScoredQuestion[];
  means: Map<string, ReturnType<typeof questionMeans>[number]>;
  /** Question -> what was said to its samples. */
  items: Map<string, Item[]>;
}

function scoreRun(run: Results): ScoredRun {
  const items = scoreSaid(run);
  const epochs = [...Map.groupBy(items, ({ epoch }) => epoch).values()];
  const questions = epochs.flatMap((of) => run.benchmark.questions(of));
  return {
    run,
    questions,
    means: new Map(questionMeans(questions).map((question) => [question.id, question])),
    items: Map.groupBy(items, ({ sample }) => unitOf(sample)),
  };
}

function compareTwo(
  a: ScoredRun,
  b: ScoredRun,
  common: ReadonlySet<string>,
  seed: number,
): Compared {
  const pairs = [...common].map((id) => pairOf(id, a, b));
  return {
    a: a.run.name,
    b: b.run.name,
    all: contrast("all", "all", pairs, seed),
    mcnemar: exactTest(pairs),
    groups: groupContrasts(pairs, a.run.unknownGroups, seed),
    flipped: pairs.filter((pair) => flips(pair)).map(({ id }) => flip(id, a, b)),
  };
}

interface QuestionPair extends Pair {
  id: string;
  groups: Record<string, string>;
}

function pairOf(id: string, a: ScoredRun, b: ScoredRun): QuestionPair {
  const [left, right] = [a.means.get(id), b.means.get(id)];
  if (left === undefined || right === undefined) throw new RangeError(`no question ${id}`);
  return {
    id,
    a: left.value,
    b: right.value,
    cluster: left.cluster,
    groups: { ...right.groups, ...left.groups },
  };
}

function contrast(kind: string, group: string, pairs: readonly Pair[], seed: number): Contrast {
  const mean = (of: (pair: Pair) => number) =>
    pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length;
  const difference = compareRuns(pairs, { seed });
  return {
    kind,
    group,
    a: mean((pair) => pair.a),
    b: mean((pair) => pair.b),
    ...difference,
    p_holm: difference.p,
  };
}

function groupContrasts(
  pairs: readonly QuestionPair[],
  unknown: readonly string[],
  seed: number,
): Contrast[] {
  const kinds = [...new Set(pairs.flatMap((pair) => Object.keys(pair.groups)))];
  return kinds
    .filter((kind) => !unknown.includes(kind))
    .flatMap((kind) => {
      const having = pairs.filter((pair) => pair.groups[kind] !== undefined);
      const found = [...Map.groupBy(having, (pair) => pair.groups[kind] ?? "")]
        .sort(([x], [y]) => x.localeCompare(y, "en", { numeric: true }))
        .map(([group, members]) => contrast(kind, group, members, seed));
      const adjusted = holm(found.map(({ p }) => p));
      return found.map((one, place) => ({ ...one, p_holm: adjusted[place] ?? one.p }));
    });
}

function exactTest(pairs: readonly Pair[]): McNemar | null {
  const alone = new Set(pairs.map((pair) => pair.cluster)).size === pairs.length;
  const binary = pairs.every(({ a, b }) => (a === 0 || a === 1) && (b === 0 || b === 1));
  return alone && binary ? mcnemar(pairs) : null;
}

/** Right more often than not in one run, and not so in the other. */
function flips({ a, b }: Pair): boolean {
  return a > 0.5 !== b > 0.5;
}

function flip(id: string, a: ScoredRun, b: ScoredRun): Flip {
  const { sample } = (a.items.get(id) ?? [])[0] as Item;
  const [left, right] = [sideOf(id, a), sideOf(id, b)];
  return {
    question: id,
    video: sample.video,
    text: sample.question,
    right: rightOf(a.items.get(id) ?? []),
    to: right.value > left.value ? "better" : "worse",
    a: left,
    b: right,
  };
}

function sideOf(id: string, { means, items }: ScoredRun): Side {
  const said = items.get(id) ?? [];
  const lines = said.flatMap(({ line }) => line ?? []);
  return {
    value: means.get(id)?.value ?? 0,
    answers: said.map(({ extraction }) => show(extraction?.answer ?? null)),
    replies: said.map((item: Said) => item.reply ?? ""),
    evidence: [
      ...new Map(lines.flatMap((line) => line.evidence).map((item) => [item.id, item])).values(),
    ],
    frames_s: [...new Set(lines.flatMap((line) => line.frames_s))].sort((x, y) => x - y),
  };
}

/** The right answer, or those of the pairs of a question. */
function rightOf(items: readonly Item[]): string {
  const answers = new Map(items.map(({ sample }) => [sample.id, sample]));
  return [...answers.values()].map((sample: Sample) => show(sample.answer)).join(" | ");
}

function show(answer: string | readonly number[] | null): string {
  if (answer === null) return "none";
  return typeof answer === "string" ? answer : answer.join(", ");
}
