import { needsModel } from "../../graphs/define-strategy.ts";
import { type MetricName, scoredQuestions } from "../score/metrics.ts";
import type { Results } from "../score/read-results.ts";
import type { scoreReplies } from "../score/score-replies.ts";
import type { RunScore } from "../score/score-run.ts";

/** A run with everything that a report shows of it. */
export interface ReportRun {
  /** Name of its folder or file, with a number if the name is not unique. */
  name: string;
  results: Results;
  said: ReturnType<typeof scoreReplies>;
  score: RunScore;
  /** Strategy and the settings that differ from the other runs: `rrd, recognition.mode sequential`. */
  arm: string;
  /** Models called; may be empty. */
  models: string[];
  spent: Spent;
}

/** Over all results of a run; `cost` in dollars, computed as if nothing had been cached; null if a price is not known. */
export interface Spent {
  results: number;
  calls: number;
  frames: number;
  input: number;
  output: number;
  cost: number | null;
  seconds: number;
}

/** How a report reads and compares its runs. */
export interface ReportOptions {
  /** Default: the extractor of each run. */
  extractor?: string;
  /** Metric whose differences are shown. Default `accuracy`. */
  metric?: MetricName;
  /** Seed of the resampling. Default 0. */
  seed?: number;
  /** The run that each run is compared with. Default: the first. */
  against?: "first" | "previous";
  /** Remarks about the runs, such as arms that a sweep left out. */
  remarks?: readonly string[];
}

/** Whether the strategy is a baseline that calls no model. */
export function isBaseline(strategy: string): boolean {
  return !needsModel(strategy);
}

export function spentBy(said: Results["said"]): Spent {
  return said
    .flatMap(({ line }) => line ?? [])
    .reduce<Spent>(
      (sum, { usage, seconds }) => ({
        results: sum.results + 1,
        calls: sum.calls + usage.calls,
        frames: sum.frames + usage.frames,
        input: sum.input + usage.input,
        output: sum.output + usage.output,
        cost: sum.cost === null || usage.cost === null ? null : sum.cost + usage.cost,
        seconds: sum.seconds + seconds,
      }),
      { results: 0, calls: 0, frames: 0, input: 0, output: 0, cost: 0, seconds: 0 },
    );
}

/** Ids of the questions with a result in any epoch. */
export function questionIds({ results, said }: Pick<ReportRun, "results" | "said">): Set<string> {
  return new Set(scoredQuestions(results, said).map(({ id }) => id));
}
