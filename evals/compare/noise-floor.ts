import { isOverEvidence } from "../run/gold-arm.ts";
import type { Results, SampleReply } from "../score/read-results.ts";
import { FEWEST_CLUSTERS, type Mean, meanShare, tQuantile } from "../statistics/statistics.ts";
import { pairItems } from "./contrasts.ts";
import { answersOf, commonResults, type MeasuredRun, type SampleAnswer } from "./measured-run.ts";

/* How much two runs with equal settings differ, because of sampling, batching and changes of the server. */

/**
 * Why there is no floor. `no-change`: the metric changed on no video, and a sample without changes has no spread to measure.
 * `no-results`: no question has the results that its score needs in both runs, because they failed or are missing.
 */
export type NoFloor = RunCopy | "few-videos" | "no-change" | "no-results";

/** Why a run with equal settings is not a rerun: it is the run itself, or all its replies were stored before it started. */
export type RunCopy = "same-run" | "stored-replies";

/**
 * How much two runs with the same settings differ, on the results (a question in one epoch) that have a reply in both: a
 * failure is not a changed answer.
 */
export interface NoiseFloor {
  run: string;
  rerun: string;
  /** Number of questions with a result in both runs. */
  questions: number;
  /** Number of results that either run has. */
  results: number;
  /** Results that are left out: in one of the runs they failed, were stopped by a budget, or are missing. */
  left_out: number;
  /** Share of the samples whose answer changed, epoch by epoch, with its interval; null without answers. */
  answers_changed: Mean | null;
  /** Share of the questions that are right in exactly one of the runs; null without questions. */
  flipped: Mean | null;
  /** Rerun minus run, as a share; null with `no-results`. */
  difference: number | null;
  /**
   * Two runs with these settings differ by at most this share, 95 times in 100: t with clusters minus one degrees of
   * freedom, times the root mean square of the clusters' differences (their expected mean is 0). Null with `no_floor`.
   */
  floor: number | null;
  /** Null if there is a floor. */
  no_floor: NoFloor | null;
  /** Share of the rerun's calls that were answered from stored replies. At 1 the rerun is a copy and measures nothing. Null without calls. */
  from_memory: number | null;
  /** Whether both runs have equal settings; null for a response file, which does not record them. */
  same_settings: boolean | null;
  /** Whether the runs asked model servers at different addresses, which may serve different models of one name. */
  other_server: boolean;
}

/** A difference between two other runs, compared with the noise floor. */
export interface NoiseComparison {
  floor: number;
  exceeds: boolean;
}

/** Sums of shares that are 0 may differ from 0 by their last bits. */
const ROUNDING = 1e-12;

/** How often answers change between two runs with equal settings, and how much the metric changes. Null without common questions. */
export function noiseFloor(first: MeasuredRun, second: MeasuredRun): NoiseFloor | null {
  if (pairItems(first.items, second.items).length === 0) return null;
  const { a, b, results, left_out } = commonResults(first, second);
  const pairs = pairItems(a.items, b.items);
  const answers = changedAnswers(a, b);
  const flipped = flippedQuestions(a, b);
  const byCluster = [...Map.groupBy(pairs, ({ cluster }) => cluster).values()].map((of) =>
    of.reduce((sum, pair) => sum + pair.b - pair.a, 0),
  );
  const spread = Math.sqrt(byCluster.reduce((sum, total) => sum + total ** 2, 0)) / pairs.length;
  const clusters = byCluster.length;
  const no_floor =
    copyOf(a.run, b.run) ??
    (pairs.length === 0
      ? "no-results"
      : spread < ROUNDING
        ? "no-change"
        : clusters < FEWEST_CLUSTERS
          ? "few-videos"
          : null);
  return {
    run: a.run.name,
    rerun: b.run.name,
    questions: flipped.length,
    ...{ results, left_out },
    answers_changed: answers.length === 0 ? null : meanShare(answers),
    flipped: flipped.length === 0 ? null : meanShare(flipped),
    difference:
      pairs.length === 0 ? null : byCluster.reduce((sum, total) => sum + total, 0) / pairs.length,
    floor: no_floor === null ? tQuantile(0.975, clusters - 1) * spread : null,
    no_floor,
    from_memory: memoryShare(b.run),
    same_settings: sameSettings(a.run, b.run),
    other_server: hasOtherServer(a.run, b.run),
  };
}

