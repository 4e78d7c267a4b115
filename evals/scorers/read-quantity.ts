import { numbersSaid } from "../../tools/mathematics/number-words.ts";
import { fractionsAsFigures, wordsAsFigures } from "./fraction-words.ts";
import { readUnit, UNIT, type Unit } from "./number-units.ts";
import { plainNumbers, UNREADABLE } from "./plain-numbers.ts";

/** A number as written, with what changes its meaning. */
export interface Quantity {
  value: number;
  percent: boolean;
  unit: Unit | null;
}

const SCALES: Readonly<Record<string, number>> = {
  hundred: 100,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
};

/** Digits in groups of three, with decimals; or plain digits. Of `1,234` the comma groups, of `3,5` it is a decimal comma. */
const FIGURES =
  "\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?(?![\\d])|\\d{1,3}(?:\\.\\d{3}){2,}(?![.\\d])|\\d{1,3}(?:\\.\\d{3})+,\\d+|\\d{1,3}(?:[ '’]\\d{3})+(?:[.,]\\d+)?(?!\\d)|\\d+(?:[.,]\\d+)?|\\.\\d+";
/** Not within a name such as `CO2`, and not an exponent. */
const START =
  "(?<![\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}][\\d.,]{0,30})(?<!\\^\\s?\\(?[-+]?[\\d.,]{0,30})";
const POWER =
  "\\s?[*x]\\s?10\\s?\\^\\s?\\(?(?<power>[-+]?\\d+)\\)?|e(?<exponent>[-+]?\\d+)|\\s?\\^\\s?\\(?(?<raised>[-+]?\\d+)\\)?";
const NUMBER = new RegExp(
  `(?<unreadable>${UNREADABLE})|${START}(?<![\\d:])(?<clock>\\d{1,3}(?::[0-5]\\d){1,2})(?![\\d:])|(?<sign>(?<![\\p{L}\\p{N}\\])^])[-+])?\\s?${START}(?:(?<whole>\\d+)\\s+(?=\\d+\\s?/\\s?\\d))?(?<figures>${FIGURES})(?:\\s?/\\s?(?<below>\\d+(?:\\.\\d+)?))?(?:${POWER})?(?:\\s?(?<percent>%|percent\\b|per cent\\b)|\\s?(?<scale>hundred|thousand|million|billion)\\b)?(?:\\s?(?<unit>${UNIT}))?`,
  "giu",
);

/**
 * The number that an answer gives: of several the last one, as the flexible reading of GSM8K in lm-eval; the content of
 * the last `\boxed{}` counts before anything else. Reads `1,234.5`, `1 234,5`, `2/3`, `1 1/2`, `\frac{2}{3}`, `1.2e3`,
 * `3 \times 10^4`, `10⁶`, `\frac{\sqrt{3}}{2}`, `12 %`, `$5`, `3 million`, `two thirds`, `1 hour 30 minutes`, and without
 * figures numbers in words. An exponent of a unit and the digits of a name such as `CO2` are no numbers. Null without a
 * number, and if the last one is an expression that has no single value.
 */
export function readQuantity(text: string): Quantity | null {
  const plain = fractionsAsFigures(plainNumbers(lastBoxed(text) ?? text));
  const written = lastQuantity(plain) ?? lastQuantity(wordsAsFigures(plain));
  if (written !== null) return written === UNREADABLE ? null : written;
  const said = numbersSaid(plain.replace(/\d+/g, " ")).at(-1);
  if (said === undefined) return null;
  const negative = new RegExp(`\\b(?:minus|negative) ${said.words}\\b`, "i").test(plain);
  return { value: negative ? -said.value : said.value, percent: false, unit: null };
}

/** The content of the last `\boxed{}`, with the braces in it. */
function lastBoxed(text: string): string | null {
  const start = [...text.matchAll(/\\f?boxed\s*\{/g)].at(-1);
  if (start === undefined) return null;
  const from = start.index + start[0].length;
  for (let at = from, depth = 1; at < text.length; at++) {
    if (text[at] === "{") depth++;
    if (text[at] === "}" && --depth === 0) return text.slice(from, at);
  }
  return null;
}

interface Found extends Quantity {
  start: number;
  end: number;
}

/** Null without a number in figures. */
function lastQuantity(text: string): Quantity | typeof UNREADABLE | null {
  const plain = text.replace(/(?<!\d\s?)\b(?:minus|negative)\s+(?=[\d.])/gi, "-");
  const matches = [...plain.matchAll(NUMBER)];
  const last = matches.at(-1);
  if (last === undefined) return null;
  if (last.groups?.unreadable !== undefined) return UNREADABLE;
  let sum = foundBy(last, plain);
  for (const match of matches.slice(0, -1).reverse()) {
    if (match.groups?.unreadable !== undefined) break;
    const before = foundBy(match, plain);
    if (!continues(before, sum, plain)) break;
    const more = (sum.value * (sum.unit?.factor ?? 0)) / (before.unit?.factor ?? 1);
    sum = { ...before, value: before.value + (before.value < 0 ? -more : more), end: sum.end };
  }
  const { value, percent, unit } = sum;
  return Number.isFinite(value) ? { value, percent, unit } : UNREADABLE;
}

/** Whether two numbers are one: `1 hour and 30 minutes`, `5 feet 3 inches`. */
function continues(before: Found, after: Found, plain: string): boolean {
  const [a, b] = [before.unit, after.unit];
  const joined = /^\s*(?:,\s*)?(?:and\s*)?$/i.test(plain.slice(before.end, after.start));
  if (a === null || b === null || !joined || after.value < 0) return false;
  const isCompound =
    a.dimension === "time" || (a.factor === FOOT.factor && b.factor === INCH.factor);
  return isCompound && a.dimension === b.dimension && after.value * b.factor < a.factor;
}

const FOOT = { dimension: "length", factor: 0.3048 };
const INCH = { dimension: "length", factor: 0.0254 };

function foundBy(match: RegExpMatchArray & { index?: number }, plain: string): Found {
  const start = match.index ?? 0;
  const end = start + match[0].length;
  const groups = match.groups ?? {};
  if (groups.clock !== undefined) {
    const value = groups.clock.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
    return { value, percent: false, unit: { dimension: "clock", factor: 1 }, start, end };
  }
  return { ...quantityOf(groups, plain.slice(end)), start, end };
}

function quantityOf(groups: Record<string, string | undefined>, after: string): Quantity {
  const {
    sign,
    whole,
    figures = "",
    below,
    power,
    exponent,
    raised,
    percent,
    scale,
    unit,
  } = groups;
  const share = readFigures(figures) / (below === undefined ? 1 : Number(below));
  const base = raised === undefined ? share : share ** Number(raised);
  const size = (Number(whole ?? 0) + base) * 10 ** Number(power ?? exponent ?? 0);
  const value = size * (SCALES[scale?.toLowerCase() ?? ""] ?? 1) * (sign === "-" ? -1 : 1);
  // The `in` of `7 in all` is no inch.
  const isWord = unit?.toLowerCase() === "in" && /^\s+\p{L}/u.test(after);
  return {
    value,
    percent: percent !== undefined,
    unit: unit === undefined || isWord ? null : readUnit(unit),
  };
}

function readFigures(figures: string): number {
  const grouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(figures);
  if (grouped) return Number(figures.replaceAll(",", ""));
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(figures))
    return Number(figures.replaceAll(".", "").replace(",", "."));
  if (/^\d{1,3}(?:\.\d{3}){2,}$/.test(figures)) return Number(figures.replaceAll(".", ""));
  return Number(figures.replace(/[ '’]/g, "").replace(",", "."));
}
