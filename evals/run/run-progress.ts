import { stoppedBy } from "./run-account.ts";
import type { KeptLine } from "./run-folder.ts";

/** How far a run has come; a fold over its lines. */
export interface RunProgress {
  /** Results wanted: samples times epochs. */
  total: number;
  /** Results that stand, those from before included. */
  done: number;
  /** Results made by this process, errors included. */
  fresh: number;
  errors: number;
  /** Results without an answer because a budget was spent. */
  stopped: number;
  /** Right by the run's extractor, of those that have a score. */
  right: number;
  scored: number;
  calls: number;
  /** Dollars as if nothing had been cached, and dollars spent by this process; null where a price is not known. */
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

type CountedLine = Pick<KeptLine, "scores" | "usage" | "error" | "status" | "limits_met">;

/** `fresh`: made by this process; an error of before is left out, for it is tried again. `extractor` reads the replies. */
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
    right: progress.right + (value === 1 ? 1 : 0),
    scored: progress.scored + (value === null ? 0 : 1),
    calls: progress.calls + line.usage.calls,
    cost: sum(progress.cost, line.usage.cost),
    paid: fresh ? sum(progress.paid, line.usage.paid) : progress.paid,
  };
}

/** Results a second of this process, and seconds left at that rate; null before the first. */
export function estimateRate(
  progress: RunProgress,
  seconds: number,
): { rate: number; left_s: number } | null {
  if (progress.fresh === 0 || seconds <= 0) return null;
  const rate = progress.fresh / seconds;
  return { rate, left_s: (progress.total - progress.done - progress.errors) / rate };
}
