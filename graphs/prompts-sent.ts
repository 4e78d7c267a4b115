import type { PromptName } from "../prompts/catalogue.ts";
import { recognitionInput, type Settings, subtitleMode } from "../src/core/settings.ts";
import type { Task } from "../src/core/shapes.ts";
import { directPrompt } from "./answer-prompts.ts";
import type { Wording } from "./context.ts";
import { subtitlePromptName } from "./nodes/subtitles.ts";

/** What the questions of a run have in common. */
export interface AskedWith {
  wording: Wording;
  task: Task;
  /** Number of options, for a choice. */
  options: number;
  /** Descriptions come from the data, so that nothing is recognised. */
  described: boolean;
}

/**
 * Every prompt that a strategy can send to a model for such a question; null where that depends on what is found in the
 * video (`agent`, and `rrd` for anything but an order).
 */
export function promptsSent(settings: Settings, asked: AskedWith): PromptName[] | null {
  const { strategy, reasoning } = settings;
  switch (strategy) {
    case "extractive":
    case "random":
      return [];
    case "direct":
    case "blind":
    case "key-frame": {
      const subtitles = strategy !== "blind" && subtitleMode(settings, asked.task) !== "off";
      const question = directPrompt(asked, asked.wording, reasoning.cot);
      return subtitles ? [subtitlePromptName(asked.wording), question] : [question];
    }
    case "rrd":
      return asked.task === "order" ? orderingPrompts(settings, asked) : null;
    default:
      return null;
  }
}

function orderingPrompts(settings: Settings, { described }: AskedWith): PromptName[] {
  const { recognition, reasoning } = settings;
  const whole = recognitionInput(settings) === "whole-video";
  const sequential = recognition.mode === "sequential";
  const recognising: PromptName[] = whole
    ? // What one call leaves out is asked for clip by clip.
      sequential
      ? ["rrd/count-clips", "rrd/recognise-one"]
      : ["rrd/recognise-all", "rrd/recognise-one"]
    : sequential
      ? ["rrd/recognise-clip"]
      : ["rrd/recognise-clips", "rrd/recognise-clip"];
  const video = reasoning.input === "video+text";
  const list: PromptName = video ? "rrd/order-video" : "rrd/order";
  const pair: PromptName = video ? "rrd/compare-video" : "rrd/compare";
  const lists = ["all-at-once", "vote", "hybrid"].includes(reasoning.method);
  const pairs = !["all-at-once", "vote"].includes(reasoning.method);
  return [...(described ? [] : recognising), ...(lists ? [list] : []), ...(pairs ? [pair] : [])];
}
