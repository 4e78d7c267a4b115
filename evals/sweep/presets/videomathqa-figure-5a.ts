import { accuracy } from "./columns.ts";
import type { Preset } from "./preset.ts";
import { MCQ, PAIRS, VIDEOMATHQA_BASE } from "./videomathqa-columns.ts";

const INPUTS = [
  { label: "text only", arm: "blind", strategy: "blind" },
  { label: "one frame", arm: "image", strategy: "key-frame" },
  { label: "video", arm: "video", strategy: "direct" },
] as const;

/** Without the video, with one frame, and with the video (arXiv 2506.05349, figure 5a). */
export const videoMathQaFigure5a: Preset = {
  name: "videomathqa-figure-5a",
  summary: "VideoMathQA, figure 5a: the question only, one frame, and the video",
  sweep: {
    name: "videomathqa-figure-5a",
    base: { ...VIDEOMATHQA_BASE },
    arms: INPUTS.flatMap(({ arm, strategy }) => [
      { name: arm, settings: { ...MCQ, strategy } },
      { name: `${arm}-mbin`, settings: { ...PAIRS, strategy } },
    ]),
  },
  tables: [
    {
      title: "VideoMathQA, figure 5a",
      about: "Direct answers without subtitles. The figure prints no numbers.",
      labels: ["Input"],
      rows: INPUTS.map(({ label, arm }) => ({ labels: [label], arm })),
      columns: [
        accuracy("MCQ", "MCQ"),
        { ...accuracy("MBin", "MBin"), arm: (arm) => `${arm}-mbin` },
      ],
    },
  ],
};
