import { type Unit, unitAt } from "./number-units.ts";
import { UNREADABLE } from "./plain-numbers.ts";

/* A number in figures in plain text, with its sign, power, percent sign, scale and unit. */

const SCALES: Readonly<Record<string, number>> = {
  hundred: 100,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
};

/** Of `1,234` and of the Indian `1,00,000` the commas group, of `3,5` and `0,125` it is a decimal comma. */
const FIGURES = [
  String.raw`[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?(?!\d)`,
  String.raw`(?!0)\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)`,
  String.raw`(?!0)\d{1,3}(?:\.\d{3}){2,}(?![.\d])`,
  String.raw`(?!0)\d{1,3}(?:\.\d{3})+,\d+`,
  String.raw`(?!0)\d{1,3}(?:[ '’]\d{3})+(?:[.,]\d+)?(?!\d)`,
  String.raw`\d+(?:[.,]\d+)?`,
  String.raw`\.\d+`,
].join("|");
/** Not within a name such as `CO2`, and not an exponent. */
const START = String.raw`(?<![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}][\d.,]{0,30})(?<!\^\s?\(?[-+]?[\d.,]{0,30})`;
/** `2:3`, `1:30` or `3 : 4`; `Step 1: 5` is none. */
const RATIO = String.raw`${START}(?<![\d:])\d+(?:\.\d+)?(?:(?::|\s:\s)\d+(?:\.\d+)?)+`;
const NO_RATIO = String.raw`(?!\d+(?:\.\d+)?(?::|\s:\s)\d)`;
/** The hyphen of `3 - 4` is no sign. */
const SIGN = String.raw`(?<![\p{L}\p{N}\])^])(?!(?<=\d\s)-\s)[-+]`;
const POWER = String.raw`\s?[*x]\s?10\s?\^\s?\(?(?<power>[-+]?\d+)\)?|e(?<exponent>[-+]?\d+)|\s?\^\s?\(?(?<raised>[-+]?\d+)\)?`;
const MIXED = String.raw`(?<whole>\d+)\s+(?=\d+\s?/\s?\d)`;
const BELOW = String.raw`\s?/\s?(?<below>\d+(?:\.\d+)?)`;
const SHARE = String.raw`\s?(?<percent>%|percent\b|per cent\b)|\s?(?<scale>${Object.keys(SCALES).join("|")})\b`;
const NUMBER = new RegExp(
  `(?<unreadable>${UNREADABLE})|(?<ratio>${RATIO})|(?<sign>${SIGN})?\\s?${START}${NO_RATIO}(?:${MIXED})?(?<figures>${FIGURES})(?:${BELOW})?(?:${POWER})?(?:${SHARE})?`,
  "giu",
);
/** Minutes and seconds, or hours, minutes and seconds. */
const CLOCK = /^\d{1,3}(?::[0-5]\d){1,2}(?:\.\d+)?$/;
const SECONDS = { dimension: "time", factor: 1 };

/** A number as written, with what changes its meaning. */
export interface Quantity {
  /** The seconds of a clock such as `1:30`; the first number of another ratio divided by its last. */
  value: number;
  percent: boolean;
  /** Null without a unit that is known. */
  unit: Unit | null;
  /** The numbers of `2:3`, and of a clock; null for all else. */
  ratio: readonly number[] | null;
}

/** A number at its place in a text; null: an expression that has no single value. */
export interface NumberSpan {
  quantity: Quantity | null;
  start: number;
  /** The offset after the number and its unit. */
  end: number;
}

/** Every number of a text in figures, in order. The text is in the notation of `plainNumbers`. */
export function numbersInFigures(plain: string): NumberSpan[] {
  return [...plain.matchAll(NUMBER)].map(({ 0: text, index, groups = {} }) => {
    const [start, after] = [index, index + text.length];
    if (groups.unreadable !== undefined) return { quantity: null, start, end: after };
    if (groups.ratio !== undefined) return { quantity: ratioOf(groups.ratio), start, end: after };
    const unit = unitAt(plain, after);
    const end = unit?.end ?? after;
    // The `in` of `7 in all` is no inch.
    const isWord = /^\s?in$/i.test(plain.slice(after, end)) && /^\s+\p{L}/u.test(plain.slice(end));
    const value = amountOf(groups);
    if (!Number.isFinite(value)) return { quantity: null, start, end };
    const percent = groups.percent !== undefined;
    const own = isWord ? null : (unit?.unit ?? null);
    return { quantity: { value, percent, unit: own, ratio: null }, start, end };
  });
}

function ratioOf(text: string): Quantity {
  const written = text.replace(/\s/g, "");
  const ratio = written.split(":").map(Number);
  const clock = ratio.reduce((sum, part) => sum * 60 + part, 0);
  if (CLOCK.test(written)) return { value: clock, percent: false, unit: SECONDS, ratio };
  const value = (ratio[0] ?? 0) / (ratio.at(-1) ?? 1);
  return { value, percent: false, unit: null, ratio };
}

function amountOf(groups: Record<string, string | undefined>): number {
  const { sign, whole, figures = "", below, power, exponent, raised, scale } = groups;
  const share = readFigures(figures) / (below === undefined ? 1 : Number(below));
  const base = raised === undefined ? share : share ** Number(raised);
  const size = (Number(whole ?? 0) + base) * 10 ** Number(power ?? exponent ?? 0);
  return size * (SCALES[scale?.toLowerCase() ?? ""] ?? 1) * (sign === "-" ? -1 : 1);
}

function readFigures(figures: string): number {
  if (/^[1-9]\d{0,2}(?:,\d{2,3})*,\d{3}(?:\.\d+)?$/.test(figures))
    return Number(figures.replaceAll(",", ""));
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(figures))
    return Number(figures.replaceAll(".", "").replace(",", "."));
  if (/^\d{1,3}(?:\.\d{3}){2,}$/.test(figures)) return Number(figures.replaceAll(".", ""));
  return Number(figures.replace(/[ '’]/g, "").replace(",", "."));
}
