import type { Option } from "../../src/core/shapes.ts";

/** Reads options such as `(B) text` or `B. text`; one without a letter gets the letter of its position. */
export function readOptions(texts: readonly string[]): {
  options: Option[];
  irregularity: string | null;
} {
  const options = texts.map(readOption);
  // The usual options need no further look: a set has many thousands.
  const isUsual = options.every(({ letter }, place) => letter === letterAt(place));
  const irregularity = texts.some((text) => letterOf(text) === null)
    ? "options without a letter, given the letter of their position"
    : isUsual
      ? null
      : new Set(options.map((option) => option.letter)).size < options.length
        ? "options that repeat a letter"
        : "options that skip a letter";
  return { options, irregularity };
}

function readOption(text: string, place: number): Option {
  const found = letterOf(text);
  return found === null
    ? { letter: letterAt(place), text: text.trim() }
    : { letter: found.letter, text: text.slice(found.end).trim() };
}

/** The letter at the start of an option, and where it ends. */
function letterOf(text: string): { letter: string; end: number } | null {
  const second = text[1] ?? "";
  // `(B) text`, without a regular expression.
  if (text.startsWith("(") && text[2] === ")" && second >= "A" && second <= "Z")
    return { letter: second, end: 3 };
  const match = /^\s*(?:\(([A-Z])\)|([A-Z])[.):])/.exec(text);
  const letter = match?.[1] ?? match?.[2];
  return letter === undefined ? null : { letter, end: match?.[0].length ?? 0 };
}

function letterAt(place: number): string {
  return String.fromCharCode(65 + place);
}
