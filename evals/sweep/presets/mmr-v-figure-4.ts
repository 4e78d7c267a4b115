import { reasoningColumns } from "./mmr-v-columns.ts";
import type { Preset } from "./preset.ts";

const FRAMES = [16, 32, 64, 96, 128, 256, 512];

/** Accuracy by number of frames, for implicit and explicit reasoning (arXiv 2506.04141, figure 4). */
export const mmrVFigure4: Preset = {
  name: "mmr-v-figure-4",
  summary: "MMR-V, figure 4: 16 to 512 frames, implicit and explicit reasoning",
  sweep: {
    name: "mmr-v-figure-4",
    base: { benchmark: "mmr-v", protocol: "official", strategy: "direct" },
    arms: FRAMES.map((frames) => ({
      name: `frames-${frames}`,
      settings: { recognition: { sampler: "ends", frames } },
    })),
  },
  tables: [
    {
      title: "MMR-V, figure 4",
      about: "Even frames with both ends. The figure prints no numbers.",
      labels: ["Frame count"],
      rows: FRAMES.map((frames) => ({ labels: [String(frames)], arm: `frames-${frames}` })),
      columns: reasoningColumns(),
      plot: {
        title: "Accuracy by number of frames",
        x: "Frame count",
        columns: ["Overall", "Implicit", "Explicit"],
      },
    },
  ],
};
