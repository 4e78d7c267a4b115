import type { LineSummary } from "./line-summary.ts";
import { stoppedBy } from "./run-account.ts";

/** Progress of a run, folded from its lines. */
export interface RunProgress {
  /** Results of a complete run: samples times epochs. */
  total: number;
  /** Complete results, including those of earlier processes. */
  done: number;
  /** Results of this process, including errors. */
  fresh: number;
  errors: number;
  /** Results without an answer because a budget was spent. */
  stopped: number;
  /** Sum of the scores by the run's extractor: right results, and parts of the full score. */
  right: number;
  scored: number;
  calls: number;
  /** Dollars as if nothing had been cached, and dollars spent by this process; null if a price is not known. */
  cost: number | null;
  paid: number | null;
}

export function noProgress(total: number): RunProgress {
  return {
    total,
    done: 0,
    fresh: 0,
    errors: 0,
    stopped: 0,
    right: 0,
    scored: 0,
    calls: 0,
    cost: 0,
    paid: 0,
  };
}

type CountedLine = Pick<LineSummary, "scores" | "usage" | "error" | "status" | "limits_met">;

/** Adds a line. `fresh`: made by this process; leave out earlier errors, which are tried again. `extractor` reads the replies. */
export function addLine(
  progress: RunProgress,
  line: CountedLine,
  fresh: boolean,
  extractor: string,
): RunProgress {
  const value = line.scores[extractor]?.value ?? null;
  const failed = line.error !== undefined;
  const sum = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);
  return {
    ...progress,
    done: progress.done + (failed ? 0 : 1),
    fresh: progress.fresh + (fresh ? 1 : 0),
    errors: progress.errors + (failed ? 1 : 0),
    stopped: progress.stopped + (stoppedBy(line) === null ? 0 : 1),
    right: progress.right + (value ?? 0),
    scored: progress.scored + (value === null ? 0 : 1),
    calls: progress.calls + line.usage.calls,
    cost: sum(progress.cost, line.usage.cost),
    paid: fresh ? sum(progress.paid, line.usage.paid) : progress.paid,
  };
}

/** Results per second of this process, and seconds left at that rate; null before the first result. */
export function estimateRate(
  progress: RunProgress,
  seconds: number,
): { rate: number; left_s: number } | null {
  if (progress.fresh === 0 || seconds <= 0) return null;
  const rate = progress.fresh / seconds;
  return { rate, left_s: (progress.total - progress.done - progress.errors) / rate };
}
