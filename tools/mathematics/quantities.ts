import { cardinalAt } from "./number-words.ts";
import { andAHalf, isFractionWord, numberAt, type Part } from "./quantities/numbers.ts";
import { type Token, tokensOf } from "./quantities/tokens.ts";
import { LONGEST_UNIT, type Unit, unitNamed } from "./units.ts";

/*
 * Finds numbers and quantities in English text, in figures and in words: `1,200`, `8 hundred`, `two and a half`,
 * `three quarters`, `21st`, `1.2e3`, `1 1/2`, `25 %`, `2 hours 30 minutes`, `$5`, `half past seven`.
 */

/** A number with its unit, if it has one. */
export interface Quantity {
  /** As stated, before conversion: 1.5 of `1.5 km`. Minutes after midnight of a clock time. */
  value: number;
  /** In the base unit of the dimension: 1500 of `1.5 km`. */
  base: number;
  /** `length`, `time`, `clock` ...; null without a unit. */
  dimension: string | null;
  form: "cardinal" | "ordinal" | "fraction";
  /** Position in the text, in UTF-16 code units. */
  start: number;
  end: number;
}

const POUND_KG = 0.45359237;

/** Returns the quantities of a text in order; they do not overlap. */
export function findQuantities(text: string): Quantity[] {
  const tokens = tokensOf(text);
  const words = tokens.map((token) => token.text);
  const found: Quantity[] = [];
  for (let at = 0; at < tokens.length; ) {
    const read = clockAt(words, at) ?? quantityAt(words, at, tokens);
    // The `a day` of `two litres a day`.
    const rate = /^an?$/.test(words[at] ?? "") && found.at(-1)?.end === tokens[at - 1]?.end;
    if (read === null || (rate && at > 0)) {
      at++;
      continue;
    }
    const { next, ...quantity } = read;
    found.push({
      ...quantity,
      start: (tokens[at] as Token).start,
      end: (tokens[next - 1] as Token).end,
    });
    at = next;
  }
  return found;
}

/** Whether two quantities are equal; a quantity without a unit is compared by its stated number. */
export function sameQuantity(a: Quantity, b: Quantity): boolean {
  if (a.dimension !== null && b.dimension !== null) {
    if (a.dimension === b.dimension) return isClose(a.base, b.base);
    // A spoken pound is money or a mass.
    const [pound, other] = a.dimension === "pound" ? [a, b] : [b, a];
    if (pound.dimension !== "pound") return false;
    return (
      (other.dimension === "money" && isClose(pound.value, other.base)) ||
      (other.dimension === "mass" && isClose(pound.value * POUND_KG, other.base))
    );
  }
  if (isClose(a.value, b.value)) return true;
  const percent = a.dimension === "percent" ? a : b.dimension === "percent" ? b : null;
  const other = percent === a ? b : a;
  return percent !== null && other.form === "fraction" && isClose(percent.value / 100, other.value);
}

function isClose(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
}

type Read = Omit<Quantity, "start" | "end"> & { next: number };

function quantityAt(words: readonly string[], at: number, tokens: readonly Token[]): Read | null {
  const prefix = unitOfSign(words[at] ?? "");
  const sign = signAt(words, at, tokens);
  const from = prefix !== null ? at + 1 : sign.next;
  const part =
    numberAt(words, from, tokens) ??
    (prefix === null && sign.next === at ? indefiniteAt(words, at) : null);
  if (part === null || isInName(tokens, from)) return null;
  const value = part.value * sign.sign;
  const unit =
    prefix !== null
      ? { unit: prefix, next: part.next }
      : part.form === "ordinal" || isDecade(tokens, part.next)
        ? null
        : unitAt(words, part.next);
  if (unit === null) return { ...part, value, base: value, dimension: null };
  const { dimension, factor } = unit.unit;
  const half = andAHalf(words, unit.next);
  const whole: Read = {
    value: value + (half?.value ?? 0),
    base: (value + (half?.value ?? 0)) * factor,
    dimension,
    form: part.form,
    next: half?.next ?? unit.next,
  };
  return half === null && prefix === null ? withSmallerPart(words, whole, factor) : whole;
}

/** The 2 of `H2O`. */
function isInName(tokens: readonly Token[], at: number): boolean {
  const [before, here] = [tokens[at - 1], tokens[at]];
  return before !== undefined && before.end === here?.start && /[a-z]$/.test(before.text);
}

/** The `s` of `1990s`. */
function isDecade(tokens: readonly Token[], at: number): boolean {
  const [before, here] = [tokens[at - 1], tokens[at]];
  return here?.text === "s" && before?.end === here.start && /^\d\d\d0$/.test(before.text);
}

