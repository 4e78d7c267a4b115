import { needsModel } from "../../graphs/define-strategy.ts";
import type { MetricName } from "../score/metrics.ts";
import type { Results, scoreReplies } from "../score/read-results.ts";
import type { RunScore } from "../score/score-run.ts";

/** A run as a report knows it. */
export interface ReportRun {
  /** Of its folder or file; told apart by a number where two are called the same. */
  name: string;
  results: Results;
  said: ReturnType<typeof scoreReplies>;
  score: RunScore;
  /** Strategy and what tells it from the other runs: `rrd, recognition.mode sequential`. */
  arm: string;
  /** Models asked; empty where none was. */
  models: string[];
  spent: Spent;
}

/** Over all results of a run; `cost` in dollars as if nothing had been cached, null where a price is not known. */
export interface Spent {
  results: number;
  calls: number;
  frames: number;
  input: number;
  output: number;
  cost: number | null;
  seconds: number;
}

export interface ReportOptions {
  /** Default: each run's own. */
  extractor?: string;
  /** What differences are taken of. Default `accuracy`. */
  metric?: MetricName;
  /** Of the resampling. Default 0. */
  seed?: number;
  /** What each run is compared with. Default: the first. */
  against?: "first" | "previous";
  /** Sentences of whoever made the runs, such as arms that a sweep left out. */
  remarks?: readonly string[];
}

/** A baseline that asks no model. */
export function isBaseline(strategy: string): boolean {
  return !needsModel(strategy);
}

export function spentBy({ said }: Results): Spent {
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
