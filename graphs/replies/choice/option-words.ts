import type { Option } from "../../../src/core/shapes.ts";
import { plain } from "../visible-reply.ts";

/* Replies that name an option by its words alone: `Heavy rain`, `Answer: heavy rain.`, `\boxed{\text{Heavy rain}}`. */

const LABEL =
  /^[#>•-]* ?(?:(?:so|thus|therefore|hence),? )?(?:the |my )?(?:(?:final|correct|best|right) )*(?:answer|option|choice)(?: ?[:=]| is:?) ?/i;
const BOX = /^\$*\\boxed ?\{(.*)\}\$*[.。]?$/;
const KEY = /^[{ ]*["']answer["'] ?: ?["']([^"']*)["'][ }]*$/i;

/**
 * The letter of the option whose words are the first or the last line of a reply, with or without a label; undefined if
 * these lines name different options, or if the words are those of several options.
 */
export function letterOfWords(
  lines: readonly string[],
  options: readonly Option[],
): string | undefined {
  const texts = options.map(({ letter, text }) => ({ letter, words: wordsOf(plain(text)) }));
  const named = [lines.at(0), lines.at(-1)].flatMap((line = "") => {
    const bare = line.replace(LABEL, "");
    const words = wordsOf(BOX.exec(bare)?.[1] ?? KEY.exec(bare)?.[1] ?? bare);
    const found = words === "" ? [] : texts.filter((option) => option.words === words);
    return found.map(({ letter }) => letter);
  });
  return new Set(named).size === 1 ? named[0] : undefined;
}

/** In lower case, without quotation marks and full stops at the end; signs of numbers and formulas stay. */
function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}+\-*/=<>^.,%°]/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/(?<![.,])[.,]+$/, "");
}
