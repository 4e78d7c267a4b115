import { isRow } from "../data-files.ts";
import { standaloneLetters } from "../python-text.ts";
import type { Sample } from "../sample.ts";
import type { Extraction } from "../scored-reply.ts";

const FENCE = "```json";

/**
 * The released `post_process`: the `result` of the first JSON block, whose bare words are quoted first; else every
 * separate letter A to H; if the right letter is among them, it counts.
 */
export function officialLetter(reply: string, { answer: right }: Sample): Extraction {
  const result = blockResult(reply);
  if (result !== undefined) return { answer: String(result), how: "the result of its JSON block" };
  const letters = standaloneLetters(reply, "A-H");
  const among = letters.find((letter) => letter === right) ?? letters[0];
  return among === undefined
    ? { answer: null, how: "no JSON block and no letter A to H alone" }
    : {
        answer: among,
        how: among === right ? "the right letter, named anywhere" : "a letter alone",
      };
}

/** Undefined without a block, or for a block that cannot be read or has no result. */
function blockResult(reply: string): unknown {
  const start = reply.indexOf(FENCE);
  const end = start === -1 ? -1 : reply.indexOf("```", start + FENCE.length);
  if (end === -1) return undefined;
  const block = reply
    .slice(start + FENCE.length, end)
    .trim()
    .replace(/(?<=:\s)([A-Za-z_][\p{L}\p{N}_]*)/gu, '"$1"');
  try {
    const value: unknown = JSON.parse(block);
    return isRow(value) ? (value.result ?? undefined) : undefined;
  } catch {
    // As in the released code, the letters of the whole reply are tried next.
    return undefined;
  }
}
