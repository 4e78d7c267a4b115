import { defineStrategy } from "../define-strategy.ts";
import { READS_TEXT } from "../settings-read.ts";

/** The baseline that needs no key: words of the video, search, and a rule for when not to answer. */
export const extractive = defineStrategy({
  name: "extractive",
  summary: "No language model: subtitles, text on screen, search and small arithmetic.",
  approach: "other",
  shows: "nothing",
  tasks: ["choice", "open"],
  standard: "without-model",
  // Its transcriber may cost dollars.
  reads: [
    ...READS_TEXT,
    "recognition.transcriber",
    "recognition.speech",
    "recognition.speech_language",
    "budget.cost",
  ],
  defaults: () => ({ "recognition.ocr": "tesseract", "recognition.subtitles": "full" }),
  roles: [],
  graph: async () => (await import("./graph.ts")).extractiveGraph,
  overEvidence: async () => (await import("./graph.ts")).extractiveReasoningGraph,
});
