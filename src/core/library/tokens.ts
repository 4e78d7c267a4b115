import { UNSPACED } from "../unspaced-text.ts";
import { foldText } from "./fold-text.ts";

/** A word of a text, or one character of a script without spaces. */
export interface Token {
  /** Without case and diacritics. */
  key: string;
  /** Place in the text, in UTF-16 code units. */
  start: number;
  end: number;
  unspaced: boolean;
}

const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;

/** The words of a text in order. */
export function tokensOf(text: string): Token[] {
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const tokens: Token[] = [];
    let at = 0;
    for (const run of word.matchAll(UNSPACED)) {
      if (run.index > at) tokens.push(token(word.slice(at, run.index), index + at, false));
      let place = index + run.index;
      for (const character of run[0]) {
        tokens.push(token(character, place, true));
        place += character.length;
      }
      at = run.index + run[0].length;
    }
    if (at < word.length) tokens.push(token(word.slice(at), index + at, false));
    return tokens;
  });
}

/** The words of a text in order, without case and diacritics; a run of a script without spaces is one word. */
export function wordsOf(text: string): string[] {
  return (text.match(WORD) ?? []).map(foldWord);
}

function token(text: string, start: number, unspaced: boolean): Token {
  return { key: foldWord(text), start, end: start + text.length, unspaced };
}

/** The two forms of sigma are one letter, as in the index. */
function foldWord(text: string): string {
  return foldText(text).toLowerCase().replaceAll("ς", "σ");
}
