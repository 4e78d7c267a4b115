import type { ResolvedSettings } from "../../src/core/settings.ts";
import { answerPrompt } from "../answer-formats.ts";
import { defineStrategy } from "../define-strategy.ts";
import type { StagePlan } from "../planned-stages.ts";
import {
  CALLS_MODEL,
  CALLS_TOOLS,
  HEARS,
  READS_TEXT,
  SENDS_FRAMES,
  SENDS_VIDEO,
} from "../settings-read.ts";
import { loopSettings, searchSettings } from "../toolbox/search-settings.ts";

/** `createAgent` of LangChain over the tools and the budget of a search: a baseline for searches. */
export const react = defineStrategy({
  name: "react",
  summary: "Looks with tools in a plain loop of LangChain's createAgent; a baseline for searches.",
  approach: "search",
  shows: "video",
  tasks: ["order", "choice", "open"],
  reads: [...CALLS_MODEL, ...SENDS_FRAMES, ...SENDS_VIDEO, ...HEARS, ...READS_TEXT, ...CALLS_TOOLS],
  settings: {
    get search() {
      return loopSettings();
    },
  },
  defaults: () => ({
    "recognition.ocr": "tesseract",
    "recognition.subtitles": "retrieved",
    "budget.calls": 8,
    "budget.frames": 40,
  }),
  roles: ["reasoner", "embedder"],
  plan: (settings) => [turnsOf(settings)],
  prompts: () => null,
  answerPrompts: ({ task }) => [answerPrompt(`react/question-${task}`)],
  graph: async () => (await import("./graph.ts")).reactGraph,
});

function turnsOf(settings: ResolvedSettings): StagePlan {
  const { calls, frames } = settings.budget;
  const turns = searchSettings(settings).steps + 1;
  return {
    stage: "search",
    what: "turns of the search and the answer",
    calls: Math.min(turns, calls ?? turns),
    exact: false,
    frames: frames ?? 0,
  };
}
