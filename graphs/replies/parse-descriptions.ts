import { finalText, onOneLine } from "./reply-text.ts";

/** Most clips that a model may count in a video; a larger number is an error of the model. */
export const MOST_CLIPS = 64;

const NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split(
  " ",
);

/**
 * Reads `Clip 1: ...` lines. Accepts bullets, markup, `Clip #1 -` and descriptions over several lines. Of two
 * descriptions of one clip the last counts. Each description is returned on one line. Remarks after the last
 * description are left out: a separate paragraph, or further lines if all other descriptions have one line.
 */
export function parseDescriptions(text: string, word: "Clip" | "Part"): Map<number, string> {
  const header = new RegExp(
    `^[\\s>#*_\`-]*(?:\\d+[.)]\\s*)?[*_\`]*${word}\\s*#?\\s*(\\d{1,3})[*_\`]*\\s*(?:\\([^)\\n]*\\))?\\s*[*_\`]*\\s*[:.–—-]+[*_\`]*`,
    "gim",
  );
  const final = finalText(text).replace(ENDLESS, "\n\n");
  const heads = [...final.matchAll(header)];
  const bodies = heads.map((head, index) =>
    final.slice(head.index + head[0].length, heads[index + 1]?.index ?? final.length).trim(),
  );
  const others = bodies.slice(0, -1);
  const inOneLine = others.length > 0 && others.every((body) => !body.includes("\n"));
  const found = new Map<number, string>();
  for (const [index, head] of heads.entries()) {
    const number = Number(head[1]);
    const body = bodies[index] ?? "";
    const isLast = index === heads.length - 1;
    const description = onOneLine(isLast ? withoutRemarks(body, inOneLine) : body);
    if (number >= 1 && description !== "") found.set(number, description);
  }
  return found;
}

function withoutRemarks(body: string, inOneLine: boolean): string {
  return body.split(inOneLine ? "\n" : PARAGRAPH, 1)[0] ?? "";
}

/**
 * Space or markup that a model repeats endlessly. It is shortened, since a header is searched for at each character.
 */
const ENDLESS = /[\s>#*_`-]{60,}/g;

const PARAGRAPH = /\n[^\S\n]*\n/;

/**
 * One description, without the heading that some models put before it, and without paragraphs that introduce it (`Here
 * it is:`) or explain it afterwards. Null if the reply has no text.
 */
export function parseDescription(
  text: string,
  word: "Clip" | "Part",
  number: number,
): string | null {
  const named = parseDescriptions(text, word);
  const only = named.size === 1 ? named.get(number) : undefined;
  const paragraphs = finalText(text).split(PARAGRAPH);
  const words = paragraphs.find((one) => !one.trim().endsWith(":")) ?? finalText(text);
  const description = only ?? onOneLine(words);
  return description === "" ? null : description;
}

/**
 * How many clips a reply counts by the rule of VCRBench's released code (`str2int`): the number that the whole reply is,
 * else its first digits. Null without digits or above `MOST_CLIPS`; below 0 counts as 0.
 */
export function releasedCount(text: string): number | null {
  const whole = /^\s*([+-]?\d+)\s*$/.exec(text)?.[1];
  const digits = whole ?? /\d+/.exec(text)?.[0];
  const count = digits === undefined ? Number.NaN : Math.max(0, Number(digits));
  return count <= MOST_CLIPS ? count : null;
}

/** How many clips a reply counts: its only number, in digits or a word up to twelve; null without one in range. */
export function parseCount(text: string): number | null {
  const tokens =
    finalText(text)
      .toLowerCase()
      .match(/\d+|[a-z]+/g) ?? [];
  const numbers = new Set(
    tokens
      .map((token) => (/\d/.test(token) ? Number(token) : NUMBER_WORDS.indexOf(token)))
      .filter((number) => number >= 0),
  );
  const [count] = numbers;
  return numbers.size === 1 && count !== undefined && count >= 1 && count <= MOST_CLIPS
    ? count
    : null;
}
