import { cardinalAt, ordinalAt } from "../number-words.ts";
import type { Token } from "./tokens.ts";

/* Reads numbers without their units: figures, words, fractions, powers of ten, years as they are said. */

export interface Part {
  value: number;
  form: "cardinal" | "ordinal" | "fraction";
  /** Index of the token after it. */
  next: number;
}

const GLYPHS = new Map([
  ["¼", 1 / 4],
  ["½", 1 / 2],
  ["¾", 3 / 4],
  ["⅓", 1 / 3],
  ["⅔", 2 / 3],
  ["⅛", 1 / 8],
]);
const PARTS = new Map([
  ["half", 2],
  ["halves", 2],
  ["third", 3],
  ["quarter", 4],
  ["fourth", 4],
  ["fifth", 5],
  ["sixth", 6],
  ["seventh", 7],
  ["eighth", 8],
  ["ninth", 9],
  ["tenth", 10],
]);
const SCALES = new Map([
  ["k", 1e3],
  ["m", 1e6],
  ["mn", 1e6],
  ["bn", 1e9],
  ["dozen", 12],
]);

/** The number that begins at a token; null if there is none. */
export function numberAt(
  words: readonly string[],
  at: number,
  tokens: readonly Token[],
): Part | null {
  const word = words[at] ?? "";
  const glyph = GLYPHS.get(word);
  if (glyph !== undefined) return { value: glyph, form: "fraction", next: at + 1 };
  const fraction = fractionAt(words, at);
  if (fraction !== null) return fraction;
  const year = yearAt(words, at);
  if (year !== null) return year;
  const ordinal =
    /^\d+$/.test(word) && /^(?:st|nd|rd|th)$/.test(words[at + 1] ?? "")
      ? { value: Number(word), length: 2 }
      : ordinalAt(words, at);
  if (ordinal !== null) return { value: ordinal.value, form: "ordinal", next: at + ordinal.length };
  const cardinal = cardinalAt(words, at);
  if (cardinal === null && word !== "dozen") return null;
  const { value, length } = cardinal ?? { value: 12, length: 1 };
  if (Number.isNaN(value)) return null;
  return withMore(words, { value, form: "cardinal", next: at + length }, tokens);
}

/** What may follow a cardinal: `1 1/2`, `2 ½`, `two and a half`, `3 x 10^4`, `1.2e3`, `5k`, `3.2 bn`, `two dozen`. */
function withMore(words: readonly string[], part: Part, tokens: readonly Token[]): Part {
  const { value, next } = part;
  const half = andAHalf(words, next);
  if (half !== null) return { ...part, value: value + half.value, next: half.next };
  const glyph = GLYPHS.get(words[next] ?? "");
  if (glyph !== undefined) return { ...part, value: value + glyph, next: next + 1 };
  const isWhole = Number.isInteger(value);
  if (isWhole && /^\d+$/.test(words[next] ?? "") && words[next + 1] === "/") {
    const [above, below] = [Number(words[next]), Number(words[next + 2])];
    if (above < below && below <= 64)
      return { ...part, value: value + above / below, next: next + 3 };
  }
  if (/^[x×*·]$/.test(words[next] ?? "") && words[next + 1] === "10") {
    const caret = words[next + 2] === "^" ? next + 3 : next + 2;
    const negative = /^[-−]$/.test(words[caret] ?? "");
    const power = Number(words[negative ? caret + 1 : caret]);
    if (Number.isInteger(power))
      return {
        ...part,
        value: value * 10 ** (negative ? -power : power),
        next: caret + (negative ? 2 : 1),
      };
  }
  if (words[next] === "e" && /^\d+$/.test(words[next + 1] ?? ""))
    return { ...part, value: value * 10 ** Number(words[next + 1]), next: next + 2 };
  const scale = SCALES.get(words[next] ?? "");
  const joined = words[next] === "dozen" || tokens[next]?.start === tokens[next - 1]?.end;
  if (scale !== undefined && joined && words[next] !== "m")
    return { ...part, value: value * scale, next: next + 1 };
  return part;
}

/** `3/4`, `three quarters`, `two thirds`, `a half`, `half a million`. A date such as `3/4/2020` is not a fraction. */
function fractionAt(words: readonly string[], at: number): Part | null {
  if (/^\d+$/.test(words[at] ?? "") && words[at + 1] === "/" && /^\d+$/.test(words[at + 2] ?? "")) {
    const [above, below] = [Number(words[at]), Number(words[at + 2])];
    if (below === 0 || words[at + 3] === "/" || words[at - 1] === "/") return null;
    return { value: above / below, form: "fraction", next: at + 3 };
  }
  if (words[at] === "half" || words[at] === "quarter")
    return ofLarge(words, {
      value: words[at] === "half" ? 1 / 2 : 1 / 4,
      form: "fraction",
      next: at + 1,
    });
  const article = words[at] === "a" || words[at] === "an" ? { value: 1, length: 1 } : null;
  const above = article ?? cardinalAt(words, at);
  if (above === null) return null;
  const named = words[at + above.length] ?? "";
  const below =
    PARTS.get(named) ?? (above.value > 1 ? PARTS.get(named.replace(/s$/, "")) : undefined);
  const plural = named.endsWith("s");
  const isFraction =
    below !== undefined &&
    (plural || below === 2 || below === 4
      ? above.value >= 1 && named !== "fourth"
      : above.value === 1 && (article === null || words[at + 2] === "of"));
  if (!isFraction || below === undefined || above.value >= 20) return null;
  return ofLarge(words, {
    value: above.value / below,
    form: "fraction",
    next: at + above.length + 1,
  });
}

/** `half a million`. */
function ofLarge(words: readonly string[], part: Part): Part {
  const at = words[part.next] === "of" ? part.next + 1 : part.next;
  const large = words[at] === "a" ? cardinalAt(words, at) : null;
  return large === null || large.length < 2
    ? part
    : { value: part.value * large.value, form: "cardinal", next: at + large.length };
}

/** `and a half`, `and three quarters`. */
export function andAHalf(words: readonly string[], at: number): Part | null {
  if (words[at] !== "and") return null;
  const fraction = fractionAt(words, at + 1);
  return fraction === null || fraction.value >= 1 || fraction.next === at + 2 ? null : fraction;
}

/** `nineteen eighty four`, `twenty twelve`, `eighteen oh five`. */
function yearAt(words: readonly string[], at: number): Part | null {
  if (/^\d/.test(words[at] ?? "")) return null;
  const first = cardinalAt(words.slice(at, at + 1), 0);
  if (first === null || first.value < 10 || first.value > 20) return null;
  if (words[at + 1] === "oh" || words[at + 1] === "o") {
    const last = cardinalAt(words.slice(at + 2, at + 3), 0);
    return last === null || last.value > 9
      ? null
      : { value: first.value * 100 + last.value, form: "cardinal", next: at + 3 };
  }
  const second = /^\d/.test(words[at + 1] ?? "") ? null : cardinalAt(words, at + 1);
  if (second === null || second.value < 10 || second.value > 99) return null;
  return {
    value: first.value * 100 + second.value,
    form: "cardinal",
    next: at + 1 + second.length,
  };
}

/** Whether a word is `half`, `quarters`, `tenth` ... */
export function isFractionWord(word: string | undefined): boolean {
  return word !== undefined && PARTS.has(word.replace(/s$/, ""));
}
