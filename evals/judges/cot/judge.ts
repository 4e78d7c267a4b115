import { percent as shareText } from "../../../src/core/percent.ts";
import type { Plot, ReportTable } from "../../../src/pages/report-data.ts";
import { withInterval } from "../../report/figures.ts";
import { defineJudge, type OfRun } from "../define-judge.ts";
import { COT_LABELS, type CotLabel, cotJudge } from "./cot.ts";
import { type CotSummary, summariseCot } from "./summary.ts";

/** What each tenth of a chain of thought does. */
export const cot = defineJudge<CotSummary>({
  name: "cot",
  summary: "MMR-V: what each tenth of a chain of thought does",
  judges: [cotJudge],
  summarise: summariseCot,
  rows,
  report: (summaries) => ({ tables: summaries.map(cotTable), plots: summaries.map(cotPlot) }),
});

const LABELS = Object.keys(COT_LABELS) as CotLabel[];

function rows({ positions }: CotSummary): string[][] {
  return [
    ["piece", ...LABELS.map((label) => COT_LABELS[label]), "judged", "not judged"],
    ...positions.map(({ piece, shares, judged, not_judged }) => [
      String(piece),
      ...LABELS.map((label) => shareText(shares[label]?.mean ?? null)),
      String(judged),
      String(not_judged),
    ]),
  ];
}

function cotTable({ run, judge, positions }: OfRun<CotSummary>): ReportTable {
  return {
    title: `What the chains of thought of ${run} do, by ${judge}`,
    about:
      "Percent of the pieces judged at each tenth of the text; a piece may do several things. Brackets hold 95 % intervals clustered by video.",
    head: ["Piece", ...LABELS.map((label) => capital(COT_LABELS[label])), "Judged", "Not judged"],
    words: 1,
    rows: positions.map(({ piece, shares, judged, not_judged }) => [
      String(piece),
      ...LABELS.map((label) => withInterval(shares[label])),
      String(judged),
      String(not_judged),
    ]),
  };
}

function cotPlot({ run, judge, positions }: OfRun<CotSummary>): Plot {
  return {
    title: `What the chains of thought of ${run} do as they go on, by ${judge}`,
    kind: "line",
    x: "piece of the text, of ten",
    y: "share of the texts",
    chance: null,
    series: LABELS.map((label) => ({
      name: COT_LABELS[label],
      points: positions.flatMap(({ piece, shares }) => {
        const share = shares[label];
        if (share === null) return [];
        const { mean, low, high } = share;
        const words = `${COT_LABELS[label]}, piece ${piece}: ${withInterval(share)} %`;
        return [{ x: piece, y: mean, low, high, label: words }];
      }),
    })),
  };
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
