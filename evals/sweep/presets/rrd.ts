import type { Preset } from "./preset.ts";
import {
  RRD_ARMS,
  rrdArm,
  STAGES_DECOMPOSED,
  VIDEO_AND_TEXT,
  VIDEO_AT_REASONING,
} from "./vcrbench-arms.ts";

/** VCRBench's ablations (arXiv 2505.08455, tables 3 and 4), with the settings of the project instead of the protocol's. */
export const rrd: Preset = {
  name: "rrd",
  summary: "tables 3 and 4 of VCRBench, without its protocol",
  sweep: {
    name: "rrd",
    // Recognition sees the whole video, as the paper's does.
    base: { benchmark: "vcrbench", recognition: { input: "whole-video" } },
    arms: [...RRD_ARMS.map(rrdArm), VIDEO_AND_TEXT],
  },
  tables: [VIDEO_AT_REASONING, STAGES_DECOMPOSED],
};
