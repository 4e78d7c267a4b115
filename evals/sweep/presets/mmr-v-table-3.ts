import { reasoningColumns, TYPE_COLUMNS } from "./mmr-v-columns.ts";
import type { Preset } from "./preset.ts";

/** Zero-shot and chain of thought (arXiv 2506.04141, table 3). */
export const mmrVTable3: Preset = {
  name: "mmr-v-table-3",
  summary: "MMR-V, table 3: zero-shot and chain of thought, by task and type of video",
  sweep: {
    name: "mmr-v-table-3",
    base: { benchmark: "mmr-v", protocol: "official", strategy: "direct" },
    arms: [
      { name: "zero-shot", settings: { reasoning: { cot: false } } },
      { name: "cot", settings: { reasoning: { cot: true } } },
    ],
  },
  tables: [
    {
      title: "MMR-V, table 3",
      about: "CoT: with chain of thought. The columns of the types of video are zero-shot.",
      rows: [{ arm: "zero-shot" }],
      columns: [
        ...reasoningColumns().flatMap((column, place) => [
          column,
          ...reasoningColumns("cot", " CoT").slice(place, place + 1),
        ]),
        ...TYPE_COLUMNS,
      ],
      published: {
        table: "table 3",
        arms: { "zero-shot": { arm: "direct" }, cot: { arm: "direct, cot" } },
      },
    },
  ],
};
