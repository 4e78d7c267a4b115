import { accuracy, groupAccuracy } from "./columns.ts";
import { DIFFICULTY } from "./needs.ts";
import type { Preset } from "./preset.ts";
import { MCQ, SILENT, VIDEOMATHQA_BASE } from "./videomathqa-columns.ts";

const LEVELS = ["Easy", "Medium", "Hard"];

/** Accuracy by difficulty of the question (arXiv 2506.05349, figure 5b). */
export const videoMathQaFigure5b: Preset = {
  name: "videomathqa-figure-5b",
  summary: "VideoMathQA, figure 5b: accuracy by difficulty of the question",
  needs: [DIFFICULTY],
  sweep: {
    name: "videomathqa-figure-5b",
    base: { ...VIDEOMATHQA_BASE, ...MCQ },
    arms: [{ name: "cot", settings: { ...SILENT, reasoning: { cot: true } } }],
  },
  tables: [
    {
      title: "VideoMathQA, figure 5b",
      about:
        "MCQ with chain of thought. The text of the paper has 96 (easy) and 46 (hard) for GPT-4o, 60 and 8 for InternVL-3-78B, and does not state their setting.",
      rows: [{ arm: "cot" }],
      columns: [
        accuracy("Overall", "MCQ"),
        ...LEVELS.map((level) => groupAccuracy(level, { kind: "difficulty", group: level })),
      ],
    },
  ],
};
