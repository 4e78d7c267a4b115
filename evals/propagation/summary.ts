import { basename } from "node:path";
import type { Benchmark } from "../benchmarks/define-benchmark.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { scoreReply } from "../benchmarks/score-reply.ts";
import { unscored } from "../benchmarks/scored-reply.ts";
import type { Perturbed } from "../perturbation/perturb.ts";
import type { OpenedRun } from "../run/prepare-run.ts";
import { unitOf } from "../run/selection.ts";
import { shortenedQuestions } from "../score/shortened-questions.ts";
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
  /** Samples with at least one damaged unit, of all samples of the curve. */
  samples_damaged: number;
  /** Questions with at least one damaged unit. */
  questions_damaged: number;
  /** The measured error against gold, by stage with gold: the recogniser's own errors and the injected ones. */
  gold_error: GoldError[];
  /** Clustered by video; null if no question has a score. */
  accuracy: Mean | null;
  /** Difference to the accuracy at rate 0 on the same questions; null at rate 0. */
  difference: Difference | null;
  /** Questions without a result for each of their samples, which are left out; the same study asks them again. */
  failed: number;
  /** Questions with a reply but without a score, which are left out: nothing scores the answers to them. */
  unscored: number;
}

/** Accuracy against the rate of one kind of error. */
export interface PropagationCurve {
  error: string;
  summary: string;
  unit: string;
  /** Questions whose evidence has units: of a question in pairs, that of every pair. */
  questions: number;
  /** Questions in pairs of which some pair has no such evidence, or was not asked; they are left out. */
  incomplete: number;
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
  /** Tags of the extractor as the run names them; null or missing: its default. */
  reasoning_tags?: readonly string[] | null;
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

function summariseCurve(
  run: OpenedRun,
  { perturbation, sources, points }: PlannedCurve,
  stored: ReadonlyMap<string, PropagationLine>,
  reading: Reading,
): PropagationCurve {
  const { seed, gold } = reading;
  const incomplete = incompleteQuestions(run, sources);
  const scoresAt = points.map(({ samples }) =>
    questionScores(run.benchmark, samples, stored, reading).filter(({ id }) => !incomplete.has(id)),
  );
  const clean = new Map((scoresAt[0] ?? []).map(({ id, value }) => [id, value]));
  return {
    error: perturbation.name,
    summary: perturbation.summary,
    unit: perturbation.unit,
    questions: scoresAt[0]?.length ?? 0,
    incomplete: incomplete.size,
    points: points.map(({ rate, samples }, place): PropagationPoint => {
      const scores = scoresAt[place] ?? [];
      const items = scores.flatMap(({ value, cluster }) =>
        value === null ? [] : [{ value, cluster }],
      );
      const pairs = scores.flatMap(({ id, value: b, cluster }): Pair[] => {
        const a = clean.get(id) ?? null;
        return a === null || b === null ? [] : [{ a, b, cluster }];
      });
      const units = samples.reduce((sum, one) => sum + one.units, 0);
      const damaged = samples.reduce((sum, one) => sum + one.damaged, 0);
      return {
        rate,
        realised: units === 0 ? 0 : damaged / units,
        damaged,
        units,
        samples_damaged: samples.filter((one) => one.damaged > 0).length,
        questions_damaged: scores.filter(({ isDamaged }) => isDamaged).length,
        gold_error: goldErrors(samples, gold),
        accuracy: items.length === 0 ? null : meanShare(items),
        difference: place === 0 || pairs.length === 0 ? null : compareRuns(pairs, { seed }),
        failed: scores.filter(({ failed }) => failed).length,
        unscored: scores.filter(({ value, failed }) => value === null && !failed).length,
      };
    }),
  };
}

/** Ids of the questions in pairs that are not counted, because they lack pairs or the evidence of some. */
function incompleteQuestions(
  { samples }: OpenedRun,
  sources: readonly { sample: Sample }[],
): Set<string> {
  const asked = Map.groupBy(samples, unitOf);
  const shortened = new Set(shortenedQuestions(samples).map(({ id }) => id));
  const found = Map.groupBy(sources, ({ sample }) => unitOf(sample));
  return new Set(
    [...found].flatMap(([id, of]) =>
      shortened.has(id) || of.length < (asked.get(id)?.length ?? 0) ? [id] : [],
    ),
  );
}

interface QuestionScore {
  id: string;
  cluster: string;
  /** Null without a result or a score. */
  value: number | null;
  /** Whether a sample of the question has no result. */
  failed: boolean;
  /** Whether the evidence of a sample of the question is damaged. */
  isDamaged: boolean;
}

/** The scores at one rate, as the benchmark counts questions. */
function questionScores(
  benchmark: Benchmark,
  samples: readonly Perturbed[],
  stored: ReadonlyMap<string, PropagationLine>,
  { extractor, reasoning_tags: tags = null }: Pick<Reading, "extractor" | "reasoning_tags">,
): QuestionScore[] {
  const options = tags === null ? {} : { reasoning_tags: tags };
  const idsOf = (of: readonly Perturbed[]) =>
    new Set(of.flatMap(({ sample }) => [sample.id, unitOf(sample)]));
  const replyOf = ({ sample, set }: Perturbed) => {
    const line = stored.get(lineKey(sample.id, set.id));
    return line === undefined || line.error !== undefined ? null : line.reply;
  };
  const failed = idsOf(samples.filter((one) => replyOf(one) === null));
  const damaged = idsOf(samples.filter((one) => one.damaged > 0));
  const scored = samples.map((one) => {
    const reply = replyOf(one);
    return reply === null
      ? unscored(one.sample, "no result", extractor)
      : scoreReply(benchmark, one.sample, reply, extractor, options);
  });
  return benchmark.questions(scored).map(({ id, cluster, value }) => ({
    ...{ id, cluster, failed: failed.has(id), isDamaged: damaged.has(id) },
    value: failed.has(id) ? null : value,
  }));
}
