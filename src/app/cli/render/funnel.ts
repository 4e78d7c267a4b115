import type { FunnelMeans, RetrievalFunnel } from "../../../../evals/score/retrieval-funnel.ts";
import { countOf } from "../../../core/count-of.ts";
import { percent } from "../../../core/percent.ts";
import { table } from "../output.ts";

/** Share of the known evidence that is left after each stage, compared with as many evenly spaced frames. */
export function renderFunnel({ samples, stages }: RetrievalFunnel): string {
  const cells = ({ recall, precision, iou }: FunnelMeans) =>
    [recall, precision, iou].map((mean) => percent(mean?.mean ?? null));
  return table([
    [
      `retrieval funnel of ${countOf(samples, "sample")}`,
      "samples",
      "items",
      ...["recall", "precision", "IoU"],
      ...["even recall", "even precision", "even IoU"],
    ],
    ...stages.map((of) => [
      of.stage,
      String(of.samples),
      of.items.toFixed(1),
      ...cells(of),
      ...cells(of.even),
    ]),
  ]);
}
