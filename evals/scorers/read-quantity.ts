import { numbersSaid } from "../../tools/mathematics/number-words.ts";
import { fractionsAsFigures, wordsAsFigures } from "./fraction-words.ts";
import { withoutDashes } from "./list-dashes.ts";
import { type NumberSpan, numbersInFigures, type Quantity } from "./number-pattern.ts";
import { plainNumbers } from "./plain-numbers.ts";

/**
 * The number that an answer gives: of several the last one, as the flexible reading of GSM8K in lm-eval; the content of
 * the last `\boxed{}` counts before anything else. Reads `1,234.5`, `1 234,5`, `1,00,000`, `2/3`, `1 1/2`, `\frac{2}{3}`,
 * `1.2e3`, `3 \times 10^4`, `10⁶`, `\frac{\sqrt{3}}{2}`, `12 %`, `$5M`, `3 million`, `two thirds`, `1 hour 30 minutes`,
 * `1:30`, `2:3`, and without figures numbers in words. An exponent of a unit and the digits of a name such as `CO2` are no
 * numbers, a dash and the mark of a list no signs. Null without a number, and if the last one is an expression that has no
 * single value.
 */
export function readQuantity(text: string): Quantity | null {
  const plain = fractionsAsFigures(plainNumbers(lastBoxed(text) ?? withoutDashes(text)));
  const written = lastQuantity(plain) ?? lastQuantity(wordsAsFigures(plain));
  if (written !== null) return written.quantity;
  const said = numbersSaid(plain.replace(/\d+/g, " ")).at(-1);
  if (said === undefined) return null;
  const negative = new RegExp(`\\b(?:minus|negative) ${said.words}\\b`, "i").test(plain);
  const value = negative ? -said.value : said.value;
  return { value, percent: false, unit: null, ratio: null };
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

/** Null without a number in figures; a quantity of null: the last one has no value. */
function lastQuantity(text: string): { quantity: Quantity | null } | null {
  const plain = text.replace(/(?<!\d\s?)\b(?:minus|negative)\s+(?=[\d.])/gi, "-");
  const spans = numbersInFigures(plain);
  let sum = spans.at(-1);
  if (sum === undefined) return null;
  for (const before of spans.slice(0, -1).reverse()) {
    const quantity = sumOf(before, sum, plain);
    if (quantity === null) break;
    sum = { quantity, start: before.start, end: sum.end };
  }
  return { quantity: sum.quantity };
}

const ABBREVIATION = /(?<!\p{L})(?:h|hrs?|m|mins?|s|secs?|ft)$/iu;
const FOOT = { dimension: "length", factor: 0.3048 };
const INCH = { dimension: "length", factor: 0.0254 };

/** The sum of two numbers that are one: `1 hour and 30 minutes`, `5 feet 3 inches`; else null. */
function sumOf(before: NumberSpan, after: NumberSpan, plain: string): Quantity | null {
  const [a, b] = [before.quantity, after.quantity];
  if (a === null || b === null || a.unit === null || b.unit === null) return null;
  const isCompound =
    a.unit.dimension === "time" || (a.unit.factor === FOOT.factor && b.unit.factor === INCH.factor);
  const isSame = a.unit.dimension === b.unit.dimension && a.ratio === null && b.ratio === null;
  const isPart = b.value >= 0 && b.value * b.unit.factor < a.unit.factor;
  if (!isCompound || !isSame || !isPart || !isJoined(before.end, after.start, plain)) return null;
  const more = (b.value * b.unit.factor) / a.unit.factor;
  return { ...a, value: a.value + (a.value < 0 ? -more : more) };
}

function isJoined(end: number, start: number, plain: string): boolean {
  const between = plain.slice(end, start);
  const isStop = between.startsWith(".");
  if (isStop && !ABBREVIATION.test(plain.slice(Math.max(0, end - 6), end))) return false;
  return /^\s*(?:,\s*)?(?:and\s*)?$/i.test(isStop ? between.slice(1) : between);
}
