import type { AskedTerm } from "./asked.ts";
import type { ReadTerm } from "./reading.ts";

/* What sort of answer a question asks for. */

export interface Expected {
  /** Whether it is a number or a date. */
  value: boolean;
  /** Dimensions that it may have; empty for any. */
  dimensions: ReadonlySet<string>;
  /** A year or a time. */
  date: boolean;
  /** Whether a time is no answer. */
  amount: boolean;
  /** Words of a sentence that states a place, a reason or a person; null for all else. */
  marked: RegExp | null;
}

const PLACE =
  /\b(?:in|at|on|under|inside|outside|near|behind|beneath|above|below|between|beside|along|across|from|to)\s+(?:the|an?|its|our|his|her|their|\p{Lu})/u;
const REASON =
  /\b(?:because|since|so that|so|as|due to|owing to|in order to|thanks to|reasons?|therefore|otherwise|to)\b/i;
const PERSON = /(?<!^)(?<![.!?:]\s)\b\p{Lu}\p{Ll}+/u;
const DAY =
  /\b(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day|spring|summer|autumn|winter|morning|noon|afternoon|evening|night|midnight|today|tomorrow|yesterday|after|before|during|until|once)\b/i;

const FOR_VALUE =
  /\bhow (?:many|much|long|far|tall|high|deep|wide|heavy|hot|cold|warm|fast|old|often|big|large|thick|expensive)\b|\b(?:what|which)\s+(?:\S+\s+){0,3}?(?:value|number|amount|percentage|percent|temperature|length|height|depth|width|distance|speed|mass|weight|age|price|cost|share|rate|size|population|area|volume|quantity|score|total|sum|duration|year|constant|pH|voltage|pressure|frequency|time|point|dose|level|limit|maximum|minimum|average|ratio|capacity)\b/i;
const FOR_DATE = /\bwhen\b|\b(?:what|which) (?:year|date|day|month|time|decade|century)\b/i;

/** Reads from the words of a question whether a number or a date is asked for. */
export function expectedAnswer(text: string, asked: readonly AskedTerm[]): Expected {
  const date = FOR_DATE.test(text);
  const dimensions = new Set(asked.flatMap((term) => term.dimensions));
  const marked = /\bwhere\b/i.test(text)
    ? PLACE
    : /\bwhy\b/i.test(text)
      ? REASON
      : /\bwho\b/i.test(text)
        ? PERSON
        : null;
  const amount = /\bhow much\b/i.test(text) && !dimensions.has("time");
  return { value: date || FOR_VALUE.test(text), dimensions, date, amount, marked };
}

/** Whether a sentence states what is asked for in other words than a number. */
export function states(text: string, { date, marked }: Expected): boolean {
  if (date && DAY.test(text)) return true;
  return marked?.test(text) ?? false;
}

/** Whether a term of the evidence is a number of the sort that is asked for. */
export function isExpected(
  { quantity, operand }: ReadTerm,
  { dimensions, date, amount }: Expected,
): boolean {
  if (quantity === null || operand) return false;
  const { dimension, value, form } = quantity;
  if (date && dimension === null) return form === "ordinal" || (value >= 1000 && value <= 2200);
  if (amount && (dimension === "time" || dimension === "clock")) return false;
  return dimension === null || dimensions.size === 0 || dimensions.has(dimension);
}
