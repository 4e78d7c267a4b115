import { numbersSaid } from "../../tools/mathematics/number-words.ts";

/** A number as written, with what changes its meaning. */
export interface Quantity {
  value: number;
  percent: boolean;
  unit: Unit | null;
}

interface Unit {
  dimension: string;
  /** How many of the smallest common unit it is. */
  factor: number;
}

const units = (dimension: string, factors: Record<string, number>): [string, Unit][] =>
  Object.entries(factors).flatMap(([names, factor]) =>
    names.split(" ").map((name): [string, Unit] => [name, { dimension, factor }]),
  );

const UNITS = new Map([
  ...units("length", {
    "mm millimeter millimetre": 1e-3,
    "cm centimeter centimetre": 1e-2,
    "m meter metre": 1,
    "km kilometer kilometre": 1e3,
  }),
  ...units("mass", { "mg milligram": 1e-3, "g gram": 1, "kg kilogram": 1e3 }),
  ...units("time", {
    "ms millisecond": 1e-3,
    "s sec second": 1,
    "min minute": 60,
    "h hr hour": 3600,
    day: 86400,
  }),
  ...units("volume", { "ml milliliter millilitre": 1e-3, cl: 1e-2, "l liter litre": 1 }),
]);

const SCALES: Readonly<Record<string, number>> = { thousand: 1e3, million: 1e6, billion: 1e9 };

/** Digits in groups of three, with decimals; or plain digits. Of `1,234` the comma groups, of `3,5` it is a decimal comma. */
const FIGURES =
  "\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?(?![\\d])|\\d{1,3}(?:\\.\\d{3})+,\\d+|\\d{1,3}(?:[ '’]\\d{3})+(?:[.,]\\d+)?(?!\\d)|\\d+(?:[.,]\\d+)?|\\.\\d+";
const NUMBER = new RegExp(
  `(?<sign>(?<![\\p{L}\\p{N})\\]])[-+])?\\s?(?:(?<whole>\\d+)\\s+(?=\\d+\\s?/\\s?\\d))?(?<figures>${FIGURES})(?:\\s?/\\s?(?<below>\\d+(?:\\.\\d+)?))?(?:\\s?[*x]\\s?10\\s?\\^\\s?\\(?(?<power>[-+]?\\d+)\\)?|e(?<exponent>[-+]?\\d+))?(?:\\s?(?<percent>%|percent\\b|per cent\\b)|\\s?(?<scale>thousand|million|billion)\\b)?(?:\\s?(?<unit>[a-z]+)\\b)?`,
  "giu",
);

/**
 * The number that an answer gives: of several the last one, as the flexible reading of GSM8K in lm-eval; the content of
 * the last `\boxed{}` counts before anything else. Reads `1,234.5`, `1 234,5`, `2/3`, `1 1/2`, `\frac{2}{3}`, `1.2e3`,
 * `3 \times 10^4`, `12 %`, `$5`, `3 million`, and without figures numbers in words. Null without a number.
 */
export function readQuantity(text: string): Quantity | null {
  const boxed = [...text.matchAll(/\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}/g)].at(-1)?.[1];
  const plain = withoutLatex(boxed ?? text);
  const match = [...plain.matchAll(NUMBER)].at(-1);
  if (match?.groups !== undefined) return quantityOf(match.groups);
  const said = numbersSaid(plain).at(-1);
  if (said === undefined) return null;
  const negative = new RegExp(`\\b(?:minus|negative) ${said.words}\\b`, "i").test(plain);
  return { value: negative ? -said.value : said.value, percent: false, unit: null };
}

function quantityOf(groups: Record<string, string | undefined>): Quantity {
  const { sign, whole, figures = "", below, power, exponent, percent, scale, unit } = groups;
  const share = readFigures(figures) / (below === undefined ? 1 : Number(below));
  const size = (Number(whole ?? 0) + share) * 10 ** Number(power ?? exponent ?? 0);
  const value = size * (SCALES[scale?.toLowerCase() ?? ""] ?? 1) * (sign === "-" ? -1 : 1);
  const name = unit?.toLowerCase() ?? "";
  return {
    value,
    percent: percent !== undefined,
    unit: UNITS.get(name) ?? UNITS.get(name.replace(/s$/, "")) ?? null,
  };
}

function readFigures(figures: string): number {
  const grouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(figures);
  if (grouped) return Number(figures.replaceAll(",", ""));
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(figures))
    return Number(figures.replaceAll(".", "").replace(",", "."));
  return Number(figures.replace(/[ '’]/g, "").replace(",", "."));
}

function withoutLatex(text: string): string {
  return text
    .replace(/\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}/g, " $1/$2 ")
    .replace(/\\(?:text|mathrm|textbf|mathbf)\s*\{([^{}]*)\}/g, " $1 ")
    .replace(/\\(?:times|cdot)/g, "*")
    .replace(/\\(?:[,;!: ]|q?quad)/g, " ")
    .replace(/(?<=\d)\{,\}(?=\d)/g, ",")
    .replace(/\^\{([^{}]*)\}/g, "^$1")
    .replace(/\\([%$])/g, "$1")
    .normalize("NFKC")
    .replace(/[⁄∕]/g, "/")
    .replace(/[−–—]/g, "-")
    .replace(/[×·]/g, "*")
    .replace(/[$€£¥*_`](?=[-+]?[\d.])/g, (mark) => (mark === "*" ? "*" : ""))
    .replace(/\*{2,}/g, " ");
}
