/*
 * Which wordings the authors released: `wordingHash` of each, and where its text is in their repository. The texts
 * belong to the authors and are not stored here; `prompts import` reads them from a clone.
 */

/** A released text with our names of the variables, or why it was not found in the clone. */
export type ReleasedText = { text: string; file: string } | { text: null; why: string };

/** How a text is found in a clone of the repository. */
export type PromptPlace =
  /** A string literal of a Python file; `inside` names the function around it. */
  | { kind: "python"; path: string; variable: string; inside?: string }
  /** A text that the released code composes. */
  | { kind: "composed"; read(clone: string): Promise<ReleasedText> };

/** A prompt that the authors of a benchmark released. */
export interface ReleasedPrompt {
  /** Name of this project's prompt. */
  prompt: string;
  sha256: string;
  repository: string;
  /** File that contains it, for a person. */
  path: string;
  place: PromptPlace;
  /** Variable of the released text -> variable of our prompt. */
  holes: Readonly<Record<string, string>>;
  /** Variables of our prompt in the order of the released text, with repetitions. Absent: not known. */
  variables?: readonly string[];
  /** Only for runs with, or without, subtitles. */
  subtitles?: boolean;
  /** Models of the protocol's table whose own script has this text. Absent: it is the one for every other model. */
  models?: readonly string[];
}

/** Released wordings of a prompt: of the model's own script, else of the scripts for other models, come first. */
export function releasedFor(
  released: readonly ReleasedPrompt[],
  prompt: string,
  { model, subtitles }: { model: string | null; subtitles: boolean },
): ReleasedPrompt[] {
  return released
    .filter((item) => item.prompt === prompt)
    .filter((item) => item.subtitles === undefined || item.subtitles === subtitles)
    .sort((a, b) => SCRIPTS.indexOf(scriptOf(a, model)) - SCRIPTS.indexOf(scriptOf(b, model)));
}

const SCRIPTS = ["own", "general", "another model's"] as const;

/** Whose script has a released wording, for a model of the table; null: the model is not in the table. */
export function scriptOf(
  { models }: Pick<ReleasedPrompt, "models">,
  model: string | null,
): (typeof SCRIPTS)[number] {
  if (models === undefined) return "general";
  return model !== null && models.includes(model) ? "own" : "another model's";
}
