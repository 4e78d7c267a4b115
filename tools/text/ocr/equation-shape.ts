import { type Bounds, type Glyph, heightOf, hull, type Ink, widthOf } from "./glyphs.ts";
import type { TextLine } from "./text-lines.ts";

/** One written character. `=`, `i` and `≤` consist of several glyphs above each other. */
export interface Cluster extends Bounds {
  glyphs: Glyph[];
  /** The sign that the ink shows without recognition: two bars, one bar, a hook or a stroke over a dot, a tall bow. */
  sign?: "=" | "-" | "?" | "!" | "(" | ")";
  /** Lower than the letters and digits of the line, if the line has taller ones. */
  low?: true;
}

/** A line as a row of characters with raised and lowered ones, or the reason why it is not such a row. */
export interface EquationShape {
  equals: boolean;
  /** Fractions, integrals and other vertical arrangements: not a row of characters. */
  twoDimensional: boolean;
  /** Characters on the line, split where a root begins or ends. */
  base: { root: boolean; clusters: Cluster[] }[];
  /** Raised and lowered characters. `after` counts the characters on the line before them. */
  scripts: { raised: boolean; after: number; clusters: Cluster[] }[];
  /** Root signs: known by the bars over their radicands, not recognised. */
  signs: Cluster[];
}

/** Describes a line of mathematics, from its ink only. */
export function equationShape(line: TextLine): EquationShape {
  const bars = rootBars(line, line.ink);
  const clusters = clustersOf(line.glyphs);
  const size = letterSize(line);
  const letters = line.glyphs.filter(
    (glyph) => heightOf(glyph) >= size * 0.75 && heightOf(glyph) <= size * 1.3,
  );
  const floor = median(letters.map((glyph) => glyph.y1)) ?? line.y1;
  const shape: EquationShape = {
    equals: clusters.some((cluster) => isEquals(cluster, size)),
    twoDimensional: clusters.some(
      (cluster) =>
        heightOf(cluster) > size * 2.2 ||
        cluster.glyphs.filter((glyph) => heightOf(glyph) >= size * 0.6).length > 1,
    ),
    base: [],
    scripts: [],
    signs: [],
  };
  let onLine = 0;
  let under = -1;
  for (const cluster of clusters) {
    if (bars.some((bar) => isRootSign(cluster, bar))) {
      shape.signs.push(cluster);
      continue;
    }
    const raised = onLine === 0 ? null : scriptOf(cluster, floor, size);
    if (raised === null) {
      const sign = signOf(cluster, line.ink, floor, size);
      if (sign !== null) cluster.sign = sign;
      const root = bars.findIndex((bar) => covers(bar, cluster));
      if (root === under) shape.base.at(-1)?.clusters.push(cluster);
      if (root !== under || onLine === 0) shape.base.push({ root: root >= 0, clusters: [cluster] });
      under = root;
      onLine++;
      continue;
    }
    const last = shape.scripts.at(-1);
    if (last?.after === onLine && last.raised === raised) last.clusters.push(cluster);
    else shape.scripts.push({ raised, after: onLine, clusters: [cluster] });
  }
  markLow(shape.base.flatMap((part) => part.clusters).filter(({ sign }) => sign === undefined));
  return shape;
}

/** Whether a character can be omitted from the picture to be recognised, which is read better without it. */
export const isAside = ({ sign }: Cluster) => sign !== undefined && sign !== "(" && sign !== ")";

/** Height of the letters on the line: above the median, which raised numbers and signs lower. Brackets do not count. */
function letterSize(line: TextLine): number {
  const letters = line.glyphs.filter(
    (glyph) => heightOf(glyph) >= 5 && widthOf(glyph) < heightOf(glyph) * 2,
  );
  const wide = letters.filter((glyph) => widthOf(glyph) >= heightOf(glyph) * NARROW);
  const heights = (wide.length > 0 ? wide : letters).map(heightOf).sort((a, b) => a - b);
  return heights[Math.floor(heights.length * 0.6)] ?? line.size;
}

function clustersOf(glyphs: readonly Glyph[]): Cluster[] {
  const clusters: Cluster[] = [];
  for (const glyph of [...glyphs].sort((a, b) => a.x0 - b.x0)) {
    const last = clusters.at(-1);
    const shared = last === undefined ? 0 : Math.min(last.x1, glyph.x1) - glyph.x0 + 1;
    if (last !== undefined && shared > Math.min(widthOf(last), widthOf(glyph)) * 0.6) {
      last.glyphs.push(glyph);
      Object.assign(last, hull([last, glyph]));
    } else clusters.push({ ...boundsOf(glyph), glyphs: [glyph] });
  }
  return clusters;
}

function isEquals(cluster: Cluster, size: number): boolean {
  const [a, b] = cluster.glyphs;
  if (cluster.glyphs.length !== 2 || a === undefined || b === undefined) return false;
  const bars = [a, b].every(
    (bar) => widthOf(bar) >= heightOf(bar) * 2 && widthOf(bar) >= size * 0.4,
  );
  return (
    bars &&
    Math.abs(widthOf(a) - widthOf(b)) <= Math.max(2, widthOf(a) * 0.15) &&
    heightOf(cluster) <= size
  );
}

/** Largest ratio of width to height of a bracket. */
const NARROW = 0.4;

