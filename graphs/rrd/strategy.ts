import { defineStrategy } from "../define-strategy.ts";
import {
  CALLS_MODEL,
  DECOMPOSES,
  HEARS,
  READS_TEXT,
  SAMPLES_VIDEO,
  SENDS_FRAMES,
  SENDS_VIDEO,
} from "../settings-read.ts";
import { plan } from "./plan.ts";
import { answerPrompts, prompts } from "./prompts.ts";

/** Relational decomposition, after VCRBench's paper: recognise, then reason over descriptions. */
export const rrd = defineStrategy({
  name: "rrd",
  summary: "Describes the clips, searches what was recognised, then reasons over it.",
  approach: "decomposed",
  shows: "video",
  published: true,
  tasks: ["order", "choice", "open"],
  standard: "with-model",
  reads: [
    ...CALLS_MODEL,
    ...DECOMPOSES,
    ...SENDS_FRAMES,
    ...SAMPLES_VIDEO,
    ...SENDS_VIDEO,
    ...HEARS,
    ...READS_TEXT,
  ],
  defaults: (task) =>
    task === "order"
      ? {}
      : { "recognition.ocr": "tesseract", "recognition.subtitles": "retrieved" },
  roles: ["recogniser", "reasoner"],
  plan,
  prompts,
  answerPrompts,
  graph: async () => (await import("./graph.ts")).videoQaGraph,
  overEvidence: async () => (await import("../stages/reasoning-graph.ts")).reasoningGraph,
});
