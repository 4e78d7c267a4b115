import { defineStrategy } from "../define-strategy.ts";
import { CALLS_MODEL } from "../settings-read.ts";
import { singleCall } from "../single-call.ts";

/** A control: the accuracy that the question achieves without the video. */
export const blind = defineStrategy({
  name: "blind",
  summary: "The question only, without the video: a control.",
  ...singleCall("nothing"),
  published: true,
  reads: [...CALLS_MODEL, "reasoning.cot"],
});
