import { defineStrategy } from "../define-strategy.ts";
import { CALLS_MODEL, SAMPLES_VIDEO, SENDS_FRAMES, SENDS_VIDEO } from "../settings-read.ts";
import { singleCall } from "../single-call.ts";

/** The papers' baseline: frames, or the video itself, and the question in one call. */
export const direct = defineStrategy({
  name: "direct",
  summary: "Frames and question in one call.",
  ...singleCall("video"),
  reads: [
    ...CALLS_MODEL,
    ...SENDS_FRAMES,
    ...SAMPLES_VIDEO,
    ...SENDS_VIDEO,
    "recognition.message_order",
    "recognition.frame_labels",
    "recognition.subtitles",
    "reasoning.cot",
  ],
  defaults: () => ({ "recognition.input": "whole-video" }),
});
