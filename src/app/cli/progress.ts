import type { JobContext } from "../../core/job-context.ts";
import { liveLines } from "./live-lines.ts";

/**
 * Prints the progress of a task to standard error: a live line on a terminal, otherwise a plain line every few seconds.
 * Tasks shorter than two seconds print nothing.
 */
export function progressLine(label: string): {
  update: NonNullable<JobContext["progress"]>;
  done(): void;
} {
  const began = performance.now();
  const live = liveLines();
  let printedAt = Number.NEGATIVE_INFINITY;
  return {
    update(done, total, unit) {
      const now = performance.now();
      if (now - began < 2000 || now - printedAt < (live === undefined ? 5000 : 100)) return;
      printedAt = now;
      const share = total === null || total === 0 ? "" : ` (${Math.round((100 * done) / total)} %)`;
      const text = `${label}: ${Math.round(done)}${total === null ? "" : ` of ${Math.round(total)}`} ${unit}${share}`;
      if (live === undefined) process.stderr.write(`${text}\n`);
      else live(text);
    },
    done() {
      live?.clear();
    },
  };
}
