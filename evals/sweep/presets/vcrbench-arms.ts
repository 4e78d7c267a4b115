import { accuracy, stepAccuracy } from "./columns.ts";
import type { PresetRow, PresetTable } from "./preset.ts";

/* What tables 2 to 4 of VCRBench (arXiv 2505.08455) share: the arms of RRD and their columns. */

export const VCRBENCH_COLUMNS = [
  accuracy("Acc.", "avg_accuracy"),
  stepAccuracy("Step Acc.", "avg_step_accuracy"),
];

export const VCRBENCH_ABOUT =
  "Acc.: exact orders. Step Acc.: right positions over all positions, as the released code counts them.";

/** Recognition and reasoning of each arm, in the words of the project. */
const STAGES = {
  "all-at-once_all-at-once": ["all-at-once", "all-at-once"],
  "all-at-once_merge-sort": ["all-at-once", "merge-sort"],
  "sequential_all-at-once": ["sequential", "all-at-once"],
  "sequential_merge-sort": ["sequential", "merge-sort"],
} as const;
export type RrdArm = keyof typeof STAGES;
export const RRD_ARMS = Object.keys(STAGES) as RrdArm[];

/** An arm of RRD; `merge-sort` is the paper's sequential reasoning. */
export function rrdArm(name: RrdArm): { name: string; settings: Record<string, unknown> } {
  const [mode, method] = STAGES[name];
  return {
    name,
    settings: {
      strategy: "rrd",
      recognition: { mode },
      reasoning: { method },
    },
  };
}

/** The descriptions and the video are put in order together. */
export const VIDEO_AND_TEXT = {
  name: "video-and-text",
  settings: {
    strategy: "rrd",
    recognition: { mode: "all-at-once" },
    reasoning: { method: "all-at-once", input: "video+text" },
  },
};

const BEST = { arm: "rrd, recognition all-at-once, reasoning all-at-once", table: "table 2" };

/** The paper's name of an arm, and the table that reports it. */
export const RRD_PUBLISHED = {
  "all-at-once_all-at-once": BEST,
  "all-at-once_merge-sort": { arm: "rrd, recognition all-at-once, reasoning sequential" },
  "sequential_all-at-once": { arm: "rrd, recognition sequential, reasoning all-at-once" },
  "sequential_merge-sort": { arm: "rrd, recognition sequential, reasoning sequential" },
} as const;

/** Table 3: the video in addition to the descriptions. */
export const VIDEO_AT_REASONING: PresetTable = {
  title: "VCRBench, table 3",
  about: `Input of each stage. ${VCRBENCH_ABOUT}`,
  labels: ["Video recognition", "Causal reasoning"],
  rows: [
    { labels: ["video", "descriptions"], arm: "all-at-once_all-at-once" },
    {
      labels: ["video", "video and descriptions"],
      arm: "video-and-text",
      against: "all-at-once_all-at-once",
    },
  ],
  columns: VCRBENCH_COLUMNS,
  published: {
    table: "table 3",
    arms: {
      "all-at-once_all-at-once": BEST,
      "video-and-text": {
        arm: "rrd, recognition all-at-once, reasoning all-at-once, reasoning input video+text",
      },
    },
  },
};

/** Table 4: recognition and reasoning, each all at once or step by step. */
export const STAGES_DECOMPOSED: PresetTable = {
  title: "VCRBench, table 4",
  about: `Sequential reasoning is a merge sort of the descriptions. ${VCRBENCH_ABOUT}`,
  labels: ["Video recognition", "Causal reasoning"],
  rows: RRD_ARMS.map((arm): PresetRow => {
    const [recognition, reasoning] = STAGES[arm];
    return {
      labels: [recognition, reasoning === "merge-sort" ? "sequential" : reasoning],
      arm,
    };
  }),
  columns: VCRBENCH_COLUMNS,
  published: { table: "table 4", arms: RRD_PUBLISHED },
};
