import { errorShare, judgedReplies } from "./judged-columns.ts";
import { SOLUTION_STEPS } from "./needs.ts";
import type { Preset } from "./preset.ts";
import { MCQ, SILENT, VIDEOMATHQA_BASE } from "./videomathqa-columns.ts";

/** Headings of the error types, which are in appendix C of the paper. */
const TYPES: readonly [head: string, type: string][] = [
  ["Misunderstood", "TYPE1"],
  ["Not found", "TYPE2"],
  ["Visual", "TYPE3"],
  ["Concept", "TYPE4"],
  ["Strategy", "TYPE5"],
  ["Memory", "TYPE6"],
  ["Computation", "TYPE7"],
  ["None", "none"],
  ["Uncategorized", "uncategorized"],
];

/** Error types of chains of thought (arXiv 2506.05349, figure 5c). */
export const videoMathQaFigure5c: Preset = {
  name: "videomathqa-figure-5c",
  summary: "VideoMathQA, figure 5c: error types of chains of thought, by a judge",
  needs: [SOLUTION_STEPS],
  judges: [{ kind: "errors", arms: ["cot"] }],
  sweep: {
    name: "videomathqa-figure-5c",
    base: { ...VIDEOMATHQA_BASE, ...MCQ },
    arms: [{ name: "cot", settings: { ...SILENT, reasoning: { cot: true } } }],
  },
  tables: [
    {
      title: "VideoMathQA, figure 5c",
      about:
        "Percent of the judged chains of thought with each error type; one may have several. The judge gets the critique of the step judge, which is asked first. The text of the paper has 12 (concept) and 6 (strategy) for GPT-o4-mini and Gemini-2.0-Flash, of all errors.",
      rows: [{ arm: "cot" }],
      columns: [judgedReplies("errors"), ...TYPES.map(([head, type]) => errorShare(head, type))],
    },
  ],
};
