import type { ReportTable } from "../../src/pages/report-data.ts";
import type { FunnelMeans } from "../score/retrieval-funnel.ts";
import { withInterval } from "./figures.ts";
import type { ReportRun } from "./run.ts";

/** How much of the known evidence is left at each stage, compared with evenly spaced frames; no table without known spans. */
export function funnelTables(runs: readonly ReportRun[]): ReportTable[] {
  const tracked = runs.flatMap(({ name, score }) =>
    score.retrieval_funnel === null ? [] : [{ name, funnel: score.retrieval_funnel }],
  );
  if (tracked.length === 0) return [];
  const cells = ({ recall, precision, iou }: FunnelMeans) =>
    [recall, precision, iou].map(withInterval);
  return [
    {
      title: "Retrieval funnel",
      about:
        "Known evidence that is left at each stage, in percent. Indexed: all recognised items that have text. Retrieved: search results. Shown: the text and frames in the calls of a reasoning model. Cited: the evidence that the answer cites. Recall: right spans that overlap an item. Precision: items that overlap a right span. IoU: seconds in both unions divided by seconds in either. A frame at t covers t - 1 to t + 1 s. Even: the same number of frames, at the middles of equal intervals of the video.",
      head: [
        ...["Run", "Stage", "Samples", "Items"],
        ...["Recall", "Precision", "IoU"],
        ...["Even recall", "Even precision", "Even IoU"],
      ],
      words: 2,
      rows: tracked.flatMap(({ name, funnel }) =>
        funnel.stages.map((of) => [
          name,
          of.stage,
          String(of.samples),
          of.items.toFixed(1),
          ...cells(of),
          ...cells(of.even),
        ]),
      ),
    },
  ];
}
