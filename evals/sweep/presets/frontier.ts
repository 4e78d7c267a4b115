import type { Preset } from "./preset.ts";

/**
 * Strategies at several budgets, for `study frontier`. Frames and calls are set so that the strategies' ranges of spending
 * overlap; what is really spent is measured.
 */
export const frontier: Preset = {
  name: "frontier",
  summary: "strategies at several budgets, for `study frontier`",
  sweep: {
    name: "frontier",
    arms: [
      { name: "blind", settings: { strategy: "blind" } },
      { name: "key-frame", settings: { strategy: "key-frame" } },
      ...[8, 16, 32, 64].map((frames) => ({
        name: `direct-${frames}`,
        settings: { strategy: "direct", recognition: { frames } },
      })),
      ...[8, 16].map((frames) => ({
        name: `self-consistency-${frames}`,
        settings: { strategy: "self-consistency", recognition: { frames } },
      })),
      ...[16, 32, 64].map((frames) => ({
        name: `rrd-${frames}`,
        settings: { strategy: "rrd", recognition: { frames } },
      })),
      ...(["react", "agent"] as const).flatMap((strategy) =>
        [16, 40, 80].map((frames) => ({
          name: `${strategy}-${frames}`,
          settings: { strategy, budget: { frames, calls: Math.ceil(frames / 5) } },
        })),
      ),
    ],
    remarks: ["Arms are compared at what they spent, not at equal settings."],
  },
};
