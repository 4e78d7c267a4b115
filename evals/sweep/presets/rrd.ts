import type { SweepInput } from "../sweep-settings.ts";

/**
 * VCRBench's ablations (arXiv 2505.08455): recognition x reasoning (table 4), and the video in addition to the descriptions
 * (table 3). Recognition sees the whole video, as the paper's does; `sequential` reasoning is its merge sort.
 */
export const rrd: SweepInput = {
  name: "rrd",
  base: { benchmark: "vcrbench", strategy: "rrd", recognition: { input: "whole-video" } },
  arms: [
    { name: "all-at-once_all-at-once", settings: arm("all-at-once", "all-at-once") },
    { name: "all-at-once_merge-sort", settings: arm("all-at-once", "merge-sort") },
    { name: "sequential_all-at-once", settings: arm("sequential", "all-at-once") },
    { name: "sequential_merge-sort", settings: arm("sequential", "merge-sort") },
    {
      name: "video-and-text",
      settings: {
        recognition: { mode: "all-at-once" },
        reasoning: { method: "all-at-once", input: "video+text" },
      },
    },
  ],
};

function arm(mode: string, method: string): Record<string, unknown> {
  return { recognition: { mode }, reasoning: { method } };
}