function hasOtherServer({ header: a }: Results, { header: b }: Results): boolean {
  if (a === null || b === null) return false;
  const addressIn = ({ settings }: typeof a) => {
    const { base_url = null } = (settings.runtime ?? {}) as Record<string, unknown>;
    return base_url;
  };
  return addressIn(a) !== addressIn(b);
}

/** Each answer that both runs have: 1 if it changed. */
function changedAnswers(a: MeasuredRun, b: MeasuredRun) {
  const placeOf = ({ sample, epoch }: SampleAnswer) => JSON.stringify([sample, epoch]);
  const repeated = new Map(answersOf(b).map((one) => [placeOf(one), one.answer]));
  return answersOf(a).flatMap((one) => {
    const other = repeated.get(placeOf(one));
    return other === undefined
      ? []
      : [{ value: Number(other !== one.answer), cluster: one.cluster }];
  });
}

/** Each question that both runs have: 1 if exactly one of them is right. */
function flippedQuestions(a: MeasuredRun, b: MeasuredRun) {
  return [...a.scores].flatMap(([id, { value, cluster }]) => {
    const other = b.scores.get(id);
    return other === undefined
      ? []
      : [{ value: Number(value > 0.5 !== other.value > 0.5), cluster }];
  });
}

export function compareWithNoise(
  difference: number,
  noise: NoiseFloor | null,
): NoiseComparison | null {
  if (noise === null || noise.floor === null) return null;
  return { floor: noise.floor, exceeds: Math.abs(difference) > noise.floor };
}

/** Why two runs with equal settings are not a run and its rerun; null if they are. */
export function copyOf(a: Results, b: Results): RunCopy | null {
  if (isSameRun(a, b)) return "same-run";
  // Stored replies can only be those of the earlier run.
  const later = startOf(b) < startOf(a) ? a : b;
  return memoryShare(later) === 1 ? "stored-replies" : null;
}

/** Whether both are one run: equal ids, or results that started at the same times, as in a copied folder with a new header. */
function isSameRun(a: Results, b: Results): boolean {
  if (a === b) return true;
  if (a.header === null || b.header === null) return false;
  if (a.header.run === b.header.run) return true;
  const placeOf = ({ sample, epoch }: SampleReply) => JSON.stringify([sample.id, epoch]);
  const starts = new Map(b.said.map((one) => [placeOf(one), one.line?.started_at]));
  const common = a.said.filter(
    (one) => one.line !== null && starts.get(placeOf(one)) !== undefined,
  );
  return (
    common.length > 0 && common.every((one) => starts.get(placeOf(one)) === one.line?.started_at)
  );
}

/** When the first result started; "~", which is after every time, for a response file. */
function startOf({ said }: Results): string {
  return said.flatMap(({ line }) => line?.started_at ?? []).toSorted()[0] ?? "~";
}

function memoryShare({ said }: Results): number | null {
  const calls = said.flatMap(({ line }) => line?.calls ?? []);
  return calls.length === 0 ? null : calls.filter(({ cached }) => cached).length / calls.length;
}

/**
 * Whether settings, prompts, users' files, MCP tools, descriptions, epochs, option orders and, in an attribution, the
 * evidence with its gold are equal; null if one of the two is a response file.
 */
export function sameSettings({ header: a }: Results, { header: b }: Results): boolean | null {
  if (a === null || b === null) return null;
  const fingerprint = (of: typeof a) =>
    JSON.stringify([
      of.settings_hash,
      Object.entries(of.prompts).sort(([x], [y]) => (x < y ? -1 : 1)),
      of.descriptions,
      of.epochs,
      of.option_orders ?? 1,
      (of.modules ?? []).map(({ sha256 }) => sha256).sort(),
      of.mcp ?? [],
      isOverEvidence(of.gold)
        ? [of.gold?.over, of.gold?.oracle, of.gold?.stages, of.gold?.gold_hash]
        : null,
    ]);
  return fingerprint(a) === fingerprint(b);
}
