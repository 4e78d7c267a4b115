import type { Preset } from "./preset.ts";
import { rrdArm, VIDEO_AND_TEXT, VIDEO_AT_REASONING } from "./vcrbench-arms.ts";

/** The video in addition to the descriptions (arXiv 2505.08455, table 3). */
export const vcrbenchTable3: Preset = {
  name: "vcrbench-table-3",
  summary: "VCRBench, table 3: RRD with the video at the reasoning stage",
  sweep: {
    name: "vcrbench-table-3",
    base: { benchmark: "vcrbench", protocol: "official" },
    arms: [rrdArm("all-at-once_all-at-once"), VIDEO_AND_TEXT],
  },
  tables: [VIDEO_AT_REASONING],
};
