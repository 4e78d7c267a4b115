import { resolveSettings, type Settings } from "../src/core/settings.ts";
import type { AnswerPrompt, QuestionKind } from "./answer-formats.ts";
import type { QuestionSetup } from "./answer-prompts.ts";
import { strategies } from "./define-strategy.ts";
import type { Wording } from "./wording.ts";

/** Every prompt that a strategy can send to a model for such a question; null if that depends on the video. */
export function promptsSent(settings: Settings, asked: QuestionSetup): string[] | null {
  const { prompts } = strategies.get(settings.strategy);
  return prompts === undefined ? [] : prompts(resolveSettings(settings, asked.task), asked);
}

/**
 * The prompts whose replies state the answer; empty if code writes every answer. Code may write some answers of the
 * other strategies too, such as a calculated one.
 */
export function answerPrompts(
  kind: QuestionKind,
  wording: Wording,
  settings: Settings,
): AnswerPrompt[] {
  return strategies.get(settings.strategy).answerPrompts?.(kind, wording, settings) ?? [];
}
