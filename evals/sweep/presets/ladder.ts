import type { Preset } from "./preset.ts";

/**
 * The effect of each change, from no frames to perfect descriptions. All arms with video use the same number of frames
 * (`recognition.frames`); both `rrd` arms recognise in one call, so that they send as many frames as `direct`.
 * The last arm uses the step names of the data as descriptions; it is left out if the data have none.
 */
export const ladder: Preset = {
  name: "ladder",
  summary: "the effect of each setting, from no frames to gold descriptions",
  sweep: {
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
      { name: "rrd-gold", settings: { ...recognised("clip"), descriptions: "gold" } },
    ],
    remarks: [
      "All arms with video send the same number of frames; blind and gold descriptions need no frames.",
    ],
  },
};

function recognised(input: string): Record<string, unknown> {
  return {
    strategy: "rrd",
    recognition: { mode: "all-at-once", input },
    reasoning: { method: "all-at-once" },
  };
}
