import { Failure } from "../../src/core/errors.ts";
import { unitOf } from "../run/selection.ts";
import { extractorOf, withExtractor } from "../score/extractor-choice.ts";
import {
  type MetricItem,
  type MetricName,
  metricItems,
  metricTitle,
  scoredQuestions,
} from "../score/metrics.ts";
import type { Results } from "../score/read-results.ts";
import { type Accuracy, accuracyOf } from "../score/score-run.ts";
import { shortenedQuestions } from "../score/shortened-questions.ts";
import { type McNemar, mcnemar, type Pair } from "../statistics/paired-statistics.ts";
import { type Mean, meanShare } from "../statistics/statistics.ts";
import { type Caveats, caveatsOf } from "./caveats.ts";
import { type Contrast, contrast, groupContrasts, pairItems, withHolm } from "./contrasts.ts";
import { type Flip, flippedQuestions } from "./flips.ts";
import { type MeasuredRun, measureRun, type ScoredSaid } from "./measured-run.ts";
import {
  compareWithNoise,
  copyOf,
  type NoiseComparison,
  type NoiseFloor,
  noiseFloor,
  type RunCopy,
  sameSettings,
} from "./noise-floor.ts";
import { haveSameScorers, requireComparable } from "./require-comparable.ts";

/** One run compared with the first. */
export interface RunComparison {
  a: string;
  b: string;
  /** By the requested metric. */
  all: Contrast;
  /** By the other metrics that both runs have: `kind` is `metric`, `group` is the name of the metric. */
  also: Contrast[];
  /** Exact test; null unless each video has one item and every value is 0 or 1. */
  mcnemar: McNemar | null;
  groups: Contrast[];
  flipped: Flip[];
  /** Whether `b` has the settings, prompts and epochs of `a`, so that the comparison tests no hypothesis. */
  rerun: boolean;
  /** Why `b` is not a rerun of `a` although the settings are equal; else null. */
  copy: RunCopy | null;
  /** The difference compared with the noise floor of `a`; null if there is no rerun, or if `b` is that rerun. */
  noise: NoiseComparison | null;
}

/** Runs compared question by question. */
export interface Comparison {
  benchmark: string;
  /** Null if the runs use different extractors; each run then names its own. */
  extractor: string | null;
  metric: MetricName;
  /** Number of questions that every run has a result for; only these are compared. */
  common: number;
  runs: ComparedRun[];
  comparisons: RunComparison[];
  /** The difference between two runs of the first run's settings; null if there is no rerun. */
  noise: NoiseFloor | null;
  /** What limits the numbers of the rerun; null if there is none, or if it is one of `runs`. */
  rerun: ({ name: string } & Caveats) | null;
}

/** One of the compared runs, with what limits its numbers. */
export interface ComparedRun extends Caveats {
  name: string;
  extractor: string;
  questions: number;
  left_out: number;
  accuracy: Accuracy;
  /** By the requested metric, over the common questions. */
  value: Mean;
}

/** Which scores are compared, and against which run. */
export interface CompareOptions {
  /** Default: the extractor of each run. */
  extractor?: string;
  /** Default `accuracy`. */
  metric?: MetricName;
  /** Seed of the resampling. Default 0. */
  seed?: number;
  /** A second run of the first run's settings. Default: the first other run with equal settings that is not a copy. */
  rerun?: Results;
}

/**
 * Compares each run with the first, on the questions that all of them have: paired by question, clustered by video. Holm's
 * correction applies over the comparisons (without reruns of the first run, which test no hypothesis) and over the groups of
 * a kind. Throws `Failure` `wrong-usage` for fewer than two runs, runs over different data or with different scorers,
 * or a metric that a run does not have.
 */
export function compareResults(
  given: readonly Results[],
  { extractor, metric = "accuracy", seed = 0, rerun: repeated }: CompareOptions = {},
): Comparison {
  const runs = given.map((run) => withExtractor(run, { extractor }));
  const [first, ...others] = runs;
  if (first === undefined || others.length === 0)
    throw new Failure(
      "wrong-usage",
      `Not enough runs to compare (${runs.length}): give at least two.`,
    );
  const rerun = repeated === undefined ? undefined : withExtractor(repeated, { extractor });
  for (const other of [...others, rerun ?? first]) requireComparable(first, other);
  const scored = runs.map((run) => scoreRun(run, metric));
  const extractors = new Set(runs.map((run) => extractorOf(run).name));
  const common = new Set(
    [...(scored[0]?.asked ?? [])].filter((id) => scored.every(({ asked }) => asked.has(id))),
  );
  if (common.size === 0) throw nothingInCommon(scored, metric);
  const [base, ...rest] = scored as [ScoredRun, ...ScoredRun[]];
  const repeat = rerun ?? rerunOf(runs);
  const second = scored.find(({ run }) => run === repeat) ?? (repeat && measureRun(repeat, metric));
  const noise = second === undefined ? null : noiseFloor(base, second);
  const compared = rest.map((run) => compareTwo(base, run, common, seed));
  return {
    benchmark: first.benchmark.name,
    extractor: extractors.size === 1 ? extractorOf(first).name : null,
    metric,
    common: common.size,
    runs: scored.map(({ run, questions, asked, items }) => ({
      name: run.name,
      extractor: extractorOf(run).name,
      questions: asked.size,
      left_out: asked.size - common.size,
      accuracy: accuracyOf(questions.filter(({ id }) => common.has(id))),
      ...caveatsOf(run),
      value: meanShare(items.filter(({ question }) => common.has(question))),
    })),
    comparisons: correctForMultipleTests(compared).map((one) => ({
      ...one,
      noise: one.rerun ? null : compareWithNoise(one.all.difference, noise),
    })),
    noise,
    rerun:
      repeat === undefined || runs.some((run) => isSameFolder(run, repeat))
        ? null
        : { name: repeat.name, ...caveatsOf(repeat) },
  };
}

