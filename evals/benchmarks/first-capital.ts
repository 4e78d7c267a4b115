import { pythonWords } from "./python-text.ts";
import type { Extraction } from "./scored-reply.ts";

/**
 * The extraction that many released scorers share: the phrases are deleted in their order, every time they occur; then
 * the first capital of a range, anywhere, is the answer. Their `strip()` changes no result.
 *
 * @param last the last letter of the range, which begins with A
 */
export function firstCapital(
  phrases: readonly string[],
  last: string,
): (reply: string) => Extraction {
  const range = new RegExp(`[A-${last}]`);
  return (reply) => {
    const text = phrases.reduce((left, phrase) => left.replaceAll(phrase, ""), reply);
    const letter = range.exec(text)?.[0];
    if (letter !== undefined) return { answer: letter, how: `the first capital A to ${last}` };
    const long = pythonWords(text).length > 10;
    return { answer: null, how: `no capital A to ${last}${long ? " in more than 10 words" : ""}` };
  };
}
