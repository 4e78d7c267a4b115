import { nameOfPrompt } from "../prompts/catalogue.ts";
import { directPrompt } from "./answer-prompts.ts";
import type { Shows, StrategyFacts, StrategyGraph } from "./define-strategy.ts";

/** Common properties of strategies that ask the whole question in one call. */
export function singleCall(shows: Shows) {
  let graph: Promise<StrategyGraph> | undefined;
  return {
    approach: "single-call",
    shows,
    opensVideo: shows !== "nothing",
    tasks: ["order", "choice", "open"],
    roles: ["reasoner"],
    plan: ({ recognition }, { task }, { whole, allClips }) => {
      const seen = task === "choice" || recognition.input === "whole-video" ? whole : allClips;
      const frames = { video: seen, "one-frame": 1, nothing: 0 }[shows];
      const asked = task === "order" ? "goal" : "question";
      const what = `the ${asked} and the frames in one call`;
      return [{ stage: "ask", what, calls: 1, exact: true, frames }];
    },
    prompts: ({ recognition, reasoning }, asked): string[] => {
      const question = nameOfPrompt(directPrompt(asked, asked.wording, reasoning.cot).prompt);
      const withSubtitles = shows !== "nothing" && recognition.subtitles !== "off";
      return withSubtitles ? [nameOfPrompt(asked.wording.subtitles.prompt), question] : [question];
    },
    answerPrompts: (kind, wording, { reasoning }) => [directPrompt(kind, wording, reasoning.cot)],
    // An import takes some twenty microseconds, also of what is loaded.
    graph: () => {
      graph ??= import("./stages/direct-graph.ts").then(({ directGraphs }) => directGraphs[shows]);
      return graph;
    },
  } as const satisfies Partial<StrategyFacts> & { graph: () => Promise<StrategyGraph> };
}
