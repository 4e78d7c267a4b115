import { basename } from "node:path";
import { scoreReply } from "../benchmarks/score-reply.ts";
import type { OpenedRun } from "../run/prepare-run.ts";
import { compareRuns, type Difference, type Pair } from "../statistics/paired-statistics.ts";
import { type Mean, meanShare } from "../statistics/statistics.ts";
import { type GoldError, type GoldTexts, goldErrors } from "./gold-error.ts";
import type { PlannedCurve, PropagationPlan } from "./plan-propagation.ts";
import { lineKey, type PropagationLine } from "./propagation-log.ts";

/** Accuracy at one rate of injected errors. */
export interface PropagationPoint {
  /** The requested rate, 0 to 1. */
  rate: number;
  /** Damaged units divided by all units. */
  realised: number;
  damaged: number;
  units: number;
  /** Samples with at least one damaged unit. */
  samples_damaged: number;
  /** The measured error against gold, by stage with gold: the recogniser's own errors and the injected ones. */
  gold_error: GoldError[];
  /** Clustered by video; null if no question has a score. */
  accuracy: Mean | null;
  /** Difference to the accuracy at rate 0 on the same questions; null at rate 0. */
  difference: Difference | null;
  /** Questions without a result, which are left out; the same study asks them again. */
  failed: number;
  /** Questions with a reply but without a score, which are left out: nothing scores the answers to them. */
  unscored: number;
}

/** Accuracy against the rate of one kind of error. */
export interface PropagationCurve {
  error: string;
  summary: string;
  unit: string;
  /** Questions whose evidence has units. */
  questions: number;
  points: PropagationPoint[];
}

/** How errors of recognition affect the answers of a run. */
export interface PropagationStudy {
  run: string;
  strategy: string;
  benchmark: string;
  extractor: string;
  seed: number;
  /** Samples of the run without recognised evidence. */
  left_out: number;
  curves: PropagationCurve[];
}

/** How answers are scored, and what evidence is compared with. */
export interface Reading {
  extractor: string;
  seed: number;
  /** By id of the sample. */
  gold: ReadonlyMap<string, GoldTexts>;
}

/** Scores the stored answers. Pure. */
export function summarise(
  run: OpenedRun,
  { curves, left_out }: PropagationPlan,
  stored: ReadonlyMap<string, PropagationLine>,
  reading: Reading,
): PropagationStudy {
  const { extractor, seed } = reading;
  return {
    run: basename(run.log.folder),
    strategy: run.settings.strategy,
    benchmark: run.benchmark.name,
    extractor,
    seed,
    left_out,
    curves: curves.map((curve) => summariseCurve(run, curve, stored, reading)),
  };
}

const FAILED = { value: null, failed: true };

function summariseCurve(
  { benchmark }: OpenedRun,
  { perturbation, sources, points }: PlannedCurve,
  stored: ReadonlyMap<string, PropagationLine>,
  { extractor, seed, gold }: Reading,
): PropagationCurve {
  const scoresAt = points.map(({ samples }) =>
    samples.map(({ sample, set }) => {
      const line = stored.get(lineKey(sample.id, set.id));
      if (line === undefined || line.error !== undefined || line.reply === null) return FAILED;
      const { value } = scoreReply(benchmark, sample, line.reply, extractor).score;
      return { value, failed: false };
    }),
  );
  const clusters = sources.map(({ sample }) => benchmark.cluster(sample));
  const clean = scoresAt[0] ?? [];
  return {
    error: perturbation.name,
    summary: perturbation.summary,
    unit: perturbation.unit,
    questions: sources.length,
    points: points.map(({ rate, samples }, place): PropagationPoint => {
      const scores = scoresAt[place] ?? [];
      const items = scores.flatMap(({ value }, at) =>
        value === null ? [] : [{ value, cluster: clusters[at] ?? "" }],
      );
      const pairs = scores.flatMap(({ value: b }, at): Pair[] => {
        const a = clean[at]?.value ?? null;
        return a === null || b === null ? [] : [{ a, b, cluster: clusters[at] ?? "" }];
      });
      const units = samples.reduce((sum, one) => sum + one.units, 0);
      const damaged = samples.reduce((sum, one) => sum + one.damaged, 0);
      return {
        rate,
        realised: units === 0 ? 0 : damaged / units,
        damaged,
        units,
        samples_damaged: samples.filter((one) => one.damaged > 0).length,
        gold_error: goldErrors(samples, gold),
        accuracy: items.length === 0 ? null : meanShare(items),
        difference: place === 0 || pairs.length === 0 ? null : compareRuns(pairs, { seed }),
        failed: scores.filter(({ failed }) => failed).length,
        unscored: scores.filter(({ value, failed }) => value === null && !failed).length,
      };
    }),
  };
}
