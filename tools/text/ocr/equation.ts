import { meanConfidence } from "../ocr.ts";
import type { Cluster, EquationShape } from "./equation-shape.ts";
import { type Bounds, heightOf, widthOf } from "./glyphs.ts";

/**
 * Composes the line as one text, such as `A^2 = (C + B)(C - B)`, from readings of its segments. Returns null unless
 * every character of every segment is accounted for and the result is well formed.
 */
export function composeEquation(
  shape: EquationShape,
  base: readonly string[],
  scripts: readonly string[],
): string | null {
  let text = "";
  let onLine = 0;
  for (const [index, part] of shape.base.entries()) {
    const characters = charactersOf(part.clusters, base[index] ?? "");
    if (characters === null) return null;
    if (part.root) text += "sqrt(";
    for (const character of characters) {
      text += character;
      onLine++;
      for (const [which, script] of shape.scripts.entries()) {
        if (script.after !== onLine) continue;
        const value = unify(scripts[which] ?? "");
        if ([...value].length !== script.clusters.length) return null;
        if (script.raised && /\d$/.test(text) && /^[0oO]$/.test(value)) {
          // An exponent of zero is unlikely on a board: a small ring is a degree sign.
          text += "°";
          continue;
        }
        text += `${script.raised ? "^" : "_"}${script.clusters.length > 1 ? `{${value}}` : value}`;
      }
    }
    if (part.root) text += ")";
  }
  // Next to a digit it is the digit one. A capital `I` may be a current.
  const mended = text.replace(/(?<=\d)l|l(?=\d)/g, "1");
  return isWellFormed(mended) ? spaced(mended) : null;
}

/** Letters whose lower and upper case look alike. */
const ALIKE = /[CKOPSUVWXYZ]/;
/** Characters that tesseract reads for the signs that are known by their ink. */
const SIGNS = /[=\-()?!]/;

/**
 * Returns a character for each cluster: signs known by their ink as they are, all others as recognised, in order.
 * Returns null if the number of recognised characters differs.
 */
function charactersOf(clusters: readonly Cluster[], reading: string): string[] | null {
  const read = [...unify(reading)];
  const whole = read.length === clusters.length;
  // Tesseract has no language model for `= 7?` or for an open bracket.
  const others = whole ? read : read.filter((one) => !SIGNS.test(one));
  const open = clusters.filter(({ sign }) => sign === undefined).length;
  const dropped = read.length - others.length;
  if (!whole && (others.length !== open || dropped > clusters.length - open)) return null;
  let next = 0;
  return clusters.map((cluster) => {
    const given = cluster.sign === undefined || whole ? (others[next++] ?? "") : "";
    return cluster.sign ?? (cluster.low && ALIKE.test(given) ? given.toLowerCase() : given);
  });
}

/** Normalises spaces: around relations, sums and differences. */
function spaced(text: string): string {
  return text
    .replace(/[=<>≤≥≈≠±×÷·]|(?<=[\p{L}\p{N})\]}'])[+-]/gu, " $& ")
    .replace(/\s+/g, " ")
    .trim();
}

/** Normalises dashes and primes, without spaces. */
function unify(text: string): string {
  return text
    .replace(/[—–−~]/g, "-")
    .replace(/[’‘`´]/g, "'")
    .replace(/\s+/g, "");
}

const RELATION = /=|<|>|≤|≥|≈|≠/;

/**
 * Brackets must be balanced, operators must have operands, and a relation must have an expression or `?` on both sides.
 */
export function isWellFormed(text: string): boolean {
  const packed = text.replace(/\s+/g, "");
  if (!/^[\p{L}\p{N}+\-=<>≤≥≈≠±×÷·*/^_(){}[\]|,.:;'!?√∑∫∞°]+$/u.test(packed)) return false;
  const sides = packed.split(RELATION);
  if (sides.length < 2 || sides.some((side) => !/[\p{L}\p{N}]|^\?$/u.test(side))) return false;
  if (/[+\-*/·×÷=<>≤≥^_]$|^[+*/·×÷=<>≤≥^_)\]}]|[+*/·×÷^_][+*/·×÷^_=)\]}]/.test(packed))
    return false;
  const open: string[] = [];
  for (const character of packed) {
    const close = { "(": ")", "[": "]", "{": "}" }[character];
    if (close !== undefined) open.push(close);
    else if (")]}".includes(character) && open.pop() !== character) return false;
  }
  return open.length === 0;
}

/**
 * Whether a text relates two sides that are not prose. Such a text is accepted only if it was read character by
 * character.
 */
export function relates(text: string): boolean {
  const sides = text.split(RELATION);
  return (
    proseShare(text) <= PROSE &&
    sides.length > 1 &&
    sides.every((side) => /[\p{L}\p{N}]/u.test(side))
  );
}

/** Share of prose words from which a line is prose. */
export const PROSE = 0.3;

/** Share of a line's characters that are in words of prose. */
export function proseShare(text: string): number {
  const all = text.replace(/\s+/g, "").length;
  if (all === 0) return 0;
  const words = text.match(/(?<![\p{L}\p{N}])\p{L}[\p{Ll}'’-]{2,}(?![\p{L}\p{N}([_])/gu) ?? [];
  return words.join("").length / all;
}

/** Sum of characters times confidence from which a reading shows that something is written. */
const SOMETHING = 1.5;

/** Whether an unread equation is more than a texture with two parallel strokes. */
export function isCredible(
  readings: readonly { text: string; confidence: number }[],
  line: Bounds,
): boolean {
  const something = readings.reduce(
    (sum, { text, confidence }) => sum + confidence * (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0),
    0,
  );
  return something >= SOMETHING && widthOf(line) >= heightOf(line) * 1.5;
}

/** Most rows that an equation is read as, such as a sum with its limits. */
const MOST_ROWS = 3;
/** Least mean confidence of the characters of an unread equation with an equals sign, and of any other. */
const LEAST_SURE = 0.25;
const LEAST_SURE_ELSE = 0.4;

/** Whether an unread equation was read as one, and not as a column of marks in a texture. */
export function isOneEquation(
  readings: readonly { text: string; confidence: number }[],
  { equals }: Pick<EquationShape, "equals">,
): boolean {
  const least = equals ? LEAST_SURE : LEAST_SURE_ELSE;
  return readings.length <= MOST_ROWS && meanConfidence(readings) >= least;
}

/** Whether a line is mathematics and not prose, by its reading and its ink. */
export function looksLikeEquation(text: string, shape: EquationShape): boolean {
  if (proseShare(text) > PROSE) return false;
  return (
    relates(text) ||
    shape.equals ||
    shape.signs.length > 0 ||
    /[∑∫√±∂∞]/.test(text) ||
    (shape.scripts.length > 1 && /[+\-−–—*/(]/.test(text))
  );
}
