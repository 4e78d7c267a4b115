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

/** Texts such as `B minor`, `A → C → B` and `Both A and B`, which begin as the letters of other options do. */
const LIKE_LETTERS = /^[^\p{L}\p{N}]*(?:(?:both|either) )?\p{L}(?![\p{L}\p{N}'’]).*[\p{L}\p{N}]/iu;

/**
 * The only option whose words a text begins with that could be letters: `B minor`, up to the end of the text or of one
 * of its sentences; `rest` is what follows.
 */
export function optionLikeLetters(
  text: string,
  options: readonly Option[],
): { letter: string; rest: string } | undefined {
  const texts = options
    .filter((option) => LIKE_LETTERS.test(option.text))
    .map((option) => ({ letter: option.letter, words: wordsOf(plain(option.text)) }));
  if (texts.length === 0 || LETTER_IN_BRACKETS.test(text)) return undefined;
  const ends = [...text.matchAll(SENTENCE_END)].map(({ index }) => index);
  for (const end of [text.length, ...ends]) {
    const words = wordsOf(text.slice(0, end));
    const [only, ...others] = texts.filter((option) => option.words === words);
    if (only !== undefined && others.length === 0)
      return { letter: only.letter, rest: text.slice(end) };
  }
  return undefined;
}

const LETTER_IN_BRACKETS = /^ ?(?:option )?[([{][A-Z][)\]}]/i;
const SENTENCE_END = /[.!;](?= )/g;

/** Signs by their names in TeX, and other forms of a sign. */
const SIGNS: readonly [RegExp, string][] = [
  [/\\(?:(?:long)?rightarrow|to)(?![a-z])|-+>|[⇒⟶➔➜⮕]/gi, "→"],
  [/\\cap(?![a-z])/gi, "∩"],
  [/\\cup(?![a-z])/gi, "∪"],
  [/\\lt(?![a-z])/gi, "<"],
  [/\\gt(?![a-z])/gi, ">"],
  [/\\leq?(?![a-z])/gi, "≤"],
  [/\\geq?(?![a-z])/gi, "≥"],
  [/[–−]/g, "-"],
];

/** In lower case, without quotation marks and full stops at the end; signs of numbers and formulas stay. */
function wordsOf(text: string): string {
  return SIGNS.reduce((words, [form, sign]) => words.replace(form, sign), text.toLowerCase())
    .replace(/[^\p{L}\p{M}\p{N}+\-*/=<>≤≥∩∪→←^.,%°]/gu, " ")
    .replace(/ *([=<>≤≥∩∪→←]) */g, " $1 ")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/(?<![.,])[.,]+$/, "")
    .trimEnd()
    .replace(/^→ /, "");
}