/** Why the runs cannot be compared: a metric that does not apply, or different questions. */
function nothingInCommon(scored: readonly ScoredRun[], metric: MetricName): Failure {
  const names = scored.map(({ run }) => run.name).join(" and ");
  const without = scored.filter(
    ({ scored: replies, items }) => replies.length > 0 && items.length === 0,
  );
  if (without.length === 0)
    return new Failure("wrong-usage", `Cannot compare ${names}: they have no question in common.`);
  const why =
    metric === "step-accuracy" || metric === "macro-step-accuracy"
      ? "no question asks for an order of clips. Use --metric accuracy"
      : metric.startsWith("pass@")
        ? "no question has a result in all its epochs"
        : without.every(({ run }) => shortenedQuestions(run.samples).length > 0)
          ? "no question has all of its pairs"
          : "no answer has a scorer";
  return new Failure(
    "wrong-usage",
    `Cannot compare ${names} by ${metricTitle(metric)}: it does not apply to ${without.map(({ run }) => run.name).join(" and ")}, in which ${why}.`,
    { metric },
  );
}

/** The first run with the settings and scorers of the first one, a real rerun if there is one; undefined without such a run. */
export function rerunOf([first, ...others]: readonly Results[]): Results | undefined {
  if (first === undefined) return undefined;
  const repeats = others.filter(
    (run) => sameSettings(first, run) === true && haveSameScorers(first, run),
  );
  return repeats.find((run) => copyOf(first, run) === null) ?? repeats[0];
}

/** Whether both were read from the same run or file, perhaps twice. */
function isSameFolder(a: Results, b: Results): boolean {
  return a === b || (a.name === b.name && a.header?.run === b.header?.run);
}

/** Applies Holm's correction over the comparisons with runs of other settings, metric by metric. */
function correctForMultipleTests(compared: readonly RunComparison[]): RunComparison[] {
  const tested = compared.filter(({ rerun }) => !rerun);
  const all = withHolm(tested.map((one) => one.all));
  const names = [...new Set(tested.flatMap(({ also }) => also.map(({ group }) => group)))];
  const also = new Map(
    names.map((name) => {
      const having = tested.flatMap((one) => one.also.find(({ group }) => group === name) ?? []);
      const adjusted = withHolm(having);
      return [name, new Map(having.map((one, place) => [one, adjusted[place] ?? one]))] as const;
    }),
  );
  return compared.map((one) => ({
    ...one,
    all: all[tested.indexOf(one)] ?? one.all,
    also: one.also.map((other) => also.get(other.group)?.get(other) ?? other),
  }));
}

interface ScoredRun extends MeasuredRun {
  questions: ReturnType<typeof scoredQuestions>;
  /** Ids of the questions that the metric has items for. */
  asked: ReadonlySet<string>;
  /** Question id -> the replies to its samples. */
  said: ReadonlyMap<string, ScoredSaid[]>;
}

function scoreRun(run: Results, metric: MetricName): ScoredRun {
  const measured = measureRun(run, metric);
  const { scored, items } = measured;
  return {
    ...measured,
    questions: scoredQuestions(run, scored),
    asked: new Set(items.map(({ question }) => question)),
    said: Map.groupBy(scored, ({ sample }) => unitOf(sample)),
  };
}

function compareTwo(
  a: ScoredRun,
  b: ScoredRun,
  common: ReadonlySet<string>,
  seed: number,
): RunComparison {
  const within = (items: readonly MetricItem[]) =>
    items.filter(({ question }) => common.has(question));
  const pairs = pairItems(within(a.items), within(b.items));
  const rerun = sameSettings(a.run, b.run) === true;
  return {
    a: a.run.name,
    b: b.run.name,
    all: contrast("all", "all", pairs, seed),
    also: otherMetrics(a, b).flatMap((metric) => {
      const items = ({ run, scored }: ScoredRun) => within(metricItems(metric, run, scored));
      const found = pairItems(items(a), items(b));
      return found.length === 0 ? [] : [contrast("metric", metricTitle(metric), found, seed)];
    }),
    mcnemar: exactTest(pairs),
    groups: groupContrasts(pairs, a.run.unknownGroups, seed),
    flipped: flippedQuestions([...common], a, b),
    rerun,
    copy: rerun ? copyOf(a.run, b.run) : null,
    noise: null,
  };
}

/** Further metrics to compare: those of the benchmark, and the majority vote over epochs. */
function otherMetrics(a: ScoredRun, b: ScoredRun): MetricName[] {
  const all: MetricName[] = [
    "accuracy",
    ...(a.run.benchmark.positions === undefined
      ? []
      : (["step-accuracy", "macro-step-accuracy"] as const)),
    ...(a.run.epochs > 1 && b.run.epochs > 1 ? (["majority"] as const) : []),
  ];
  return all.filter((metric) => metric !== a.metric);
}

function exactTest(pairs: readonly Pair[]): McNemar | null {
  const independent = new Set(pairs.map((pair) => pair.cluster)).size === pairs.length;
  const binary = pairs.every(({ a, b }) => (a === 0 || a === 1) && (b === 0 || b === 1));
  return independent && binary ? mcnemar(pairs) : null;
}
