import { accountOf, stoppedBy, stoppedText } from "../run/run-account.ts";
import { extractorOf } from "../score/extractor-choice.ts";
import type { MatchReport } from "../score/match-report.ts";
import { hasScorer } from "../score/metrics.ts";
import type { Results } from "../score/read-results.ts";

/* What a reader must know of a run before believing its numbers. */

/** What limits the numbers of a run. */
export interface Caveats {
  /** How the records of a response file were matched with the questions; null for a run. */
  match: MatchReport | null;
  /** Results without a reply because of an error, which count as wrong; `by` kind of error, `of` all results with a scorer. */
  failed: { count: number; of: number; by: Record<string, number> };
  /** Number of samples and epochs without a result, which are not counted. */
  missing: number;
  /** Samples with a scorer that a budget stopped, such as `16 of 16 (cost)`; null if none. They count as wrong. */
  stopped: string | null;
  /** Why a run is not finished; null if it is, and for a response file. */
  ended_by: string | null;
  /** Why the extractor may not fit the replies; null if it does. */
  extractor_warning: string | null;
}

export function caveatsOf(run: Results): Caveats {
  const { header } = run;
  const said = run.said.filter(({ sample }) => hasScorer(run.benchmark, sample));
  const by: Record<string, number> = {};
  for (const { line, reply } of said) {
    if (line === null || reply !== null || stoppedBy(line) !== null) continue;
    const kind = line.error?.kind ?? "no reply";
    by[kind] = (by[kind] ?? 0) + 1;
  }
  return {
    match: run.match ?? null,
    failed: {
      count: Object.values(by).reduce((sum, count) => sum + count, 0),
      of: said.length,
      by,
    },
    missing: run.missing,
    stopped: stoppedText(accountOf({ said })),
    ended_by: header === null || header.status === "finished" ? null : header.ended_by,
    extractor_warning: extractorOf(run).warning,
  };
}

/**
 * The caveats in one line without a full stop at its end; null if there are none. `withoutReply`: what becomes of replies
 * that failed, and of those that a budget stopped.
 */
export function caveatsText(
  { match, failed, missing, stopped, ended_by, extractor_warning }: Caveats,
  withoutReply = { failed: " and count as wrong", stopped: ", which counts as wrong" },
): string | null {
  const kinds = Object.entries(failed.by).map(([kind, count]) => `${kind} ${count}`);
  const told = [
    ...(match === null ? [] : [match.told]),
    ...(failed.count === 0
      ? []
      : [`${failed.count} of ${failed.of} failed${withoutReply.failed} (${kinds.join(", ")})`]),
    ...(stopped === null ? [] : [`stopped by a budget${withoutReply.stopped}: ${stopped}`]),
    ...(missing === 0 ? [] : [`${missing} without a result, not counted`]),
    ...(ended_by === null ? [] : [`not finished: ${ended_by}`]),
    ...(extractor_warning === null ? [] : [extractor_warning]),
  ].map((one) => one.replace(/\.$/, ""));
  return told.length === 0 ? null : told.join("; ");
}
