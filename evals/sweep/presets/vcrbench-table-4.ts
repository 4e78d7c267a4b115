import type { Preset } from "./preset.ts";
import { RRD_ARMS, rrdArm, STAGES_DECOMPOSED } from "./vcrbench-arms.ts";

/** Recognition and reasoning, each in one call or step by step (arXiv 2505.08455, table 4). */
export const vcrbenchTable4: Preset = {
  name: "vcrbench-table-4",
  summary: "VCRBench, table 4: recognition x reasoning, all at once or sequential",
  sweep: {
    name: "vcrbench-table-4",
    base: { benchmark: "vcrbench", protocol: "official" },
    arms: RRD_ARMS.map(rrdArm),
  },
  tables: [STAGES_DECOMPOSED],
};
