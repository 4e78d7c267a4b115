import { z } from "zod";
import type { RunSample } from "../../src/core/run-results.ts";
import { RunLine, readAs } from "./run-line.ts";

/** The members of a result that a resumed run needs. */
const LineSummary = RunLine.pick({
  attempt: true,
  usage: true,
  error: true,
  status: true,
  limits_met: true,
}).extend({
  scores: z.record(z.string(), z.object({ value: z.number().nullable() })),
});
export type LineSummary = z.infer<typeof LineSummary>;
/** Names of these members, which are the first of a line. */
export const SUMMARY_MEMBERS: readonly string[] = Object.keys(LineSummary.shape);

/** Like `readLine`, for resuming a run. The usual line is recognised without zod, in a tenth of the time. */
export function readLineSummary(line: unknown, path: string): LineSummary {
  return isUsualLine(line) ? line : readAs(LineSummary, line, path);
}

/** A result as far as a resumed run needs it, with the value of one score. */
export type StoredLine = Pick<RunLine, "sample" | "epoch"> & LineSummary;

/** Reads a line for resuming a run. A long run has many: only what is needed of them stays in memory. Throws as `readLine`. */
export function storedLine(
  line: RunSample,
  { extractor, path }: { extractor: string; path: string },
): StoredLine {
  const { attempt, usage, error, status, limits_met, scores } = readLineSummary(line, path);
  const value = scores[extractor]?.value;
  return {
    ...{ sample: line.sample, epoch: line.epoch, attempt, usage, status, limits_met },
    scores: value === undefined ? {} : { [extractor]: { value } },
    ...(error === undefined ? {} : { error }),
  };
}

const COUNTS = ["calls", "frames", "input", "output"] as const;
const OPTIONAL_COUNTS = ["estimated", "reasoning", "cached_input"] as const;
const DOLLARS = ["cost", "paid"] as const;

/** Whether zod would accept a line that has no error; false if only zod can say. */
function isUsualLine(line: unknown): line is LineSummary {
  if (!isObject(line) || line.error !== undefined) return false;
  const { attempt, usage, status, limits_met: limits, scores } = line;
  return (
    Number.isSafeInteger(attempt) &&
    (attempt as number) >= 0 &&
    typeof status === "string" &&
    Array.isArray(limits) &&
    limits.length === 0 &&
    isObject(usage) &&
    COUNTS.every((name) => Number.isSafeInteger(usage[name])) &&
    DOLLARS.every((name) => usage[name] === null || Number.isFinite(usage[name])) &&
    OPTIONAL_COUNTS.every(
      (name) => usage[name] === undefined || Number.isSafeInteger(usage[name]),
    ) &&
    isObject(scores) &&
    Object.values(scores).every(
      (score) => isObject(score) && (score.value === null || Number.isFinite(score.value)),
    )
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