/** Share of the height of capitals and digits below which a letter is low. */
const LOW = 0.85;

function markLow(clusters: readonly Cluster[]): void {
  const tallest = Math.max(...clusters.map(heightOf));
  for (const cluster of clusters) if (heightOf(cluster) < tallest * LOW) cluster.low = true;
}

function signOf(cluster: Cluster, ink: Ink, floor: number, size: number): Cluster["sign"] | null {
  if (isEquals(cluster, size)) return "=";
  const [upper, lower] = [...cluster.glyphs].sort((a, b) => a.y0 - b.y0);
  if (upper === undefined || cluster.glyphs.length > 2) return null;
  if (lower === undefined) {
    if (isMinus(upper, floor, size)) return "-";
    return bowOf(upper, ink, size);
  }
  const dotted =
    lower.y0 > upper.y1 &&
    heightOf(upper) >= size * 0.5 &&
    heightOf(lower) <= size * 0.3 &&
    widthOf(lower) <= heightOf(lower) * 1.6 &&
    Math.abs(lower.y1 - floor) <= size * 0.15;
  if (!dotted) return null;
  return widthOf(upper) >= heightOf(upper) * 0.4 ? "?" : "!";
}

function isMinus(glyph: Glyph, floor: number, size: number): boolean {
  const middle = (glyph.y0 + glyph.y1) / 2;
  const bar =
    widthOf(glyph) >= heightOf(glyph) * 1.6 && glyph.area >= widthOf(glyph) * heightOf(glyph) * 0.8;
  const long = widthOf(glyph) >= size * 0.25 && widthOf(glyph) <= size;
  return bar && long && middle < floor - size * 0.2 && middle > floor - size * 0.7;
}

/** Detects a bracket: taller than the letters, narrow, one stroke in every row, and bowed evenly to one side. */
function bowOf(glyph: Glyph, { mask, width }: Ink, size: number): "(" | ")" | null {
  const height = heightOf(glyph);
  if (height < size * 1.12 || widthOf(glyph) > height * NARROW) return null;
  const centres: number[] = [];
  for (let y = glyph.y0; y <= glyph.y1; y++) {
    const row: number[] = [];
    for (let x = glyph.x0; x <= glyph.x1; x++) if (mask[y * width + x] === 1) row.push(x);
    const [first] = row;
    const last = row.at(-1);
    if (first === undefined || last === undefined || last - first >= row.length + 2) return null;
    centres.push((first + last) / 2);
  }
  const mean = (from: number, to: number) => {
    const part = centres.slice(Math.floor(from * height), Math.ceil(to * height));
    return part.reduce((sum, x) => sum + x, 0) / Math.max(1, part.length);
  };
  const [top, middle, bottom] = [mean(0, 0.15), mean(0.4, 0.6), mean(0.85, 1)];
  const depth = Math.min(Math.abs(top - middle), Math.abs(bottom - middle));
  if (depth < widthOf(glyph) * 0.25 || Math.abs(top - bottom) > depth) return null;
  if (top > middle && bottom > middle) return "(";
  return top < middle && bottom < middle ? ")" : null;
}

/** True for a raised character, false for a lowered one, null for one on the line. */
function scriptOf(cluster: Cluster, floor: number, size: number): boolean | null {
  const height = heightOf(cluster);
  if (height > size * 0.85 || height < size * 0.25) return null;
  if (widthOf(cluster) > height * 1.8) return null;
  if (cluster.y1 < floor - size * 0.35 && (cluster.y0 + cluster.y1) / 2 < floor - size * 0.6)
    return true;
  const comma = widthOf(cluster) < size * 0.35 && height < size * 0.55;
  if (cluster.y1 > floor + size * 0.08 && cluster.y0 > floor - size * 0.6 && !comma) return false;
  return null;
}

/** Straight strokes over a range of the line that continue a root sign. */
function rootBars(line: TextLine, ink: Ink): Glyph[] {
  return ink.rules.filter(
    (rule) =>
      widthOf(rule) > heightOf(rule) * 6 &&
      rule.x0 >= line.x0 - line.size &&
      rule.x1 <= line.x1 + line.size &&
      rule.y1 >= line.y0 - line.size * 0.6 &&
      rule.y0 <= line.y0 + line.size * 0.4 &&
      line.glyphs.some((glyph) => isRootSign({ ...boundsOf(glyph), glyphs: [glyph] }, rule)),
  );
}

function isRootSign(cluster: Cluster, bar: Glyph): boolean {
  return (
    Math.abs(cluster.x1 - bar.x0) <= Math.max(4, widthOf(cluster) * 0.4) &&
    Math.abs(cluster.y0 - bar.y0) <= Math.max(4, heightOf(cluster) * 0.2) &&
    widthOf(cluster) > heightOf(cluster) * 0.35 &&
    widthOf(cluster) < heightOf(cluster) * 1.3
  );
}

function covers(bar: Bounds, cluster: Bounds): boolean {
  const middle = (cluster.x0 + cluster.x1) / 2;
  return middle > bar.x0 && middle < bar.x1 && cluster.y0 >= bar.y0;
}

function boundsOf(box: Bounds): Bounds {
  return { x0: box.x0, y0: box.y0, x1: box.x1, y1: box.y1 };
}

function median(values: number[]): number | undefined {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
