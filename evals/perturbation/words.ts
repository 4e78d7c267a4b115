import { createRequire } from "node:module";
import type nlpOfText from "compromise/two";
import type { Span } from "./change-items.ts";

/* Nouns and numbers of English captions. */

/** Loaded when first needed: its lexicon costs every other command a third of a second. */
let loaded: typeof nlpOfText | undefined;
function nlp(text: string) {
  loaded ??= createRequire(import.meta.url)("compromise/two") as typeof nlpOfText;
  return loaded(text);
}

/** Positions of the nouns in a text; pronouns and number words are not nouns. */
export function nounSpans(text: string): Span[] {
  return spansOf(nlp(text).match("#Noun").not("#Pronoun").not("#Value"), text);
}

/** Positions of the numbers in a text, in digits or words. */
export function numberSpans(text: string): Span[] {
  return spansOf(nlp(text).match("#Value").not("#Ordinal"), text);
}

interface Matches {
  out(format: "offset"): { terms: { offset: { start: number; length: number } }[] }[];
}

function spansOf(matches: unknown, text: string): Span[] {
  return (matches as Matches)
    .out("offset")
    .flatMap(({ terms }) => terms.map(({ offset }) => offset))
    .map(({ start, length }) => ({ start, end: start + length }))
    .filter(({ start, end }) => /[\p{L}\p{N}]/u.test(text.slice(start, end)));
}
