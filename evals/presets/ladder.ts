import type { SweepInput } from "../sweep-settings.ts";

/**
 * What each change is worth, from no frames to descriptions of single clips. All rungs that see take the same number of
 * frames (`recognition.frames`), and both of `rrd` recognise in one call, so that they send as many as `direct` does.
 */
export const ladder: SweepInput = {
  name: "ladder",
  against: "previous",
  arms: [
    { name: "blind", settings: { strategy: "blind" } },
    { name: "direct", settings: { strategy: "direct" } },
    {
      name: "direct-by-clip",
      settings: { strategy: "direct", recognition: { input: "clip" } },
    },
    { name: "rrd-whole-video", settings: recognised("whole-video") },
    { name: "rrd-clip", settings: recognised("clip") },
  ],
  remarks: [
    "The rung of rrd with gold descriptions is left out: recognition cannot yet be replaced by the step names of a set.",
  ],
};

function recognised(input: string): Record<string, unknown> {
  return {
    strategy: "rrd",
    recognition: { mode: "all-at-once", input },
    reasoning: { method: "all-at-once" },
  };
}
