import type { SweepInput } from "../sweep-settings.ts";

/**
 * What each change is worth, from no frames to descriptions without an error. All rungs that see take the same number
 * of frames (`recognition.frames`), and both of `rrd` recognise in one call, so that they send as many as `direct` does.
 * The last is told what the clips show, by the step names of the set; on sets without any it is left out.
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
    { name: "rrd-gold", settings: { ...recognised("clip"), descriptions: "gold" } },
  ],
  remarks: [
    "All rungs that look at the video send the same number of frames; blind and gold descriptions need none.",
  ],
};

function recognised(input: string): Record<string, unknown> {
  return {
    strategy: "rrd",
    recognition: { mode: "all-at-once", input },
    reasoning: { method: "all-at-once" },
  };
}
