import {
  evennessOf,
  featuresOf,
  type GlyphFeatures,
  gapsOf,
  measureGlyph,
  tallest,
} from "./glyph-features.ts";
import { heightOf } from "./glyphs.ts";
import { letterScore } from "./letter-network.ts";
import type { Plane } from "./plane.ts";
import type { TextLine } from "./text-lines.ts";

/*
 * Decides whether lines contain letters, by the features of three neighbouring glyphs or of one glyph. The letters of a
 * word have the same depth, the same stroke width, a common baseline, sharp edges and a quiet ground; marks of a
 * texture seldom have all of these. Two logistic regressions (a weight for each feature and for its square), fitted on
 * lines read from films, charts and boards with many fonts, sizes and backgrounds, and on lines found in film without
 * text.
 */

/**
 * Least scores for three glyphs to be possible letters of a row, and for one glyph to be a possible digit. They are low
 * on purpose: a word on a photograph scores as little as -1.3, and half of the pictures of a cluttered room score more.
 */
const LEAST_OF_ROW = -1.5;
const LEAST_OF_ONE = 2.2;
/** Least score of the regression for three glyphs to be scored by the networks. */
const LEAST_TO_SCORE = -4;
/** Least score of the networks for a picture to be read. The faintest drawn words that tesseract reads score 0.74. */
const LEAST_OF_LETTERS = 0.65;
/** Least score for a picture of which the next ones may be read. One of sixty pictures of textures has it. */
const LEAST_OF_SIMILAR = 0.3;

type Weights = Readonly<Record<string, readonly [linear: number, square: number]>>;

const ROW_BIAS = 9.771;
const ROW = {
  leastSharpness: [1.056, 2.421],
  sharpness: [4.832, -7.29],
  depth: [-3.157, -0.105],
  aboveNoise: [2.068, 0.644],
  opposite: [0.966, 0.29],
  stray: [-3.341, -0.958],
  weakest: [2.082, -6.063],
  weak: [-0.801, 4.406],
  stroke: [-2.202, -0.924],
  fill: [0.974, -0.548],
  winding: [4.389, -0.016],
  uneven: [-8.271, 13.217],
  size: [1.372, 0.086],
  width: [-0.814, -1.324],
  heights: [-0.731, -0.1],
  strokes: [0.181, -0.038],
  medians: [2.554, 0.468],
  falls: [1.27, 0.166],
  baseline: [-0.232, 0.403],
  line: [-0.412, -0.035],
  widths: [-0.507, 0.274],
  noises: [-0.106, -0.235],
  gap: [0.71, -0.149],
  touching: [0.351, 0.272],
  fulls: [-0.081, 0.468],
} satisfies Weights;

const ONE_BIAS = 0.807;
const ONE = {
  leastSharpness: [1.822, -1.7],
  depth: [-1.285, 0.035],
  aboveNoise: [0.469, 0.146],
  opposite: [0.493, 0.167],
  stray: [-0.12, -0.064],
  weakest: [-2.736, 2.752],
  stroke: [-1.97, 0.109],
  fill: [3.767, -1.559],
  winding: [4.306, -0.528],
  uneven: [0.329, -6.614],
  size: [0.29, -0.013],
  width: [0.203, -1.446],
} satisfies Weights;

/** Share of the size of a line from which a glyph may be one of its letters. */
const TALL = 0.35;
/** Largest gap between two of three glyphs, in heights of the largest. */
const WIDE_GAP = 2.2;

/** Three neighbouring glyphs of a line. */
export interface Window {
  line: TextLine;
  looks: readonly GlyphFeatures[];
}

/** How much lines look like letters; `similar`: not enough to be read. */
export type Likeness = "none" | "similar" | "letters";

/**
 * How much these lines of a picture look like letters. Nothing is recognised. The regressions are fast and miss nothing
 * that can be read; the networks then examine the shapes.
 */
export function likenessToLetters(lines: readonly TextLine[], plane: Plane): Likeness {
  const looks = lines.map((line) => ({ line, looks: looksOf(line, plane) }));
  const isOne = (look: GlyphFeatures) =>
    score(featuresOf([look], plane), ONE, ONE_BIAS) >= LEAST_OF_ONE;
  if (looks.some((it) => it.looks.some(isOne))) return "letters";
  const rows = looks
    .flatMap((it) => windowsOf(it.line, it.looks))
    .map((window) => ({ ...window, score: rowScore(window, plane) }))
    .filter((window) => window.score >= LEAST_TO_SCORE);
  if (!rows.some((window) => window.score >= LEAST_OF_ROW)) return "none";
  let best = Number.NEGATIVE_INFINITY;
  for (const { looks, line } of rows) {
    best = Math.max(best, letterScore(looks, line, plane));
    if (best >= LEAST_OF_LETTERS) return "letters";
  }
  return best >= LEAST_OF_SIMILAR ? "similar" : "none";
}

/** Whether some of these lines of a picture look like letters. Nothing is recognised. */
export function holdLetters(lines: readonly TextLine[], plane: Plane): boolean {
  return likenessToLetters(lines, plane) === "letters";
}

/** The `most` lines whose neighbouring glyphs look most like letters, on average. Nothing is recognised. */
export function mostLikeLetters(
  lines: readonly TextLine[],
  most: number,
  plane: Plane,
): TextLine[] {
  return lines
    .map((line) => {
      const windows = windowsOf(line, looksOf(line, plane));
      const sum = windows.reduce((total, window) => total + rowScore(window, plane), 0);
      return {
        line,
        score: windows.length === 0 ? Number.NEGATIVE_INFINITY : sum / windows.length,
      };
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ line }) => line);
}

/** Number of glyphs of these lines that may be letters of a row. */
export function countLetters(lines: readonly TextLine[], plane: Plane): number {
  const windows = lines.flatMap((line) => windowsOf(line, looksOf(line, plane)));
  const letters = windows.filter((window) => rowScore(window, plane) >= LEAST_OF_ROW);
  return new Set(letters.flatMap(({ looks }) => looks.map(({ glyph }) => glyph))).size;
}

const measured = new WeakMap<TextLine, GlyphFeatures[]>();

/** Measures the glyphs of a line of this plane that may be letters, from left to right; once for each line. */
export function looksOf(line: TextLine, plane: Plane): readonly GlyphFeatures[] {
  const known = measured.get(line);
  if (known !== undefined) return known;
  const looks = line.glyphs
    .filter((glyph) => heightOf(glyph) >= line.size * TALL)
    .map((glyph) => measureGlyph(glyph, line, plane))
    .sort((a, b) => a.glyph.x0 - b.glyph.x0 || a.glyph.y0 - b.glyph.y0);
  measured.set(line, looks);
  return looks;
}

/** Returns all windows of three glyphs that are close to each other. */
export function windowsOf(line: TextLine, looks: readonly GlyphFeatures[]): Window[] {
  return looks
    .map((_, index) => ({ line, looks: looks.slice(index, index + 3) }))
    .filter(
      ({ looks: three }) =>
        three.length === 3 && gapsOf(three).every((gap) => gap <= WIDE_GAP * tallest(three)),
    );
}

/** The score of the regression for a window. */
export function rowScore({ looks }: Window, plane: Plane): number {
  return score({ ...featuresOf(looks, plane), ...evennessOf(looks) }, ROW, ROW_BIAS);
}

function score(features: Readonly<Record<string, number>>, weights: Weights, bias: number): number {
  return Object.entries(weights).reduce((sum, [name, [linear, square]]) => {
    const value = features[name] ?? 0;
    return sum + linear * value + square * value * value;
  }, bias);
}
