import { cardinalAt, ordinalAt } from "../../tools/mathematics/number-words.ts";
import { isUnitName } from "./number-units.ts";

/* Numbers in words as figures, so that signs, units and percentages are read in the same way. */

const DENOMINATORS = new Map([
  ["half", 2],
  ["halve", 2],
  ["third", 3],
  ["quarter", 4],
  ["fourth", 4],
  ["fifth", 5],
  ["sixth", 6],
  ["seventh", 7],
  ["eighth", 8],
  ["ninth", 9],
  ["tenth", 10],
  ["eleventh", 11],
  ["twelfth", 12],
  ["fifteenth", 15],
  ["sixteenth", 16],
  ["twentieth", 20],
  ["hundredth", 100],
  ["thousandth", 1000],
]);

const RUN = /(?<![\p{L}\d.,])[a-z\d]+(?:[ -]+[a-z\d]+)*(?![.,]?\d)/giu;

/** `two thirds` as `2/3`, `two and a half` as `2 1/2`, `half an hour` as `1/2 hour`. */
export function fractionsAsFigures(text: string): string {
  return text.replace(RUN, (run) => rewritten(run, fractionAt));
}

/** The same, with every other number: `one hundred and five` as `105`, `thirty-fifth` as `35`. */
export function wordsAsFigures(text: string): string {
  return text.replace(RUN, (run) =>
    rewritten(
      run,
      (words, at) =>
        fractionAt(words, at) ?? ordinalInFigures(words, at) ?? cardinalInFigures(words, at),
    ),
  );
}

/** Words of the longest number. */
const LONGEST = 30;

/** Reads few words ahead, so that a long text takes time in proportion to its length. */
function cardinalFrom(words: readonly string[], at: number): ReturnType<typeof cardinalAt> {
  return cardinalAt(words.slice(at, at + LONGEST), 0);
}

interface Figures {
  text: string;
  /** Words that it replaces. */
  length: number;
}

function rewritten(
  run: string,
  read: (words: readonly string[], at: number) => Figures | null,
): string {
  const tokens = run.split(/([ -]+)/);
  const words = tokens.filter((_, place) => place % 2 === 0).map((word) => word.toLowerCase());
  let out = "";
  for (let at = 0; at < words.length; ) {
    const { text, length } = read(words, at) ?? { text: tokens[2 * at] ?? "", length: 1 };
    out += text + (tokens[2 * (at + length) - 1] ?? "");
    at += length;
  }
  return out;
}

function cardinalInFigures(words: readonly string[], at: number): Figures | null {
  const number = /^[a-z]+$/.test(words[at] ?? "") ? cardinalFrom(words, at) : null;
  return number === null ? null : { text: String(number.value), length: number.length };
}

/**
 * `twenty-first`, `one hundred and first`, `two hundredth`; not the `two third` of `two third parties`, nor the seconds of
 * `a thirty-second clip`.
 */
function ordinalInFigures(words: readonly string[], at: number): Figures | null {
  const above = /^[a-z]+$/.test(words[at] ?? "") ? cardinalFrom(words, at) : null;
  if (above === null || !Number.isInteger(above.value)) return null;
  const next = at + above.length;
  const times = { hundredth: 100, thousandth: 1000, millionth: 1e6 }[words[next] ?? ""];
  if (times !== undefined) return { text: String(above.value * times), length: above.length + 1 };
  if (words[next] === "second" && /^an?$/.test(words[at - 1] ?? "")) return null;
  const isAnd = words[next] === "and";
  const below = ordinalAt(words, isAnd ? next + 1 : next);
  // A number that ends with words for tens takes units, one that ends with hundreds also tens and units.
  const room = above.value % 100 === 0 ? 100 : above.value % 10 === 0 ? 10 : 0;
  const fits = below !== null && below.value < room && (room === 100 || !isAnd);
  if (!fits || above.value === 0 || above.value % 100 === 10) return null;
  const length = above.length + (isAnd ? 1 : 0) + below.length;
  return { text: String(above.value + below.value), length };
}

function fractionAt(words: readonly string[], at: number): Figures | null {
  const simple = unitAndPartAt(words, at) ?? partAt(words, at) ?? halfOf(words, at);
  if (simple !== null) return simple;
  const whole = cardinalFrom(words, at);
  if (whole === null || !Number.isInteger(whole.value) || words[at + whole.length] !== "and")
    return null;
  const part = partAt(words, at + whole.length + 1);
  if (part === null) return null;
  return { text: `${whole.value} ${part.text}`, length: whole.length + 1 + part.length };
}

/** `an hour and a half` as `1 1/2 hour`. */
function unitAndPartAt(words: readonly string[], at: number): Figures | null {
  const whole = /^an?$/.test(words[at] ?? "") ? { value: 1, length: 1 } : cardinalFrom(words, at);
  if (whole === null || !Number.isInteger(whole.value)) return null;
  const next = at + whole.length;
  const unit = words[next] ?? "";
  if (unit.length < 2 || !isUnitName(unit) || words[next + 1] !== "and") return null;
  const part = partAt(words, next + 2);
  if (part === null) return null;
  return { text: `${whole.value} ${part.text} ${unit}`, length: whole.length + 2 + part.length };
}

/**
 * `two thirds`, `one half`, `a quarter`, `3 tenths`, with the `of an` before a unit; not the ordinal number of `a third
 * person`.
 */
function partAt(words: readonly string[], at: number): Figures | null {
  const article = /^an?$/.test(words[at] ?? "");
  const above = article ? { value: 1, length: 1 } : cardinalFrom(words, at);
  if (above === null || !Number.isInteger(above.value) || above.value < 1) return null;
  const named = words[at + above.length] ?? "";
  const below = DENOMINATORS.get(named) ?? DENOMINATORS.get(named.replace(/s$/, ""));
  if (below === undefined) return null;
  const after = words[at + above.length + 1];
  const ordinal =
    !named.endsWith("s") &&
    !/^(?:half|quarter)$/.test(named) &&
    (article ? after !== undefined && after !== "of" : above.value > 1);
  if (ordinal) return null;
  const isOfUnit =
    after === "of" &&
    /^an?$/.test(words[at + above.length + 2] ?? "") &&
    isUnitName(words[at + above.length + 3] ?? "");
  return { text: `${above.value}/${below}`, length: above.length + (isOfUnit ? 3 : 1) };
}

/** `half an hour`, `a quarter of an hour`, `half a million`, without the words before the unit. */
function halfOf(words: readonly string[], at: number): Figures | null {
  const below = { half: 2, quarter: 4 }[words[at] ?? ""];
  const article = words[at + 1] === "of" ? at + 2 : at + 1;
  if (below === undefined || !/^an?$/.test(words[article] ?? "")) return null;
  return { text: `1/${below}`, length: article - at + 1 };
}
