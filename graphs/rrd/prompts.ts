import type { PromptName } from "../../prompts/catalogue.ts";
import type { ResolvedSettings, Settings } from "../../src/core/settings.ts";
import { type AnswerPrompt, answerPrompt, type QuestionKind } from "../answer-formats.ts";
import {
  comparePrompt,
  orderPrompt,
  promptOverEvidence,
  type QuestionSetup,
} from "../answer-prompts.ts";
import type { Wording } from "../wording.ts";

/** Prompts of an ordering question; those of other questions depend on what is found in the video. */
export function prompts(settings: ResolvedSettings, asked: QuestionSetup): PromptName[] | null {
  return asked.task === "order" ? orderingPrompts(settings, asked) : null;
}

/** The prompt that asks for the answer; empty if clips are ranked call by call. */
export function answerPrompts(
  kind: QuestionKind,
  wording: Wording,
  { reasoning, recognition }: Settings,
): AnswerPrompt[] {
  if (kind.task !== "order") return [promptOverEvidence(kind, wording)];
  if (reasoning.method !== "all-at-once") return [];
  return [answerPrompt(orderPrompt(reasoning.input === "text" ? null : recognition.media))];
}

function orderingPrompts(settings: ResolvedSettings, { described }: QuestionSetup): PromptName[] {
  const { recognition, reasoning } = settings;
  const sequential = recognition.mode === "sequential";
  const [all, one] = recognisingPrompts(settings);
  // What one call on all clips leaves out is requested clip by clip.
  const recognising: PromptName[] = sequential ? [one] : [all, one];
  const counted = sequential && settings.recognition.input === "whole-video";
  const media = reasoning.input === "text" ? null : recognition.media;
  const lists = ["all-at-once", "vote", "hybrid"].includes(reasoning.method);
  const pairs = !["all-at-once", "vote"].includes(reasoning.method);
  const sent: PromptName[] = described ? [] : [...recognising];
  if (counted && !described) sent.push("rrd/count-clips");
  if (lists) sent.push(orderPrompt(media));
  if (pairs) sent.push(comparePrompt(media));
  return sent;
}

function recognisingPrompts(settings: ResolvedSettings): readonly [PromptName, PromptName] {
  if (settings.recognition.input === "whole-video")
    return ["rrd/recognise-all", "rrd/recognise-one"];
  return settings.recognition.media === "video"
    ? ["rrd/recognise-clips-video", "rrd/recognise-clip-video"]
    : ["rrd/recognise-clips", "rrd/recognise-clip"];
}
