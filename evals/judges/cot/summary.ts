import type { Results } from "../../score/read-results.ts";
import { type Mean, meanShare } from "../../statistics/statistics.ts";
import type { SummaryOptions } from "../judge.ts";
import { type Judged, judgedReplies } from "../judged-replies.ts";
import type { Judging } from "../judging.ts";
import { COT_LABELS, type CotLabel, cotJudge, PIECES } from "./cot.ts";

export interface CotSummary extends Judged {
  kind: "cot";
  /** Figure 6 of MMR-V: for each tenth of the texts, from the first, the share that does each of four things. */
  positions: CotPosition[];
}

export interface CotPosition {
  /** From 1. */
  piece: number;
  /** Pieces at this place that were judged, and that were not. */
  judged: number;
  not_judged: number;
  /** Of those judged; null where none was. */
  shares: Record<CotLabel, Mean | null>;
}

/** What chains of thought do as they go on. */
export function summariseCot(
  results: Results,
  judging: Judging,
  options: SummaryOptions,
): CotSummary {
  const { told, replies } = judgedReplies(results, judging, cotJudge, options);
  const labels = Object.keys(COT_LABELS) as CotLabel[];
  const positions = Array.from({ length: PIECES }, (_, index): CotPosition => {
    const there = replies.filter(({ parts }) => parts.length > index);
    const judged = there.flatMap(({ subject, parts }) => {
      const value = parts[index]?.value;
      return value == null ? [] : [{ value, cluster: results.benchmark.cluster(subject.sample) }];
    });
    const share = (label: CotLabel): Mean | null =>
      judged.length === 0
        ? null
        : meanShare(judged.map(({ value, cluster }) => ({ value: Number(value[label]), cluster })));
    return {
      piece: index + 1,
      judged: judged.length,
      not_judged: there.length - judged.length,
      shares: Object.fromEntries(labels.map((label) => [label, share(label)])) as Record<
        CotLabel,
        Mean | null
      >,
    };
  });
  return { ...told, kind: "cot", positions };
}
