import { eventRecognition } from "./columns.ts";
import { STEP_NAMES } from "./needs.ts";
import type { Preset } from "./preset.ts";
import { VCRBENCH_ABOUT, VCRBENCH_COLUMNS } from "./vcrbench-arms.ts";

/** Event recognition against causal reasoning (arXiv 2505.08455, figure 7). */
export const vcrbenchFigure7: Preset = {
  name: "vcrbench-figure-7",
  summary: "VCRBench, figure 7: recognition of the events against their order",
  needs: [STEP_NAMES],
  eventTest: ["direct"],
  sweep: {
    name: "vcrbench-figure-7",
    base: { benchmark: "vcrbench", protocol: "official" },
    arms: [{ name: "direct", settings: { strategy: "direct" } }],
  },
  tables: [
    {
      title: "VCRBench, figure 7",
      about: `Recognition: clips whose step the model finds among three steps of the procedure, from the frames of the clip. ${VCRBENCH_ABOUT} The figure prints no numbers.`,
      rows: [{ arm: "direct" }],
      columns: [eventRecognition("Recognition"), ...VCRBENCH_COLUMNS],
      plot: {
        title: "Recognition against order",
        x: "Recognition",
        columns: ["Acc.", "Step Acc."],
      },
    },
  ],
};
