import {
  evennessOf,
  featuresOf,
  type GlyphFeatures,
  gapsOf,
  middle,
  tallest,
} from "./glyph-features.ts";
import { heightOf, hull, widthOf } from "./glyphs.ts";
import { WEIGHTS } from "./letter-network-weights.ts";
import type { Plane } from "./plane.ts";
import type { TextLine } from "./text-lines.ts";

/*
 * Small neural networks that classify three neighbouring glyphs as letters or texture. Their inputs are each glyph on a
 * grid, and the features of the regressions with the placement of the glyphs. `scripts/fit-letters.ts` fits them on
 * rendered boards and scenes.
 */

/** Cells per side of the grid to which a glyph is scaled. */
const GRID = 10;

/** Inputs of the networks for three neighbouring glyphs. */
export interface LetterInput {
  features: number[];
  /** The ink of each glyph, row by row, 0 to 1. */
  grids: number[][];
}

/** Integers from -127 to 127, one row per input; multiplied by `scale` they are the weights. */
interface Layer {
  scale: number;
  values: Int8Array;
  bias: readonly number[];
}

/** A layer as stored: the bytes of `values` in base64. */
export interface StoredLayer extends Omit<Layer, "values"> {
  values: string;
}

export interface StoredNetworks {
  /** Mean and standard deviation of each feature. */
  features: readonly (readonly number[])[];
  /** Fitted from different initial weights. The mean of their scores has a smaller error than each score. */
  networks: readonly { glyph: StoredLayer; hidden: StoredLayer; output: StoredLayer }[];
}

const { features: MEANS, networks: STORED } = WEIGHTS satisfies StoredNetworks;
const layerOf = ({ values, ...layer }: StoredLayer): Layer => ({
  ...layer,
  values: Int8Array.from(Buffer.from(values, "base64")),
});
const NETWORKS = STORED.map(({ glyph, hidden, output }) => ({
  glyph: layerOf(glyph),
  hidden: layerOf(hidden),
  output: layerOf(output),
}));

/** Features are clipped to this many standard deviations. */
export const CLIP = 4;
/** The ink of a cell that counts as 0. */
export const CENTRE = 0.4;

/** The log-odds, fitted on rendered examples, that three neighbouring glyphs are letters. */
export function letterScore(looks: readonly GlyphFeatures[], line: TextLine, plane: Plane): number {
  const { features, grids } = letterInput(looks, line, plane);
  const centred = grids.map((grid) => grid.map((ink) => ink - CENTRE));
  const normal = features.map((value, index) => {
    const [mean = 0, deviation = 1] = MEANS[index] ?? [];
    return Math.max(-CLIP, Math.min(CLIP, (value - mean) / deviation));
  });
  const scores = NETWORKS.map(({ glyph, hidden, output }) => {
    const glyphs = centred.map((grid) => linear(glyph, grid).map(Math.tanh));
    const units = glyph.bias.map((_, unit) => glyphs.map((values) => values[unit] ?? 0));
    const pooled = [
      ...normal,
      ...units.map((values) => values.reduce((sum, value) => sum + value, 0) / values.length),
      ...units.map((values) => Math.min(...values)),
    ];
    return linear(output, linear(hidden, pooled).map(Math.tanh))[0] ?? 0;
  });
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

function linear({ scale, values, bias }: Layer, inputs: readonly number[]): number[] {
  const sums = new Float64Array(bias.length);
  for (const [row, input] of inputs.entries())
    for (let unit = 0; unit < sums.length; unit++)
      sums[unit] = (sums[unit] ?? 0) + input * (values[row * sums.length + unit] ?? 0);
  return bias.map((least, unit) => least + (sums[unit] ?? 0) * scale);
}

export function letterInput(
  looks: readonly GlyphFeatures[],
  line: TextLine,
  plane: Plane,
): LetterInput {
  const features = { ...featuresOf(looks, plane), ...evennessOf(looks) };
  return {
    features: [...Object.values(features), ...placementOf(looks, line, plane)],
    grids: looks.map((look) => gridOf(look, line, plane)),
  };
}

/** The placement of the glyphs in their line and in the picture. */
function placementOf(looks: readonly GlyphFeatures[], line: TextLine, plane: Plane): number[] {
  const glyphs = looks.map((look) => look.glyph);
  const box = hull(glyphs);
  const [width, height] = [widthOf(box), heightOf(box)];
  const gaps = gapsOf(looks).map((gap) => gap / height);
  const [first, last] = [glyphs[0] ?? box, glyphs.at(-1) ?? box];
  const rise = (last.y0 + last.y1 - first.y0 - first.y1) / 2;
  const run = Math.max(1, (last.x0 + last.x1 - first.x0 - first.x1) / 2);
  const border = Math.min(box.x0, box.y0, plane.width - 1 - box.x1, plane.height - 1 - box.y1);
  const area = looks.reduce((sum, look) => sum + look.area, 0);
  return [
    Math.log(width / height),
    Math.log(tallest(looks) / height),
    border <= 1 ? 1 : 0,
    Math.log(line.glyphs.length),
    Math.log(line.size / middle(glyphs.map(heightOf))),
    Math.max(-1, Math.min(...gaps)),
    Math.min(2, Math.max(...gaps)),
    Math.min(1.5, Math.abs(rise / run)),
    Math.log(area / (width * height)),
    line.ink.from > 0 ? 1 : 0,
    Math.log(width / plane.width),
  ];
}

/** The depth of a glyph's ink on a grid that is stretched to its bounds, 0 to 1. */
function gridOf(
  { glyph, full }: GlyphFeatures,
  { ink }: TextLine,
  { pixels, width }: Plane,
): number[] {
  const { background, sign } = ink;
  const edges = (from: number, length: number) =>
    Array.from({ length: GRID }, (_, cell) => {
      const start = from + Math.floor((cell * length) / GRID);
      const end = from + Math.floor(((cell + 1) * length) / GRID);
      return [start, Math.max(start + 1, end)] as const;
    });
  const columns = edges(glyph.x0, widthOf(glyph));
  return edges(glyph.y0, heightOf(glyph)).flatMap(([top, bottom]) =>
    columns.map(([left, right]) => {
      let sum = 0;
      for (let y = top; y < bottom; y++)
        for (let x = left; x < right; x++) {
          const at = y * width + x;
          const depth = ((background[at] ?? 0) - (pixels[at] ?? 0)) * sign;
          sum += Math.max(0, Math.min(1, depth / Math.max(1, full)));
        }
      return sum / ((bottom - top) * (right - left));
    }),
  );
}
