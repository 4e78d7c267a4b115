import type { PromptName } from "../prompts/catalogue.ts";
import { recognitionInput, type Settings, subtitleMode } from "../src/core/settings.ts";
import type { Task } from "../src/core/shapes.ts";
import { directPrompt, orderPrompt } from "./answer-prompts.ts";
import type { Wording } from "./context.ts";
import { comparePrompt } from "./stages/compare.ts";
import { subtitlePromptName } from "./stages/subtitles.ts";

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
  const sequential = recognition.mode === "sequential";
  const [all, one] = recognisingPrompts(settings);
  // What one call on all clips leaves out is asked for clip by clip.
  const recognising: PromptName[] = sequential ? [one] : [all, one];
  const counted = sequential && recognitionInput(settings) === "whole-video";
  const seen = reasoning.input === "text" ? null : recognition.media;
  const lists = ["all-at-once", "vote", "hybrid"].includes(reasoning.method);
  const pairs = !["all-at-once", "vote"].includes(reasoning.method);
  const sent: PromptName[] = described ? [] : [...recognising];
  if (counted && !described) sent.push("rrd/count-clips");
  if (lists) sent.push(orderPrompt(seen));
  if (pairs) sent.push(comparePrompt(seen));
  return sent;
}

function recognisingPrompts(settings: Settings): readonly [PromptName, PromptName] {
  if (recognitionInput(settings) === "whole-video")
    return ["rrd/recognise-all", "rrd/recognise-one"];
  return settings.recognition.media === "video"
    ? ["rrd/recognise-clips-video", "rrd/recognise-clip-video"]
    : ["rrd/recognise-clips", "rrd/recognise-clip"];
}
