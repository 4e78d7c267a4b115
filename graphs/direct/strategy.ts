import { defineStrategy } from "../define-strategy.ts";
import { ASKS_WITH_VIDEO } from "../settings-read.ts";
import { singleCall } from "../single-call.ts";

/** The papers' baseline: frames, or the video itself, and the question in one call. */
export const direct = defineStrategy({
  name: "direct",
  summary: "Frames and question in one call.",
  ...singleCall("video"),
  published: true,
  reads: ASKS_WITH_VIDEO,
  defaults: () => ({ "recognition.input": "whole-video" }),
});
