import type { MetricItem } from "../score/metrics.ts";
import type { Results, SampleReply } from "../score/read-results.ts";
import { FEWEST_CLUSTERS, type Mean, meanShare, tQuantile } from "../statistics/statistics.ts";
import { pairItems } from "./contrasts.ts";

/* How much two runs with equal settings differ, because of sampling, batching and changes of the server. */

/** Why there is no floor. `no-change`: the metric changed on no video, and a sample without changes has no spread to measure. */
export type NoFloor = RunCopy | "few-videos" | "no-change";

/** Why a run with equal settings is not a rerun: it is the run itself, or all its replies were stored before it started. */
export type RunCopy = "same-run" | "stored-replies";

/** How much two runs with the same settings differ. */
export interface NoiseFloor {
  run: string;
  rerun: string;
  /** Number of questions that both runs have. */
  questions: number;
  /** Share of the samples whose answer changed, epoch by epoch, with its interval; null without answers. */
  answers_changed: Mean | null;
  /** Share of the questions that are right in exactly one of the runs. */
  flipped: Mean;
  /** Rerun minus run, as a share. */
  difference: number;
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
}

/** A difference between two other runs, compared with the noise floor. */
export interface NoiseComparison {
  floor: number;
  exceeds: boolean;
}

/** A run scored by one metric, with its answers. */
export interface MeasuredRun {
  run: Results;
  items: readonly MetricItem[];
  /** Question id -> score, 0 to 1. */
  scores: ReadonlyMap<string, { value: number; cluster: string }>;
  answers: readonly SampleAnswer[];
}

export interface SampleAnswer {
  sample: string;
  epoch: number;
  cluster: string;
  /** The answer as text; equal answers have equal texts. */
  answer: string;
}

/** Sums of shares that are 0 may differ from 0 by their last bits. */
const ROUNDING = 1e-12;

/** How often answers change between two runs with equal settings, and how much the metric changes. Null without common questions. */
export function noiseFloor(a: MeasuredRun, b: MeasuredRun): NoiseFloor | null {
  const pairs = pairItems(a.items, b.items);
  const both = [...a.scores].flatMap(([id, { value, cluster }]) => {
    const other = b.scores.get(id);
    return other === undefined
      ? []
      : [{ value: Number(value > 0.5 !== other.value > 0.5), cluster }];
  });
  if (pairs.length === 0 || both.length === 0) return null;
  const placeOf = ({ sample, epoch }: SampleAnswer) => JSON.stringify([sample, epoch]);
  const repeated = new Map(b.answers.map((one) => [placeOf(one), one.answer]));
  const answers = a.answers.flatMap((one) => {
    const other = repeated.get(placeOf(one));
    return other === undefined
      ? []
      : [{ value: Number(other !== one.answer), cluster: one.cluster }];
  });
  const byCluster = [...Map.groupBy(pairs, ({ cluster }) => cluster).values()].map((of) =>
    of.reduce((sum, pair) => sum + pair.b - pair.a, 0),
  );
  const spread = Math.sqrt(byCluster.reduce((sum, total) => sum + total ** 2, 0)) / pairs.length;
  const clusters = byCluster.length;
  const no_floor =
    copyOf(a.run, b.run) ??
    (spread < ROUNDING ? "no-change" : clusters < FEWEST_CLUSTERS ? "few-videos" : null);
  return {
    run: a.run.name,
    rerun: b.run.name,
    questions: both.length,
    answers_changed: answers.length === 0 ? null : meanShare(answers),
    flipped: meanShare(both),
    difference: byCluster.reduce((sum, total) => sum + total, 0) / pairs.length,
    floor: no_floor === null ? tQuantile(0.975, clusters - 1) * spread : null,
    no_floor,
    from_memory: memoryShare(b.run),
    same_settings: sameSettings(a.run, b.run),
  };
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

/** Whether settings, prompts, users' files, MCP tools, descriptions, epochs and option orders are equal; null if one of the two is a response file. */
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
    ]);
  return fingerprint(a) === fingerprint(b);
}
