import type { LibraryTerm } from "./library-query.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** A part of a text with the places that match a query. */
export interface Snippet {
  text: string;
  /** Start and end of each match in `text`, in UTF-16 code units, in order and without overlap. */
  match: [number, number][];
}

/** Most characters of a snippet, and how many of them stand before the first match. */
const LONGEST = 240;
const BEFORE = 60;

/** The part of a text around its first match, cut at spaces and marked with `…` where text is left out. */
export function snippetOf(text: string, terms: readonly LibraryTerm[]): Snippet {
  const matches = matchesIn(text, terms);
  if (text.length <= LONGEST) return { text, match: matches };
  const first = matches[0]?.[0] ?? 0;
  const start = first <= BEFORE ? 0 : wordStart(text, first - BEFORE, first);
  const end = start + LONGEST >= text.length ? text.length : wordEnd(text, start + LONGEST);
  const before = start === 0 ? "" : "…";
  const shift = before.length - start;
  return {
    text: `${before}${text.slice(start, end)}${end === text.length ? "" : "…"}`,
    match: matches
      .filter(([from, to]) => from >= start && to <= end)
      .map(([from, to]) => [from + shift, to + shift]),
  };
}

/** Start and end of each match in a text, in UTF-16 code units, in order and without overlap. */
export function matchesIn(text: string, terms: readonly LibraryTerm[]): [number, number][] {
  const tokens = tokensOf(text);
  return mergeRanges(terms.flatMap((term) => matchesOf(tokens, term)));
}

function matchesOf(tokens: readonly Token[], term: LibraryTerm): [number, number][] {
  const last = term.tokens.length - 1;
  return tokens.flatMap((first, at): [number, number][] => {
    const end = tokens[at + last];
    const fits = term.tokens.every((key, index) => {
      const there = tokens[at + index]?.key;
      return index === last && term.prefix ? there?.startsWith(key) : there === key;
    });
    return fits && end !== undefined ? [[first.start, end.end]] : [];
  });
}

function mergeRanges(ranges: readonly [number, number][]): [number, number][] {
  const merged: [number, number][] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const before = merged.at(-1);
    if (before !== undefined && from < before[1]) before[1] = Math.max(before[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/** The start of a word between two places, or the first place that cuts no character. */
function wordStart(text: string, from: number, to: number): number {
  const space = text.slice(from, to).search(/\s/);
  return space < 0 ? wholeCharacter(text, from) : from + space + 1;
}

function wordEnd(text: string, to: number): number {
  const cut = text.slice(0, to).search(/\s\S*$/);
  return cut > to - BEFORE ? cut : wholeCharacter(text, to);
}

function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
