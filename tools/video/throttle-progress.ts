import type { JobContext } from "../../src/core/job-context.ts";

const INTERVAL_MS = 250;

/** Passes progress on at most four times a second. The last report is always passed on. */
export function throttleProgress(
  progress: JobContext["progress"],
  unit: string,
): (done: number, total: number | null) => void {
  let next = 0;
  return (done, total) => {
    if (progress === undefined) return;
    const now = performance.now();
    if (now < next && done !== total) return;
    next = now + INTERVAL_MS;
    progress(done, total, unit);
  };
}