/** `2 hours 30 minutes`, `5 feet and 3 inches`: a smaller unit of the same dimension follows. */
function withSmallerPart(words: readonly string[], whole: Read, factor: number): Read {
  const next = words[whole.next] === "and" ? whole.next + 1 : whole.next;
  const more = numberAt(words, next, []);
  const unit = more === null ? null : unitAt(words, more.next);
  if (more === null || unit === null || whole.dimension === "temperature") return whole;
  if (unit.unit.dimension !== whole.dimension || unit.unit.factor >= factor) return whole;
  const base = whole.base + more.value * unit.unit.factor;
  return { ...whole, base, value: base / factor, next: unit.next };
}

/** `-5`, `minus five`. A hyphen after a word or number is a dash. */
function signAt(words: readonly string[], at: number, tokens: readonly Token[]) {
  const word = words[at] ?? "";
  const spoken = word === "minus" || word === "negative";
  const written = /^[-−–]$/.test(word);
  const before = tokens[at - 1];
  const here = tokens[at];
  const dash =
    written &&
    ((before !== undefined &&
      here !== undefined &&
      before.end === here.start &&
      /[\w)]$/.test(before.text)) ||
      tokens[at + 1]?.start !== here?.end);
  if ((!spoken && !written) || dash || (spoken && /^\d/.test(words[at - 1] ?? "")))
    return { sign: 1, next: at };
  return { sign: -1, next: at + 1 };
}

/** `an hour`, `half an hour`, `a quarter of an hour`: the unit follows an article. */
function unitAt(words: readonly string[], at: number): { unit: Unit; next: number } | null {
  const article = /^(?:an?|of)$/.test(words[at] ?? "") ? (words[at] === "of" ? 2 : 1) : 0;
  for (let length = LONGEST_UNIT; length > 0; length--) {
    const from = at + (article > 0 && isFractionWord(words[at - 1]) ? article : 0);
    const name = words.slice(from, from + length).join(" ");
    const unit = from + length > words.length || name === "a" ? null : unitNamed(name);
    if (unit !== null) return { unit, next: from + length };
  }
  return null;
}

/** `an hour and a half`, `a week`. */
function indefiniteAt(words: readonly string[], at: number): Part | null {
  if (words[at] !== "a" && words[at] !== "an") return null;
  const unit = unitNamed(words[at + 1] ?? "");
  return unit === null || (words[at + 1] ?? "").length < 3 || unit.dimension === "percent"
    ? null
    : { value: 1, form: "cardinal", next: at + 1 };
}

function unitOfSign(word: string): Unit | null {
  return /^[$€£¥]$/.test(word) ? unitNamed(word) : null;
}

/** `7:30`, `7 am`, `half past seven`, `quarter to nine`, `seven o'clock`. The value is in minutes after midnight. */
function clockAt(words: readonly string[], at: number): Read | null {
  const time = (minutes: number, next: number): Read => {
    const half = /^[ap]$/.test(words[next] ?? "") && words[next + 1] === "." ? 4 : 1;
    const mark = /^(?:[ap]m)$/.test(words[next] ?? "")
      ? words[next]
      : half === 4
        ? `${words[next]}m`
        : "";
    const shifted =
      mark === "pm" && minutes < 720 ? 720 : mark === "am" && minutes >= 720 ? -720 : 0;
    const value = minutes + shifted;
    return {
      value,
      base: value,
      dimension: "clock",
      form: "cardinal",
      next: mark === "" ? next : next + half,
    };
  };
  const word = words[at] ?? "";
  if (/^\d{1,2}$/.test(word) && words[at + 1] === ":" && /^\d\d$/.test(words[at + 2] ?? "")) {
    if (Number(word) > 24 || words[at + 3] === ":") return null;
    return time(Number(word) * 60 + Number(words[at + 2]), at + 3);
  }
  const past = /^(?:past|to)$/.test(words[at + 1] ?? "");
  const minutes = word === "half" ? 30 : word === "quarter" ? 15 : null;
  if (past && minutes !== null) {
    const hour = cardinalAt(words, at + 2);
    if (hour === null || hour.value > 24) return null;
    const sign = words[at + 1] === "to" ? -1 : 1;
    return time(hour.value * 60 + sign * minutes, at + 2 + hour.length);
  }
  const hour = cardinalAt(words, at);
  if (hour === null || hour.value > 24) return null;
  const next = at + hour.length;
  if (words[next] === "o" && /^['’]$/.test(words[next + 1] ?? "") && words[next + 2] === "clock")
    return time(hour.value * 60, next + 3);
  return /^[ap]m$/.test(words[next] ?? "") &&
    (Number.isInteger(hour.value) || /^\d+\.\d\d$/.test(word))
    ? time(Math.floor(hour.value) * 60 + Math.round((hour.value % 1) * 100), next)
    : null;
}
