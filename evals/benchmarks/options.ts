import type { Option } from "../../src/core/shapes.ts";

/** Reads options such as `(B) text` or `B. text`; one without a letter gets the letter of its position. */
export function readOptions(texts: readonly string[]): {
  options: Option[];
  irregularity: string | null;
} {
  let lettered = 0;
  let usual = 0;
  const options = texts.map((text, place): Option => {
    const letter = letterAt(place);
    // A set has many thousands of options, and nearly all of them are usual.
    const found = startsWithLetter(text, letter) ? { letter, end: 3 } : letterOf(text);
    if (found === null) return { letter, text: text.trim() };
    lettered++;
    if (found.letter === letter) usual++;
    // One new text instead of two in nearly all.
    const end = text[found.end] === " " ? found.end + 1 : found.end;
    return { letter: found.letter, text: text.slice(end).trim() };
  });
  return { options, irregularity: irregularityOf(options, { lettered, usual }) };
}

function irregularityOf(
  options: readonly Option[],
  { lettered, usual }: { lettered: number; usual: number },
): string | null {
  if (lettered < options.length)
    return "options without a letter, given the letter of their position";
  if (usual === options.length) return null;
  return new Set(options.map((option) => option.letter)).size < options.length
    ? "options that repeat a letter"
    : "options that skip a letter";
}

/** Whether it is `(B) text` with this letter. */
function startsWithLetter(text: string, letter: string): boolean {
  return text[0] === "(" && text[1] === letter && text[2] === ")";
}

/** The letter at the start of an option, and where it ends. */
function letterOf(text: string): { letter: string; end: number } | null {
  const match = /^\s*(?:\(([A-Z])\)|([A-Z])[.):])/.exec(text);
  const letter = match?.[1] ?? match?.[2];
  return letter === undefined ? null : { letter, end: match?.[0].length ?? 0 };
}

/** The letter of an option by its place, from 0. */
export function letterAt(place: number): string {
  return String.fromCharCode(65 + place);
}
