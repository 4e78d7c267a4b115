import { defineStrategy } from "../define-strategy.ts";
import { CALLS_MODEL, SENDS_FRAMES } from "../settings-read.ts";
import { singleCall } from "../single-call.ts";

/** A control: the accuracy that one frame achieves. */
export const keyFrame = defineStrategy({
  name: "key-frame",
  summary: "One frame from the middle: a control.",
  ...singleCall("one-frame"),
  published: true,
  reads: [...CALLS_MODEL, ...SENDS_FRAMES, "recognition.message_order", "reasoning.cot"],
  defaults: () => ({ "recognition.input": "whole-video" }),
});
