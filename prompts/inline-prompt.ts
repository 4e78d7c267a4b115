import { sha256 } from "../src/core/hash.ts";
import type { Rendered } from "./load-prompts.ts";
import { DATA_NOTE, quoteData } from "./quote-data.ts";

/**
 * A prompt whose text is in code, for a strategy or judge in one file. Its hash, which logs record, is that of `words`;
 * `data`, such as a model's reply or text that was read in a video, follows them in quotation marks that it cannot close.
 *
 * @example
 * const prompt = inlinePrompt("my-judge/polite", "Is this reply polite? Answer yes or no.", reply);
 */
export function inlinePrompt(name: string, words: string, data?: string): Rendered {
  const quoted = data === undefined ? "" : `\n\n${DATA_NOTE}\n${quoteData(data)}`;
  return { name, hash: sha256(words), text: `${words}${quoted}` };
}
