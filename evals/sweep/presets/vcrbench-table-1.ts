import type { Preset } from "./preset.ts";
import { VCRBENCH_ABOUT, VCRBENCH_COLUMNS } from "./vcrbench-arms.ts";

/** The whole video in one call (arXiv 2505.08455, table 1). */
export const vcrbenchTable1: Preset = {
  name: "vcrbench-table-1",
  summary: "VCRBench, table 1: orders of the clips, asked in one call",
  sweep: {
    name: "vcrbench-table-1",
    base: { benchmark: "vcrbench", protocol: "official" },
    arms: [{ name: "direct", settings: { strategy: "direct" } }],
  },
  tables: [
    {
      title: "VCRBench, table 1",
      about: VCRBENCH_ABOUT,
      rows: [{ arm: "direct" }],
      columns: VCRBENCH_COLUMNS,
      published: { table: "table 1", arms: { direct: { arm: "direct" } } },
    },
  ],
};
