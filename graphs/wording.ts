import type { PromptWith } from "../prompts/catalogue.ts";
import type { WordingDefaults } from "../src/core/settings.ts";
import type { Option } from "../src/core/shapes.ts";
import { clock } from "../src/core/time.ts";
import { type AnswerPrompt, answerPrompt } from "./answer-formats.ts";

/**
 * How questions are worded for a model, and in which form the answer is requested. A benchmark defines its own, to ask
 * as its authors do. Order and open questions use the same prompts everywhere.
 */
export interface Wording extends WordingDefaults {
  choice: {
    /** The prompt of a direct question with this many options. */
    direct(options: number, cot: boolean): AnswerPrompt<"question" | "options">;
    /** The prompt that asks a question over evidence. */
    evidence: AnswerPrompt<"question" | "options" | "evidence">;
    /** Whether the prompt over evidence asks for the evidence that supports the answer. */
    cites: boolean;
  };
  /** One option as a line of a prompt. */
  optionLine(option: Option): string;
  /** Whether every question is calculated if `--mathematics` is `auto`. */
  calculates: boolean;
  subtitles: {
    prompt: PromptWith<"subtitles">;
    /** What the prompt says if a video has no subtitles; null: the prompt is left out. */
    missing: string | null;
    /** One cue as a line of the prompt. */
    line(cue: { start_s: number; text: string }): string;
    /** Whether `aligned` compares frame numbers instead of seconds, if the frames are evenly spaced. */
    byFrameNumber: boolean;
  };
}

/** The wording of questions that belong to no benchmark. */
export const ASK_WORDING: Wording = {
  choice: {
    direct: (_options, cot) => answerPrompt(cot ? "choice/direct-cot" : "choice/direct"),
    evidence: answerPrompt("ask/choice"),
    cites: true,
  },
  optionLine: ({ letter, text }) => `(${letter}) ${text}`,
  textFirst: false,
  calculates: false,
  recalls: true,
  subtitles: {
    prompt: "ask/subtitles",
    missing: null,
    line: ({ start_s, text }) => `${clock(start_s)} ${text}`,
    byFrameNumber: false,
  },
};
