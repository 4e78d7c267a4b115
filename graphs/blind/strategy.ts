import { defineStrategy } from "../define-strategy.ts";
import { CALLS_MODEL } from "../settings-read.ts";
import { singleCall } from "../single-call.ts";

/** A control: how much of an accuracy the question itself gives away. */
export const blind = defineStrategy({
  name: "blind",
  summary: "The question only, without the video: a control.",
  ...singleCall("nothing"),
  reads: [...CALLS_MODEL, "reasoning.cot"],
});
