import type { ResolvedSettings } from "../../src/core/settings.ts";
import { defineStrategy, standard } from "../define-strategy.ts";
import type { StagePlan } from "../planned-stages.ts";
import {
  CALLS_MODEL,
  CALLS_TOOLS,
  DECOMPOSES,
  HEARS,
  READS_TEXT,
  SAMPLES_VIDEO,
  SENDS_FRAMES,
  SENDS_VIDEO,
} from "../settings-read.ts";
import { searchGroup, searchSettings } from "../toolbox/search-settings.ts";

/** Default budget of a question, verification included. */
const BUDGET = { "budget.calls": 8, "budget.frames": 40 } as const;

const fallback = () => standard("with-model");

/** Searches for the frames that matter, with tools. The default strategy puts shuffled clips in order. */
export const agent = defineStrategy({
  name: "agent",
  summary: "Looks for the evidence frames with tools, step by step.",
  approach: "search",
  shows: "video",
  tasks: ["order", "choice", "open"],
  // DECOMPOSES: for questions that fall back to a strategy that decomposes.
  reads: [
    ...CALLS_MODEL,
    ...DECOMPOSES,
    ...SENDS_FRAMES,
    ...SAMPLES_VIDEO,
    ...SENDS_VIDEO,
    ...HEARS,
    ...READS_TEXT,
    ...CALLS_TOOLS,
  ],
  settings: {
    get search() {
      return searchGroup();
    },
  },
  defaults: (task) =>
    task === "order"
      ? {}
      : { "recognition.ocr": "tesseract", "recognition.subtitles": "retrieved", ...BUDGET },
  roles: ["recogniser", "reasoner", "verifier", "embedder"],
  usesRole: (role, settings) => role !== "verifier" || searchSettings(settings).verify,
  plan: (settings, question, shown) =>
    question.task === "order"
      ? (fallback().plan?.(settings, question, shown) ?? [])
      : [searching(settings)],
  prompts: () => null,
  // Its own answers are tool calls; those in words come from the strategy that it falls back to.
  answerPrompts: (kind, wording, settings) =>
    fallback().answerPrompts?.(kind, wording, settings) ?? [],
  graph: async () => (await import("./graph.ts")).evidenceSearchGraph,
  overEvidence: async () => (await import("../stages/reasoning-graph.ts")).reasoningGraph,
});

/** Turns, verification, and another answer with its verification after a contradiction; never above the budget. */
function searching(settings: ResolvedSettings): StagePlan {
  const { steps, verify } = searchSettings(settings);
  const { calls, frames } = settings.budget;
  const most = steps + 1 + (verify ? 4 : 0);
  return {
    stage: "search",
    what: verify
      ? "turns of the search, the answer, and its verification"
      : "turns of the search and the answer",
    calls: Math.min(most, calls ?? most),
    exact: false,
    frames: frames ?? 0,
  };
}
