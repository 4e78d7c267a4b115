import {
  type Bounds,
  findInk,
  type Glyph,
  heightOf,
  hull,
  type Ink,
  type InkPage,
  widthOf,
} from "./glyphs.ts";
import type { Plane } from "./plane.ts";

/** Glyphs next to each other as in a line of text, before any recognition. */
export interface TextLine extends Bounds {
  ink: Ink;
  glyphs: Glyph[];
  /** Median height of its letters in pixels, about the x-height. */
  size: number;
}

/** More lines than a slide has indicate a texture. The most line-like are kept. */
const LINE_LIMIT = 150;
export const GLYPH_LIMIT = 8000;
/** One or two glyphs lower than this, in pixels, are specks. */
const SPECK = 10;
/**
 * Factor by which a line of the finest ink must be larger to replace the same line of a coarser ink, whose strokes are
 * complete.
 */
const WHOLE_STROKES = 1.2;
/** Least share of the letters of a line of coarse ink that a line of finer ink must have to replace it. */
const COMPARABLE = 0.6;
/**
 * Largest gap between two glyphs of a line, in heights of the larger: between letters, and between a sign and a letter.
 */
const REACH = 1.3;
const DASH_REACH = 2;

/** Returns lines of text, dark on light and light on dark, from top to bottom. */
export async function findTextLines(plane: Plane): Promise<{ page: InkPage; lines: TextLine[] }> {
  const page = await findInk(plane);
  const rank = (line: TextLine) => area(line) * (line.ink.from > 0 ? WHOLE_STROKES : 1);
  const lines = page.inks.flatMap((ink) => linesOf(ink, plane)).sort((a, b) => rank(b) - rank(a));
  const kept: TextLine[] = [];
  for (const line of lines) if (!kept.some((other) => hides(other, line))) kept.push(line);
  const likeliest = kept
    .filter((line) => !isClutter(line))
    .sort((a, b) => b.glyphs.length - a.glyphs.length)
    .slice(0, LINE_LIMIT);
  return { page, lines: likeliest.sort((a, b) => a.y0 - b.y0 || a.x0 - b.x0) };
}

/** Height of clutter in heights of its letters; a line of a photograph may be askew. */
const PILED = 6;
/** Pixels of the width for each mark of a line, of which letters with dots and accents have more. */
const MARK_PIXELS = 3;

/** Whether marks lie above each other and closer than letters can, as in noise or a fine texture. */
function isClutter(line: TextLine): boolean {
  return heightOf(line) > line.size * PILED && line.glyphs.length > widthOf(line) / MARK_PIXELS;
}

function linesOf(ink: Ink, plane: Plane): TextLine[] {
  const letters: Glyph[] = [];
  const dashes: Glyph[] = [];
  const marks: Glyph[] = [];
  for (const glyph of ink.glyphs) {
    if (isDash(glyph)) dashes.push(glyph);
    else if (isLetterLike(glyph, plane)) letters.push(glyph);
    else if (glyph.area >= 2 && heightOf(glyph) <= 24 && widthOf(glyph) <= plane.width / 16)
      marks.push(glyph);
  }
  if (letters.length + dashes.length > GLYPH_LIMIT) return [];
  const groups = group(letters, dashes);
  // The dot of a large `?` is as high as a small letter, but has no neighbours.
  const alone = groups.flatMap((members) => (members.length === 1 ? members : []));
  const around = [...marks, ...dashes, ...alone].sort((a, b) => a.x0 - b.x0);
  const dots = new Set(alone);
  return groups
    .map((members) => withMarks(members, around, dots, ink))
    .filter((line) => line.size >= Math.max(ink.from, line.glyphs.length > 2 ? 0 : SPECK));
}

function isLetterLike(glyph: Glyph, plane: Plane): boolean {
  const width = widthOf(glyph);
  const height = heightOf(glyph);
  const fill = glyph.area / (width * height);
  return (
    height >= 5 &&
    height <= plane.height * 0.6 &&
    width <= Math.max(height * 8, 40) &&
    glyph.area >= 8 &&
    fill > 0.06 &&
    !(fill > 0.95 && height > plane.height / 20 && width > plane.height / 20)
  );
}

/** A bar of `=`, `-` or a dash. It connects a line although it is not a letter. */
function isDash(glyph: Glyph): boolean {
  const width = widthOf(glyph);
  const height = heightOf(glyph);
  return width >= 4 && width >= height * 1.6 && glyph.area >= width * height * 0.7;
}

