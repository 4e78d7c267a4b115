import { reasoningColumns, TYPE_COLUMNS } from "./mmr-v-columns.ts";
import { SOUND } from "./needs.ts";
import type { Preset } from "./preset.ts";

/** The effect of the sound (arXiv 2506.04141, table 4). */
export const mmrVTable4: Preset = {
  name: "mmr-v-table-4",
  summary: "MMR-V, table 4: frames only, and with the sound",
  needs: [SOUND],
  sweep: {
    name: "mmr-v-table-4",
    base: { benchmark: "mmr-v", protocol: "official", strategy: "direct" },
    arms: [
      { name: "silent", settings: { recognition: { audio: false } } },
      { name: "audio", settings: { recognition: { audio: true } } },
    ],
  },
  tables: [
    {
      title: "MMR-V, table 4",
      about: "Zero-shot. The model must accept sound.",
      labels: ["Input"],
      rows: [
        { labels: ["frames"], arm: "silent" },
        { labels: ["+ audio"], arm: "audio", against: "silent" },
      ],
      columns: [...reasoningColumns(), ...TYPE_COLUMNS],
      published: {
        table: "table 4",
        arms: {
          silent: { arm: "direct", table: "table 3" },
          audio: { arm: "direct, audio" },
        },
        aliases: { "Gemini-2.0-Flash": "Gemini-2.0-Flash (16 frames)" },
      },
    },
  ],
};
