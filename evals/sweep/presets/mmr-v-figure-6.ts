import { cotShare } from "./judged-columns.ts";
import type { Preset } from "./preset.ts";

const LABELS: Record<string, string> = {
  other_frame_desc: "other frame",
  question_frame_desc: "question frame",
  video_analysis: "video analysis",
  text_analysis: "text analysis",
};
const PIECES = 10;

/** What each tenth of a chain of thought does (arXiv 2506.04141, figure 6). */
export const mmrVFigure6: Preset = {
  name: "mmr-v-figure-6",
  summary: "MMR-V, figure 6: what each tenth of a chain of thought does, by a judge",
  judges: [{ kind: "cot", arms: ["cot"] }],
  sweep: {
    name: "mmr-v-figure-6",
    base: { benchmark: "mmr-v", protocol: "official", strategy: "direct" },
    arms: [{ name: "cot", settings: { reasoning: { cot: true } } }],
  },
  tables: [
    {
      title: "MMR-V, figure 6",
      about:
        "Percent of the chains of thought that do this in each tenth, from the first to the last. The figure prints no numbers.",
      labels: ["Content"],
      rows: Object.values(LABELS).map((label) => ({ labels: [label], arm: "cot" })),
      columns: Array.from({ length: PIECES }, (_, place) =>
        cotShare(place + 1, Object.keys(LABELS)),
      ),
    },
  ],
};
