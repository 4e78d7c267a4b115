import type { PublishedRow } from "../../benchmarks/published.ts";
import { accuracy } from "./columns.ts";
import { SUBTITLES } from "./needs.ts";
import type { Preset } from "./preset.ts";
import {
  durationColumns,
  PAIRS,
  SILENT,
  subtitled,
  VIDEOMATHQA_BASE,
} from "./videomathqa-columns.ts";

const COT = { reasoning: { cot: true } };
const METRIC = "MBin+subtitles";

/** Duration, and the effect of subtitles (arXiv 2506.05349, figures 4a and 4b). */
export const videoMathQaFigure4: Preset = {
  name: "videomathqa-figure-4",
  summary: "VideoMathQA, figure 4a and b: subtitles, by duration of the video",
  needs: [SUBTITLES],
  sweep: (model) => ({
    name: "videomathqa-figure-4",
    base: { ...VIDEOMATHQA_BASE, ...PAIRS },
    arms: [
      { name: "mbin", settings: { ...SILENT, ...COT } },
      { name: "mbin-subtitles", settings: { ...subtitled(model), ...COT } },
    ],
  }),
  tables: [
    {
      title: "VideoMathQA, figure 4a and b",
      about:
        "MBin with chain of thought. Published: table 2, which breaks down by duration with subtitles.",
      labels: ["Input"],
      rows: [
        { labels: ["video"], arm: "mbin" },
        { labels: ["+ subtitles"], arm: "mbin-subtitles", against: "mbin" },
      ],
      columns: [
        {
          ...accuracy("Overall", METRIC),
          published: ({ scores }, row) => scores[row === 0 ? "MBin" : METRIC],
        },
        ...durationColumns(METRIC).map((column) => ({
          ...column,
          published: (found: PublishedRow, row: number) =>
            row === 0 ? undefined : column.published?.(found, row),
        })),
      ],
      published: {
        table: "table 2",
        arms: { mbin: { arm: "direct, cot" }, "mbin-subtitles": { arm: "direct, cot" } },
      },
    },
  ],
};