function group(letters: Glyph[], dashes: Glyph[]): Glyph[][] {
  const sorted = [...letters, ...dashes].sort((a, b) => a.x0 - b.x0);
  const dash = new Set(dashes);
  const parent = sorted.map((_, index) => index);
  const root = (index: number): number => {
    let at = index;
    for (let up = parent[at] ?? at; up !== at; up = parent[at] ?? at) at = up;
    return at;
  };
  const tallest = sorted.reduce((most, glyph) => Math.max(most, heightOf(glyph)), 0);
  for (const [i, a] of sorted.entries()) {
    for (let j = i + 1; j < sorted.length; j++) {
      const b = sorted[j];
      if (b === undefined || b.x0 - a.x1 > tallest * DASH_REACH) break;
      if (dash.has(a) && dash.has(b)) continue;
      if (areNeighbours(a, b, dash.has(a) || dash.has(b))) parent[root(i)] = root(j);
    }
  }
  const groups = new Map<number, Glyph[]>();
  for (const [index, glyph] of sorted.entries()) {
    const id = root(index);
    groups.set(id, [...(groups.get(id) ?? []), glyph]);
  }
  return [...groups.values()].filter((members) => members.some((glyph) => !dash.has(glyph)));
}

function areNeighbours(a: Glyph, b: Glyph, withDash: boolean): boolean {
  const [small, large] = heightOf(a) < heightOf(b) ? [a, b] : [b, a];
  const reach = heightOf(large) * (withDash ? DASH_REACH : REACH);
  if (Math.max(a.x0, b.x0) - Math.min(a.x1, b.x1) > reach) return false;
  if (withDash) {
    const middle = (small.y0 + small.y1) / 2;
    return middle >= large.y0 && middle <= large.y1;
  }
  if (heightOf(large) > heightOf(small) * 3) return false;
  return Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0) + 1 >= heightOf(small) * 0.5;
}

/** Largest height of a dot, as a share of the height of the letters. */
const DOT = 0.35;

/**
 * Adds dots, commas, accents and dashes within reach of the line; of isolated glyphs, only dots. `around` are all
 * glyphs, from left to right.
 */
function withMarks(
  members: Glyph[],
  around: readonly Glyph[],
  alone: ReadonlySet<Glyph>,
  ink: Ink,
): TextLine {
  const letters = members.filter((glyph) => heightOf(glyph) >= 5 && !isDash(glyph));
  const heights = (letters.length > 0 ? letters : members).map(heightOf).sort((a, b) => a - b);
  const size = heights[Math.floor(heights.length / 2)] ?? 0;
  const bounds = hull(members);
  const known = new Set(members);
  for (let index = firstFrom(around, bounds.x0 - size); index < around.length; index++) {
    const mark = around[index];
    if (mark === undefined || mark.x0 > bounds.x1 + size) break;
    if (known.has(mark) || (alone.has(mark) && heightOf(mark) > size * DOT)) continue;
    const near =
      mark.x0 >= bounds.x0 - size &&
      mark.y0 >= bounds.y0 - size * 0.5 &&
      mark.y1 <= bounds.y1 + size * 0.4;
    if (!near) continue;
    known.add(mark);
    Object.assign(bounds, hull([bounds, mark]));
  }
  const glyphs = [...known].sort((a, b) => a.x0 - b.x0);
  return { ...bounds, ink, glyphs, size };
}

/** Index of the first glyph that begins at `x` or further right. */
function firstFrom(glyphs: readonly Glyph[], x: number): number {
  let [low, high] = [0, glyphs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((glyphs[middle]?.x0 ?? 0) < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

const area = (box: Bounds) => widthOf(box) * heightOf(box);

/** The counters of letters look like ink of the opposite sign: they lie inside the line that wins. */
function hides(line: TextLine, inner: TextLine): boolean {
  const wide = Math.min(line.x1, inner.x1) - Math.max(line.x0, inner.x0) + 1;
  const high = Math.min(line.y1, inner.y1) - Math.max(line.y0, inner.y0) + 1;
  if (wide <= 0 || high <= 0 || wide * high <= area(inner) / 2) return false;
  if (line.ink.from > inner.ink.from)
    return inner.size >= line.size * COMPARABLE || areCounters(inner, line);
  return (
    line.size < inner.size * 4 || (inner.glyphs.length < 3 && line.ink.sign !== inner.ink.sign)
  );
}

/** Whether a line consists of the counters of another line's letters, of which none has more than two on average. */
function areCounters(inner: TextLine, line: TextLine): boolean {
  if (inner.ink.sign === line.ink.sign) return false;
  const holders = inner.glyphs.map((glyph) =>
    line.glyphs.find(
      (letter) =>
        glyph.x0 >= letter.x0 &&
        glyph.x1 <= letter.x1 &&
        glyph.y0 >= letter.y0 &&
        glyph.y1 <= letter.y1,
    ),
  );
  return (
    holders.every((letter) => letter !== undefined) &&
    inner.glyphs.length <= 2 * new Set(holders).size
  );
}
