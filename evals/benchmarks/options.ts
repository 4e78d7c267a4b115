import type { Option } from "../../src/core/shapes.ts";

/** Reads options such as `(B) text` or `B. text`; one without a letter takes the letter of its place. */
export function readOptions(texts: readonly string[]): {
  options: Option[];
  untidy: string | null;
} {
  const options = texts.map((text, place): Option & { lettered: boolean } => {
    const match = /^\s*(?:\(([A-Z])\)|([A-Z])[.):])/.exec(text);
    const letter = match?.[1] ?? match?.[2];
    return letter === undefined
      ? { letter: letterAt(place), text: text.trim(), lettered: false }
      : { letter, text: text.slice(match?.[0].length).trim(), lettered: true };
  });
  const untidy = options.some((option) => !option.lettered)
    ? "options without a letter, lettered by place"
    : new Set(options.map((option) => option.letter)).size < options.length
      ? "options that repeat a letter"
      : options.some((option, place) => option.letter !== letterAt(place))
        ? "options that skip a letter"
        : null;
  return { options: options.map(({ letter, text }) => ({ letter, text })), untidy };
}

function letterAt(place: number): string {
  return String.fromCharCode(65 + place);
}
