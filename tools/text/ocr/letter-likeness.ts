import { type Glyph, heightOf, type Plane, widthOf } from "./glyphs.ts";
import type { TextLine } from "./text-lines.ts";

/*
 * Whether any of the lines holds letters, by the look of three neighbouring glyphs or of a single one. Letters of a word
 * have one depth, one stroke width and a common line, sharp edges and a quiet ground; the marks of a texture seldom have
 * all of these. Two logistic regressions (a weight for each feature and for its square), fitted on the lines that are
 * read from films, charts and boards of many fonts, sizes and grounds, against those found in film without text.
 */

/**
 * Scores from which on three glyphs may be letters of a row, and one glyph a digit. They are low on purpose: a word that is
 * read on a photograph scores as little as -1.3, and half of the pictures of a cluttered room score more than that.
 */
const LEAST_OF_ROW = -1.5;
const LEAST_OF_ONE = 2.2;

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

/** Share of the size of a line from which on a glyph may be a letter of it. */
const TALL = 0.35;
/** Heights of the largest of three glyphs that may be empty between two of them. */
const WIDE_GAP = 2.2;

/** Whether some of these lines of a picture look like letters. Nothing is read. */
export function holdLetters(lines: readonly TextLine[], plane: Plane): boolean {
  return lines.some((line) => {
    const glyphs = line.glyphs
      .filter((glyph) => heightOf(glyph) >= line.size * TALL)
      .map((glyph) => lookOf(glyph, line, plane))
      .sort((a, b) => a.glyph.x0 - b.glyph.x0 || a.glyph.y0 - b.glyph.y0);
    return glyphs.some(
      (one, index) =>
        score(featuresOf([one], plane), ONE, ONE_BIAS) >= LEAST_OF_ONE ||
        isRow(glyphs.slice(index, index + 3), plane),
    );
  });
}

function isRow(three: readonly Look[], plane: Plane): boolean {
  if (three.length < 3 || gapsOf(three).some((gap) => gap > WIDE_GAP * tallest(three)))
    return false;
  const features = { ...featuresOf(three, plane), ...evennessOf(three) };
  return score(features, ROW, ROW_BIAS) >= LEAST_OF_ROW;
}

function score(features: Readonly<Record<string, number>>, weights: Weights, bias: number): number {
  return Object.entries(weights).reduce((sum, [name, [linear, square]]) => {
    const value = features[name] ?? 0;
    return sum + linear * value + square * value * value;
  }, bias);
}

/** A glyph with what its ink and the ground around it are like; depths in grey levels, areas in pixels. */
interface Look {
  glyph: Glyph;
  area: number;
  /** Sides of pixels at its edge. */
  perimeter: number;
  /** Depth of half and of the strongest tenth of its ink. */
  median: number;
  full: number;
  /** Grey levels from inside its edges to beyond them, and the share of edges where these are less than ink has. */
  fall: number;
  weak: number;
  /** Standard deviation of the ground around, and its pixels that are ink of the other sign or of other glyphs. */
  noise: number;
  opposite: number;
  stray: number;
}

function lookOf(glyph: Glyph, line: TextLine, { pixels, width, height }: Plane): Look {
  const { mask, background, sign, contrast } = line.ink;
  const depth = (at: number) => ((background[at] ?? 0) - (pixels[at] ?? 0)) * sign;
  const depths = new Uint32Array(256);
  let [area, perimeter, falls, edges, weak] = [0, 0, 0, 0, 0];
  const edge = (at: number, step: number, room: number, behind: number) => {
    if (room >= 1 && mask[at + step] === 1) return;
    perimeter++;
    if (room < 2) return;
    const fall = Math.abs(depth(behind > 0 ? at - step : at) - depth(at + 2 * step));
    falls += fall;
    if (fall < contrast) weak++;
    edges++;
  };
  for (let y = glyph.y0; y <= glyph.y1; y++)
    for (let x = glyph.x0; x <= glyph.x1; x++) {
      const at = y * width + x;
      if (mask[at] !== 1) continue;
      const deep = Math.max(0, depth(at));
      depths[deep] = (depths[deep] ?? 0) + 1;
      area++;
      const [right, below] = [width - 1 - x, height - 1 - y];
      edge(at, 1, right, x);
      edge(at, -1, x, right);
      edge(at, width, below, y);
      edge(at, -width, y, below);
    }
  const level = (share: number) => {
    let deep = 0;
    for (let seen = 0; seen < area * share && deep < 255; deep++) seen += depths[deep] ?? 0;
    return deep;
  };
  return {
    ...{ glyph, area, perimeter, median: level(0.5), full: level(0.9) },
    ...{ fall: edges === 0 ? 0 : falls / edges, weak: edges === 0 ? 0 : weak / edges },
    ...groundOf(glyph, area, line, { pixels, width, height }),
  };
}

