import { errorShare, judgedReplies } from "./judged-columns.ts";
import type { Preset, PresetColumn } from "./preset.ts";

const TYPES = [
  "Lack of Visual Reasoning",
  "Implicit Misinterpretation",
  "Knowledge Insufficiency",
  "Reasoning Error",
  "Output Formatting Issue",
  "Hallucination",
];

/** Causes of wrong answers (arXiv 2506.04141, figure 5). */
export const mmrVFigure5: Preset = {
  name: "mmr-v-figure-5",
  summary: "MMR-V, figure 5: causes of wrong answers, named by a judge",
  judges: [{ kind: "errors", arms: ["cot"] }],
  sweep: {
    name: "mmr-v-figure-5",
    base: { benchmark: "mmr-v", protocol: "official", strategy: "direct" },
    arms: [{ name: "cot", settings: { reasoning: { cot: true } } }],
  },
  tables: [
    {
      title: "MMR-V, figure 5",
      about:
        "Percent of the wrong answers that were judged, by main cause. In the paper people named the causes of 100 wrong answers of GPT-4o; its shares do not add to 100.",
      rows: [{ arm: "cot" }],
      columns: [judgedReplies("errors"), ...TYPES.map(withPublished)],
      published: { table: "figure 5", arms: { cot: { arm: "errors" } } },
    },
  ],
};

function withPublished(type: string): PresetColumn {
  return { ...errorShare(type, type), published: ({ scores }) => scores[type] };
}
