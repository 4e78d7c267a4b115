import type { JobContext } from "../../core/job-context.ts";
import { liveLines } from "./live-lines.ts";

/**
 * Prints the progress of a task to standard error: a live line on a terminal, otherwise a plain line every few seconds.
 * Tasks shorter than two seconds print nothing.
 */
export function progressLine(label: string): {
  update: NonNullable<JobContext["progress"]>;
  /** What follows the progress; null: nothing. */
  note(text: string | null): void;
  done(): void;
} {
  const began = performance.now();
  const live = liveLines();
  let printedAt = Number.NEGATIVE_INFINITY;
  let last: string | null = null;
  let noted: string | null = null;
  const show = () => {
    const now = performance.now();
    if (last === null || now - began < 2000) return;
    if (now - printedAt < (live === undefined ? 5000 : 100)) return;
    printedAt = now;
    const text = noted === null ? last : `${last} · ${noted}`;
    if (live === undefined) process.stderr.write(`${text}\n`);
    else live(text);
  };
  return {
    update(done, total, unit) {
      const share = total === null || total === 0 ? "" : ` (${Math.round((100 * done) / total)} %)`;
      last = `${label}: ${Math.round(done)}${total === null ? "" : ` of ${Math.round(total)}`} ${unit}${share}`;
      show();
    },
    note(text) {
      noted = text;
      show();
    },
    done() {
      live?.clear();
    },
  };
}
