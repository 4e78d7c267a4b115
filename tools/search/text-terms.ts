import { findQuantities, type Quantity } from "../mathematics/quantities.ts";
import { normalise, STOP_WORDS } from "./query-terms.ts";
import { stemOf } from "./stem.ts";

/*
 * The words and numbers of a text with their positions, for search and for weighing what is near what.
 */

/** A word or number of a text. */
export interface Term {
  /** Stem of a word, `#` and the value of a number; empty for a stop word. */
  key: string;
  word: string;
  /** Position in the text, in UTF-16 code units. */
  start: number;
  end: number;
  /** Words counted from the start of the text, with a gap after each clause and sentence. */
  place: number;
  /** Numbers of the clause and the sentence in the text. */
  clause: number;
  sentence: number;
  quantity: Quantity | null;
  /** Whether a number is an operand of arithmetic or counts the points of a list, and so is no value. */
  operand: boolean;
}

/** Words that the end of a clause and of a sentence count as. */
const CLAUSE_GAP = 4;
export const SENTENCE_GAP = 12;

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]/u;
const WORD = /\p{L}[\p{L}\p{M}]*(?:['’][\p{L}]+)*(?:\d+\p{L}*)*|\p{N}+(?:[.,]\p{N}+)*/gu;
const NUMBER_WORD =
  /^(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|trillion|dozen|half|and|a|an|of|point|minus|negative|past|to|oh?|\w*(?:quarter|third|fifth|sixth|seventh|eighth|ninth|tenth)s?|\d.*)$/i;
const SENTENCE_END = /[.!?…]["'”’)]*\s|[。！？]/u;
/** Characters around a number or a full stop that tell what it is. */
const CONTEXT = 80;
/** A full stop after one of these, or after the number of a point of a list, ends no sentence. */
const ABBREVIATION =
  /(?:\b(?:mrs?|ms|dr|prof|st|no|fig|approx|ca|vs|e\.g|i\.e|etc|\p{L})|(?:^|\n)\s*\d+)$/iu;
/** A sentence that begins with one of these goes on about what the one before it names. */
export const PRONOUN = /^(?:it|its|they|their|them|he|him|his|she|her)$/i;
const CLAUSE_END = /[,;()–—•]|\s-\s/;
const CLAUSE_WORD =
  /^(?:and|but|while|whereas|however|or|then|yet|although|though|unlike|versus|vs)$/;

/** Returns the words and numbers of a text in order. The end of a line ends a sentence, but counts as that of a clause. */
export function termsOf(text: string): Term[] {
  // Dots that lead to a figure, as in a price list, end no sentence.
  const plain = text
    .toWellFormed()
    .replace(/(?:\s?[._·…]){3,}(?=\s*\S)/g, (dots) =>
      /^\.{3}\s/.test(dots) ? dots : " ".repeat(dots.length),
    );
  const quantities = findQuantities(plain);
  const terms: Term[] = [];
  let lastQuantity: Quantity | undefined;
  let [place, clause, sentence, ended, next] = [0, 0, 0, 0, 0];
  for (const { 0: word, index: start } of plain.matchAll(WORD)) {
    const gap = plain.slice(ended, start);
    const end = start + word.length;
    const abbreviated =
      gap.startsWith(".") && ABBREVIATION.test(plain.slice(Math.max(0, ended - CONTEXT), ended));
    if (ended > 0 && !abbreviated && SENTENCE_END.test(gap)) {
      const gap = PRONOUN.test(word) ? CLAUSE_GAP : SENTENCE_GAP;
      [sentence, clause, place] = [sentence + 1, clause + 1, place + gap];
    } else if (ended > 0 && gap.includes("\n")) {
      [sentence, clause, place] = [sentence + 1, clause + 1, place + CLAUSE_GAP];
    } else if (CLAUSE_END.test(gap) && !isWithin(quantities.slice(next, next + 2), start)) {
      [clause, place] = [clause + 1, place + CLAUSE_GAP];
    }
    ended = end;
    while ((quantities[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++;
    const quantity = quantities[next];
    const inside = quantity !== undefined && quantity.start < end && quantity.end > start;
    if (!inside && CLAUSE_WORD.test(word.toLowerCase()))
      [clause, place] = [clause + 1, place + CLAUSE_GAP / 2];
    const base = { word, start, end, place: place++, clause, sentence };
    const isFirst = inside && quantity !== lastQuantity;
    if (inside) lastQuantity = quantity;
    if (isFirst && !isPronoun(plain, quantity)) {
      const operand = isOperand(plain, quantity) || isListNumber(plain, quantity);
      const said = plain.slice(quantity.start, quantity.end);
      terms.push({
        ...base,
        word: said,
        start: quantity.start,
        end: quantity.end,
        key: keyOf(quantity),
        quantity,
        operand,
      });
      if (NUMBER_WORD.test(word)) continue;
    }
    if (inside && NUMBER_WORD.test(word)) continue;
    for (const key of keysOf(word)) terms.push({ ...base, key, quantity: null, operand: false });
  }
  return terms;
}

function keyOf({ value }: Quantity): string {
  return `#${Number(value.toPrecision(9))}`;
}

/** The stem of a word; pairs of characters in scripts without spaces; empty for a stop word. */
function keysOf(word: string): string[] {
  const plain = normalise(word);
  if (UNSPACED.test(plain)) {
    const letters = [...plain];
    return letters.length === 1
      ? [plain]
      : letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
  }
  const bare = plain.replace(/['’]s?$/, "").replace(/n['’]t$/, "");
  if (STOP_WORDS.has(bare) || bare === "" || /['’]/.test(bare)) return [""];
  return [stemOf(bare)];
}

function isWithin(quantities: readonly Quantity[], at: number): boolean {
  return quantities.some(({ start, end }) => start < at && at < end);
}

/** `one of them`, `this one`: no number. */
function isPronoun(text: string, { start, end }: Quantity): boolean {
  if (!/^one$/i.test(text.slice(start, end))) return false;
  return (
    /^\s+(?:of|another|is|has|can|should|must|might|would|day|could)\b/i.test(
      text.slice(end, end + CONTEXT),
    ) ||
    /\b(?:the|this|that|each|every|which|no|any|other|another|last|next|by|as)\s+$/i.test(
      text.slice(Math.max(0, start - CONTEXT), start),
    )
  );
}

const BEFORE_OPERAND = /(?:[+*×÷·^]|(?<=[\d)\]]\s?)[-−/x](?=\s)|(?<=[\d)]\s)[-−])\s*$/i;
const AFTER_OPERAND =
  /^\s*(?:[+*×÷·^]|[-−/]\s+\(?\d|x\s*\d|[a-z]\s*[-+=)]|(?:plus|minus|times|divided by|multiplied by)\s)/i;

/** A number of `2x + 3 = 11` or `12 × 4`, but not the result of arithmetic without an unknown. */
function isOperand(text: string, { start, end }: Quantity): boolean {
  const [before, after] = [
    text.slice(Math.max(0, start - CONTEXT), start),
    text.slice(end, end + CONTEXT),
  ];
  if (BEFORE_OPERAND.test(before) || AFTER_OPERAND.test(after)) return true;
  const side = /(?:^|[.;:,])\s*([^.;:,=]*?)\s*=\s*$/.exec(before)?.[1];
  const plain = side?.replace(/(?<=\d)\s*x\s*(?=\d)/gi, "*") ?? "";
  return /\d\s*[a-z]\b|\b[a-z]\s*[-+*/^]/i.test(plain);
}

/** `3.` or `3)` at the start of a line. */
function isListNumber(text: string, { start, end }: Quantity): boolean {
  return (
    /(?:^|\n)\s*\(?$/.test(text.slice(Math.max(0, start - CONTEXT), start)) &&
    /^\s?(?:\)|\.(?:\s|$))/.test(text.slice(end, end + CONTEXT))
  );
}
