import { cardinalAt } from "../../tools/mathematics/number-words.ts";

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

/** The same, with every other number: `one hundred and five` as `105`. */
export function wordsAsFigures(text: string): string {
  return text.replace(RUN, (run) =>
    rewritten(run, (words, at) => fractionAt(words, at) ?? cardinalInFigures(words, at)),
  );
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
  const number = /^[a-z]+$/.test(words[at] ?? "") ? cardinalAt(words, at) : null;
  return number === null ? null : { text: String(number.value), length: number.length };
}

function fractionAt(words: readonly string[], at: number): Figures | null {
  const simple = partAt(words, at) ?? halfOf(words, at);
  if (simple !== null) return simple;
  const whole = cardinalAt(words, at);
  if (whole === null || !Number.isInteger(whole.value) || words[at + whole.length] !== "and")
    return null;
  const part = partAt(words, at + whole.length + 1);
  if (part === null) return null;
  return { text: `${whole.value} ${part.text}`, length: whole.length + 1 + part.length };
}

/** `two thirds`, `one half`, `a quarter`, `3 tenths`; not the ordinal number of `a third person`. */
function partAt(words: readonly string[], at: number): Figures | null {
  const article = /^an?$/.test(words[at] ?? "");
  const above = article ? { value: 1, length: 1 } : cardinalAt(words, at);
  if (above === null || !Number.isInteger(above.value) || above.value < 1) return null;
  const named = words[at + above.length] ?? "";
  const below = DENOMINATORS.get(named) ?? DENOMINATORS.get(named.replace(/s$/, ""));
  if (below === undefined) return null;
  const after = words[at + above.length + 1];
  const ordinal =
    !named.endsWith("s") &&
    !/^(?:half|quarter)$/.test(named) &&
    (article ? after !== undefined && after !== "of" : above.value > 1);
  return ordinal ? null : { text: `${above.value}/${below}`, length: above.length + 1 };
}

/** `half an hour`, `a quarter of an hour`, `half a million`, without the words before the unit. */
function halfOf(words: readonly string[], at: number): Figures | null {
  const below = { half: 2, quarter: 4 }[words[at] ?? ""];
  const article = words[at + 1] === "of" ? at + 2 : at + 1;
  if (below === undefined || !/^an?$/.test(words[article] ?? "")) return null;
  return { text: `1/${below}`, length: article - at + 1 };
}
