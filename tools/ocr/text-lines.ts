import {
  type Bounds,
  findInk,
  type Glyph,
  heightOf,
  hull,
  type Ink,
  type InkPage,
  type Plane,
  widthOf,
} from "./glyphs.ts";

/** Glyphs that stand beside each other as text does, before anything is read. */
export interface TextLine extends Bounds {
  ink: Ink;
  glyphs: Glyph[];
  /** Median height of its letters: about the x-height, pixels. */
  size: number;
}

/** More lines than any slide has: a texture. The most line-like are kept. */
const LINE_LIMIT = 150;
export const GLYPH_LIMIT = 8000;
/** One or two glyphs lower than this, pixels, are dirt. */
const SPECK = 10;

/** Lines of text, dark on light and light on dark, from the top. */
export async function findTextLines(plane: Plane): Promise<{ page: InkPage; lines: TextLine[] }> {
  const page = await findInk(plane);
  const lines = page.inks.flatMap((ink) => linesOf(ink, plane)).sort((a, b) => area(b) - area(a));
  const kept: TextLine[] = [];
  for (const line of lines) if (!kept.some((other) => hides(other, line))) kept.push(line);
  const likeliest = kept.sort((a, b) => b.glyphs.length - a.glyphs.length).slice(0, LINE_LIMIT);
  return { page, lines: likeliest.sort((a, b) => a.y0 - b.y0 || a.x0 - b.x0) };
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
  return group(letters, dashes)
    .map((members) => withMarks(members, [...marks, ...dashes], ink))
    .filter((line) => line.size >= SPECK || line.glyphs.length > 2);
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

/** A bar of `=`, `-` or a dash: it holds a line together although it is no letter. */
function isDash(glyph: Glyph): boolean {
  const width = widthOf(glyph);
  const height = heightOf(glyph);
  return width >= 4 && width >= height * 2 && glyph.area >= width * height * 0.7;
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
      if (b === undefined || b.x0 - a.x1 > tallest * 1.3) break;
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
  if (Math.max(a.x0, b.x0) - Math.min(a.x1, b.x1) > heightOf(large) * 1.3) return false;
  if (withDash) {
    const middle = (small.y0 + small.y1) / 2;
    return middle >= large.y0 && middle <= large.y1;
  }
  if (heightOf(large) > heightOf(small) * 3) return false;
  return Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0) + 1 >= heightOf(small) * 0.5;
}

/** Adds dots, commas, accents and dashes that lie within the line's reach. */
function withMarks(members: Glyph[], marks: Glyph[], ink: Ink): TextLine {
  const letters = members.filter((glyph) => heightOf(glyph) >= 5 && !isDash(glyph));
  const heights = (letters.length > 0 ? letters : members).map(heightOf).sort((a, b) => a - b);
  const size = heights[Math.floor(heights.length / 2)] ?? 0;
  const bounds = hull(members);
  const known = new Set(members);
  for (const mark of [...marks].sort((a, b) => a.x0 - b.x0)) {
    if (known.has(mark)) continue;
    const near =
      mark.x0 >= bounds.x0 - size &&
      mark.x0 <= bounds.x1 + size &&
      mark.y0 >= bounds.y0 - size * 0.5 &&
      mark.y1 <= bounds.y1 + size * 0.4;
    if (!near) continue;
    known.add(mark);
    Object.assign(bounds, hull([bounds, mark]));
  }
  const glyphs = [...known].sort((a, b) => a.x0 - b.x0);
  return { ...bounds, ink, glyphs, size };
}

const area = (box: Bounds) => widthOf(box) * heightOf(box);

/** The inner spaces of letters look like ink of the other sign: they lie within the line that wins. */
function hides(line: TextLine, inner: TextLine): boolean {
  const wide = Math.min(line.x1, inner.x1) - Math.max(line.x0, inner.x0) + 1;
  const high = Math.min(line.y1, inner.y1) - Math.max(line.y0, inner.y0) + 1;
  return wide > 0 && high > 0 && wide * high > area(inner) / 2 && line.size < inner.size * 4;
}