function groundOf(
  glyph: Glyph,
  area: number,
  { ink }: TextLine,
  { pixels, width, height }: Plane,
): Pick<Look, "noise" | "opposite" | "stray"> {
  const { mask, background, sign, contrast } = ink;
  const around = Math.max(3, Math.round(heightOf(glyph) * 0.25));
  let [count, sum, squares, opposite, inked] = [0, 0, 0, 0, 0];
  const bottom = Math.min(height - 1, glyph.y1 + around);
  const right = Math.min(width - 1, glyph.x1 + around);
  for (let y = Math.max(0, glyph.y0 - around); y <= bottom; y++)
    for (let x = Math.max(0, glyph.x0 - around); x <= right; x++) {
      const at = y * width + x;
      if (mask[at] !== 0) {
        inked++;
        continue;
      }
      const depth = ((background[at] ?? 0) - (pixels[at] ?? 0)) * sign;
      count++;
      sum += depth;
      squares += depth * depth;
      if (depth < -contrast) opposite++;
    }
  const variance = count === 0 ? 0 : squares / count - (sum / count) ** 2;
  return { noise: Math.sqrt(Math.max(0, variance)), opposite, stray: inked - area };
}

/** What one or several glyphs are like. */
function featuresOf(looks: readonly Look[], plane: Plane) {
  const log = (value: number, least = 0) => Math.log(value + least);
  const of = (value: (look: Look) => number) => looks.map(value);
  const area = total(of((look) => look.area));
  const full = of((look) => look.full);
  const median = of((look) => look.median);
  const size = middle(of(({ glyph }) => heightOf(glyph)));
  const least = Math.min(...of((look) => look.fall)) / Math.max(1, ...full);
  return {
    leastSharpness: log(least, 0.05),
    sharpness: log(mean(of((look) => look.fall)) / mean(full), 0.05),
    depth: log(mean(full)),
    aboveNoise: log(Math.min(...median) / (Math.max(...of((look) => look.noise)) + 1), 0.1),
    opposite: log(total(of((look) => look.opposite)) / area, 0.01),
    stray: log(Math.max(0, total(of((look) => look.stray))) / area, 0.03),
    weakest: Math.max(...of((look) => look.weak)),
    weak: mean(of((look) => look.weak)),
    stroke: log(mean(of(strokeOf)) / size),
    fill: log(mean(of(({ glyph, ...look }) => look.area / (heightOf(glyph) * widthOf(glyph))))),
    winding: log(mean(of((look) => look.perimeter ** 2 / look.area / 12.57))),
    uneven: (mean(full) - mean(median)) / mean(full),
    size: log(size / plane.height),
    width: log(mean(of(({ glyph }) => widthOf(glyph))) / size),
  };
}

/** How alike neighbouring glyphs are, and how they are placed. */
function evennessOf(looks: readonly Look[]) {
  const log = (value: number, least: number) => Math.log(value + least);
  const of = (value: (look: Look) => number) => looks.map(value);
  const size = middle(of(({ glyph }) => heightOf(glyph)));
  const top = greatestStep(of(({ glyph }) => glyph.y0)) / size;
  const bottom = greatestStep(of(({ glyph }) => glyph.y1)) / size;
  const gaps = gapsOf(looks);
  return {
    heights: log(variation(of(({ glyph }) => heightOf(glyph))), 0.05),
    strokes: log(variation(of(strokeOf)), 0.03),
    medians: log(variation(of((look) => look.median)), 0.03),
    falls: log(variation(of((look) => look.fall)), 0.03),
    baseline: log(Math.min(2, bottom), 0.05),
    line: log(Math.min(2, bottom, top), 0.05),
    widths: log(variation(of(({ glyph }) => widthOf(glyph))), 0.1),
    noises: log(variation(of((look) => look.noise + 2)), 0.05),
    gap: Math.max(...gaps) / size,
    touching: log(Math.min(...gaps.map(Math.abs)) / size, 0.05),
    fulls: log(variation(of((look) => look.full)), 0.03),
  };
}

const strokeOf = (look: Look) => (2 * look.area) / look.perimeter;
const tallest = (looks: readonly Look[]) => Math.max(...looks.map(({ glyph }) => heightOf(glyph)));
const gapsOf = (looks: readonly Look[]) =>
  looks.slice(1).map(({ glyph }, index) => glyph.x0 - (looks[index]?.glyph.x1 ?? 0));
const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const mean = (values: readonly number[]) => total(values) / values.length;
const middle = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
const greatestStep = (values: readonly number[]) =>
  Math.max(...values.slice(1).map((value, index) => Math.abs(value - (values[index] ?? 0))));

/** Standard deviation for each mean. */
function variation(values: readonly number[]): number {
  const average = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - average) ** 2))) / Math.max(1e-6, average);
}
