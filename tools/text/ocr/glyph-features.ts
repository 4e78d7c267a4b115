import { type Glyph, heightOf, widthOf } from "./glyphs.ts";
import type { Plane } from "./plane.ts";
import type { TextLine } from "./text-lines.ts";

/** Measurements of a glyph's ink and of the ground around it. Depths are in grey levels, areas in pixels. */
export interface GlyphFeatures {
  glyph: Glyph;
  area: number;
  /** Length of the outline, in sides of pixels. */
  perimeter: number;
  /** Depth of the ink: the median, and the 90th percentile. */
  median: number;
  full: number;
  /**
   * Mean drop in grey levels from inside an edge to outside, and the share of edges with a smaller drop than the
   * contrast of ink.
   */
  fall: number;
  weak: number;
  /**
   * The ground around the glyph: its standard deviation, and its pixels that are ink of the opposite sign or of other
   * glyphs.
   */
  noise: number;
  opposite: number;
  stray: number;
}

export function measureGlyph(
  glyph: Glyph,
  line: TextLine,
  { pixels, width, height }: Plane,
): GlyphFeatures {
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
): Pick<GlyphFeatures, "noise" | "opposite" | "stray"> {
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

/** Features of one or several glyphs. */
export function featuresOf(looks: readonly GlyphFeatures[], plane: Plane) {
  const log = (value: number, least = 0) => Math.log(value + least);
  const of = (value: (look: GlyphFeatures) => number) => looks.map(value);
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

/** Features that describe how similar neighbouring glyphs are and how they are aligned. */
export function evennessOf(looks: readonly GlyphFeatures[]) {
  const log = (value: number, least: number) => Math.log(value + least);
  const of = (value: (look: GlyphFeatures) => number) => looks.map(value);
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

const strokeOf = (look: GlyphFeatures) => (2 * look.area) / look.perimeter;
export const tallest = (looks: readonly GlyphFeatures[]) =>
  Math.max(...looks.map(({ glyph }) => heightOf(glyph)));
export const gapsOf = (looks: readonly GlyphFeatures[]) =>
  looks.slice(1).map(({ glyph }, index) => glyph.x0 - (looks[index]?.glyph.x1 ?? 0));
const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const mean = (values: readonly number[]) => total(values) / values.length;
export const middle = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
const greatestStep = (values: readonly number[]) =>
  Math.max(...values.slice(1).map((value, index) => Math.abs(value - (values[index] ?? 0))));

/** Coefficient of variation. */
function variation(values: readonly number[]): number {
  const average = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - average) ** 2))) / Math.max(1e-6, average);
}
