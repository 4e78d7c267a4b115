import { judges } from "../../judges/define-judge.ts";
import type { Judged } from "../../judges/judged-replies.ts";
import type { ReportRun } from "../../report/run.ts";
import type { Mean } from "../../statistics/statistics.ts";
import { NOT_MEASURED, plainShareCell, shareCell } from "./columns.ts";
import type { Cell, PresetColumn } from "./preset.ts";

/* Columns from the judgements of replies. A run that was judged several times shows the last judging. */

/** The summary of the last judging of a kind; undefined if there is none. `S`: the summary of that kind. */
function summaryOf<S extends Judged>(kind: string, run: ReportRun): S | undefined {
  const { results, score } = run;
  const judging = results.judgings
    ?.filter(({ header }) => header.kind === kind)
    .sort((a, b) => a.header.created_at.localeCompare(b.header.created_at))
    .at(-1);
  return judging === undefined
    ? undefined
    : judges.get(kind).summarise(results, judging, { extractor: score.extractor });
}

/** The score of the chains of thought, from 0 to 10: the mean over questions and judge runs. */
export function stepScore(head: string, published: string, arm?: string): PresetColumn {
  return {
    head,
    arm,
    value(run) {
      const mean = summaryOf<Judged & { sound: Mean | null }>("steps", run)?.sound;
      if (mean == null) return NOT_MEASURED;
      const { low, high } = mean;
      const interval =
        low === null || high === null ? "" : ` [${low.toFixed(2)}, ${high.toFixed(2)}]`;
      return { text: `${mean.mean.toFixed(2)}${interval}`, value: mean.mean };
    },
    published: ({ scores }) => scores[published],
  };
}

interface Errors extends Judged {
  types: { type: string; of_judged: number | null }[];
}

/** The share of the judged replies with an error type. */
export function errorShare(head: string, type: string): PresetColumn {
  return {
    head,
    value: (run) =>
      plainShareCell(
        summaryOf<Errors>("errors", run)?.types.find((one) => one.type === type)?.of_judged,
      ),
  };
}

/** The number of judged replies. */
export function judgedReplies(kind: string): PresetColumn {
  return {
    head: "Judged",
    value(run): Cell {
      const judged = summaryOf(kind, run)?.judged;
      return judged === undefined ? NOT_MEASURED : { text: String(judged), value: judged };
    },
  };
}

interface Cot extends Judged {
  positions: { piece: number; shares: Record<string, Mean | null> }[];
}

/** The share of the chains of thought whose piece (from 1) does what the label of the row says. */
export function cotShare(piece: number, labels: readonly string[]): PresetColumn {
  return {
    head: `${piece}0 %`,
    value: (run, row) =>
      shareCell(
        summaryOf<Cot>("cot", run)?.positions.find((one) => one.piece === piece)?.shares[
          labels[row] ?? ""
        ],
      ),
  };
}
