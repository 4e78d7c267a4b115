import { accuracy } from "./columns.ts";
import type { Preset } from "./preset.ts";
import { durationColumns, MCQ, SILENT, VIDEOMATHQA_BASE } from "./videomathqa-columns.ts";

const FRAMES = [16, 64, 256, 768];

/** Number of frames, by duration (arXiv 2506.05349, figure 4c). */
export const videoMathQaFigure4c: Preset = {
  name: "videomathqa-figure-4c",
  summary: "VideoMathQA, figure 4c: 16 to 768 frames, by duration of the video",
  sweep: {
    name: "videomathqa-figure-4c",
    base: { ...VIDEOMATHQA_BASE, ...MCQ, reasoning: { cot: true } },
    arms: FRAMES.map((frames) => ({
      name: `frames-${frames}`,
      settings: { recognition: { ...SILENT.recognition, sampler: "ends", frames } },
    })),
  },
  tables: [
    {
      title: "VideoMathQA, figure 4c",
      about:
        "MCQ with chain of thought, without subtitles; even frames with both ends. The figure prints no numbers.",
      labels: ["Frame count"],
      rows: FRAMES.map((frames) => ({ labels: [String(frames)], arm: `frames-${frames}` })),
      columns: [accuracy("Overall", "MCQ"), ...durationColumns()],
      plot: {
        title: "Accuracy by number of frames",
        x: "Frame count",
        columns: ["Overall", "Short", "Med", "Long"],
      },
    },
  ],
};
