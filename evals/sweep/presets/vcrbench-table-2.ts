import type { Preset } from "./preset.ts";
import { RRD_PUBLISHED, rrdArm, VCRBENCH_ABOUT, VCRBENCH_COLUMNS } from "./vcrbench-arms.ts";

const RRD = "all-at-once_all-at-once";

/** One call compared with recognition and reasoning (arXiv 2505.08455, table 2). */
export const vcrbenchTable2: Preset = {
  name: "vcrbench-table-2",
  summary: "VCRBench, table 2: one call compared with RRD",
  sweep: {
    name: "vcrbench-table-2",
    base: { benchmark: "vcrbench", protocol: "official" },
    arms: [{ name: "direct", settings: { strategy: "direct" } }, rrdArm(RRD)],
  },
  tables: [
    {
      title: "VCRBench, table 2",
      about: `${VCRBENCH_ABOUT} Table 2 of the paper has 43.0 for the step accuracy of Qwen2.5-VL-72B in one call, its table 1 has 44.0.`,
      labels: ["Method"],
      rows: [
        { labels: ["direct"], arm: "direct" },
        { labels: ["+ RRD"], arm: RRD, against: "direct" },
      ],
      columns: VCRBENCH_COLUMNS,
      published: {
        table: "table 2",
        arms: { direct: { arm: "direct", table: "table 1" }, [RRD]: RRD_PUBLISHED[RRD] },
      },
    },
  ],
};
