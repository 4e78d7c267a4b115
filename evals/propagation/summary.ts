import { basename } from "node:path";
import { scoreReply } from "../benchmarks/score-reply.ts";
import type { OpenedRun } from "../run/prepare-run.ts";
import { compareRuns, type Difference, type Pair } from "../statistics/paired-statistics.ts";
import { type Mean, meanShare } from "../statistics/statistics.ts";
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
  /** Clustered by video; null if no question was answered or failed for another reason than a limit. */
  accuracy: Mean | null;
  /** Difference to the accuracy at rate 0 on the same questions; null at rate 0. */
  difference: Difference | null;
  /** Questions without a result, which are left out. */
  failed: number;
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

/** Scores the stored answers. Pure. */
export function summarise(
  run: OpenedRun,
  { curves, left_out }: PropagationPlan,
  stored: ReadonlyMap<string, PropagationLine>,
  { extractor, seed }: { extractor: string; seed: number },
): PropagationStudy {
  return {
    run: basename(run.log.folder),
    strategy: run.settings.strategy,
    benchmark: run.benchmark.name,
    extractor,
    seed,
    left_out,
    curves: curves.map((curve) => summariseCurve(run, curve, stored, { extractor, seed })),
  };
}

function summariseCurve(
  { benchmark }: OpenedRun,
  { perturbation, sources, points }: PlannedCurve,
  stored: ReadonlyMap<string, PropagationLine>,
  { extractor, seed }: { extractor: string; seed: number },
): PropagationCurve {
  const valuesAt = points.map(({ samples }) =>
    samples.map(({ sample, set }) => {
      const line = stored.get(lineKey(sample.id, set.id));
      if (line === undefined || line.error !== undefined || line.reply === null) return null;
      return scoreReply(benchmark, sample, line.reply, extractor).score.value;
    }),
  );
  const clusters = sources.map(({ sample }) => benchmark.cluster(sample));
  const clean = valuesAt[0] ?? [];
  return {
    error: perturbation.name,
    summary: perturbation.summary,
    unit: perturbation.unit,
    questions: sources.length,
    points: points.map(({ rate, samples }, place): PropagationPoint => {
      const values = valuesAt[place] ?? [];
      const items = values.flatMap((value, at) =>
        value === null ? [] : [{ value, cluster: clusters[at] ?? "" }],
      );
      const pairs = values.flatMap((b, at): Pair[] => {
        const a = clean[at] ?? null;
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
        accuracy: items.length === 0 ? null : meanShare(items),
        difference: place === 0 || pairs.length === 0 ? null : compareRuns(pairs, { seed }),
        failed: values.filter((value) => value === null).length,
      };
    }),
  };
}
