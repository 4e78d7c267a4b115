import type { Option } from "../../src/core/shapes.ts";

/** Reads options such as `(B) text` or `B. text`; one without a letter gets the letter of its position. */
export function readOptions(texts: readonly string[]): {
  options: Option[];
  irregularity: string | null;
} {
  const options = texts.map((text, place): Option & { hasLetter: boolean } => {
    const match = /^\s*(?:\(([A-Z])\)|([A-Z])[.):])/.exec(text);
    const letter = match?.[1] ?? match?.[2];
    return letter === undefined
      ? { letter: letterAt(place), text: text.trim(), hasLetter: false }
      : { letter, text: text.slice(match?.[0].length).trim(), hasLetter: true };
  });
  const irregularity = options.some((option) => !option.hasLetter)
    ? "options without a letter, given the letter of their position"
    : new Set(options.map((option) => option.letter)).size < options.length
      ? "options that repeat a letter"
      : options.some((option, place) => option.letter !== letterAt(place))
        ? "options that skip a letter"
        : null;
  return { options: options.map(({ letter, text }) => ({ letter, text })), irregularity };
}

function letterAt(place: number): string {
  return String.fromCharCode(65 + place);
}
