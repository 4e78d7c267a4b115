import sharp from "sharp";

/** A grey image: one byte a pixel, row by row. */
export interface Plane {
  pixels: Uint8Array;
  width: number;
  height: number;
}

/** Inclusive pixel bounds. */
export interface Bounds {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** A connected piece of ink; `area` counts its pixels. */
export interface Glyph extends Bounds {
  area: number;
}

/** What stands out from its surroundings in one direction: darker (`sign` 1) or lighter (-1). */
export interface Ink {
  sign: 1 | -1;
  glyphs: Glyph[];
  /** Long straight strokes (table rules, underlines, fraction bars), not among the glyphs. */
  rules: Glyph[];
  /** 1 where there is ink, 2 where it belongs to a rule; rows of `width`. */
  mask: Uint8Array;
  width: number;
  /** The paper it stands on, pixel by pixel. */
  background: Uint8Array;
  /** The least difference from the background, in grey levels, that counts as ink. */
  contrast: number;
  /** Height of letters, pixels, from which their strokes may be too thick for finer inks to be whole; 0 for the finest. */
  from: number;
}

export interface InkPage {
  plane: Plane;
  inks: Ink[];
}

export const widthOf = (box: Bounds) => box.x1 - box.x0 + 1;
export const heightOf = (box: Bounds) => box.y1 - box.y0 + 1;

/**
 * Separates ink from paper by comparing each pixel with the median around it, so that coloured table cells,
 * uneven light and light text on dark are all one case. Strokes up to half the window thick are found: in a small
 * window for small text on small grounds, and in a large one for the large letters of a title.
 */
export async function findInk(plane: Plane): Promise<InkPage> {
  const { width, height } = plane;
  const window = Math.max(5, Math.round(Math.max(width, height) / 64)) | 1;
  const fine = inksOn(plane, await surroundings(plane, 2, window), 0);
  const from = window * 2.5;
  // Strokes that are too thick leave their rims, so that what is large is seen to be there.
  const large = fine.some((ink) => ink.glyphs.some((glyph) => heightOf(glyph) >= from));
  if (!large) return { plane, inks: fine };
  const wide = await surroundings(plane, 4, Math.floor(window * 1.25) | 1);
  return { plane, inks: [...fine, ...inksOn(plane, wide, from)] };
}

function inksOn(plane: Plane, background: Uint8Array, from: number): Ink[] {
  const { pixels, width, height } = plane;
  const contrast = inkContrast(pixels, background);
  return ([1, -1] as const).map((sign): Ink => {
    const mask = new Uint8Array(width * height);
    for (let i = 0; i < mask.length; i++)
      mask[i] = ((background[i] ?? 0) - (pixels[i] ?? 0)) * sign > contrast ? 1 : 0;
    markRules(mask, width, height);
    return {
      ...{ sign, mask, width, background, contrast, from },
      glyphs: components(mask, width, height, 1),
      rules: components(mask, width, height, 2),
    };
  });
}

/** The median around each pixel, taken at a part of the size: far less work, for a ground that hardly changes. */
async function surroundings(
  { pixels, width, height }: Plane,
  part: number,
  window: number,
): Promise<Uint8Array> {
  const small = { width: Math.ceil(width / part), height: Math.ceil(height / part) };
  const reduced = await sharp(pixels, { raw: { width, height, channels: 1 } })
    .resize({ ...small, fit: "fill", kernel: "cubic" })
    .toColourspace("b-w")
    .raw()
    .toBuffer();
  const medians = await sharp(reduced, { raw: { ...small, channels: 1 } })
    .median(window)
    .toColourspace("b-w")
    .raw()
    .toBuffer();
  const background = new Uint8Array(width * height);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0, row = Math.floor(y / part) * small.width; x < width; x++)
      background[at++] = medians[row + Math.floor(x / part)] ?? 0;
  return background;
}

/** Several times the usual difference from the background, which is the noise of paper, sensor or codec. */
function inkContrast(pixels: Uint8Array, background: Uint8Array): number {
  const histogram = new Uint32Array(256);
  for (let i = 0; i < pixels.length; i++) {
    const difference = Math.abs((pixels[i] ?? 0) - (background[i] ?? 0));
    histogram[difference] = (histogram[difference] ?? 0) + 1;
  }
  let usual = 0;
  for (let seen = histogram[0] ?? 0; seen < pixels.length / 2 && usual < 255; ) {
    usual++;
    seen += histogram[usual] ?? 0;
  }
  return Math.min(60, Math.max(20, usual * 5));
}

/** Turns 1 into 2 along straight runs that are long and thin; where a letter crosses, it keeps its ink. */
function markRules(mask: Uint8Array, width: number, height: number): void {
  const long = Math.max(40, Math.round(Math.max(width, height) / 28));
  const thick = Math.max(3, Math.round(Math.max(width, height) / 400));
  const marked: number[] = [];
  const along = (length: number, lanes: number, step: number, lane: number) => {
    for (let j = 0; j < lanes; j++) {
      for (let i = 0, run = 0; i <= length; i++) {
        if (i < length && mask[j * lane + i * step]) {
          run++;
          continue;
        }
        if (run >= long)
          for (let k = i - run; k < i; k++)
            if (thickness(k * step, j, lanes, lane) <= thick) marked.push(j * lane + k * step);
        run = 0;
      }
    }
  };
  const thickness = (offset: number, j: number, lanes: number, lane: number) => {
    let from = j;
    while (from > 0 && j - from <= thick && mask[(from - 1) * lane + offset]) from--;
    let to = j;
    while (to < lanes - 1 && to - from <= thick && mask[(to + 1) * lane + offset]) to++;
    return to - from + 1;
  };
  along(width, height, 1, width);
  along(height, width, width, 1);
  for (const i of marked) mask[i] = 2;
}

/** Eight-connected components of the pixels that hold `value`, by runs and union-find. */
export function components(
  mask: Uint8Array,
  width: number,
  height: number,
  value: number,
): Glyph[] {
  const found: Glyph[] = [];
  const parent: number[] = [];
  const root = (id: number): number => {
    let at = id;
    for (let up = parent[at] ?? at; up !== at; up = parent[at] ?? at) at = up;
    return at;
  };
  let above: { from: number; to: number; id: number }[] = [];
  for (let y = 0; y < height; y++) {
    const row: typeof above = [];
    let skip = 0;
    for (let x = 0; x < width; x++) {
      if (mask[y * width + x] !== value) continue;
      const from = x;
      while (x + 1 < width && mask[y * width + x + 1] === value) x++;
      while ((above[skip]?.to ?? Number.POSITIVE_INFINITY) < from - 1) skip++;
      let id = found.length;
      found.push({ x0: from, y0: y, x1: x, y1: y, area: x - from + 1 });
      parent.push(id);
      for (let k = skip; k < above.length && (above[k]?.from ?? 0) <= x + 1; k++) {
        const other = root(above[k]?.id ?? id);
        if (other === id) continue;
        const [keep, drop] = other < id ? [other, id] : [id, other];
        absorb(found[keep], found[drop]);
        parent[drop] = keep;
        id = keep;
      }
      row.push({ from, to: x, id });
    }
    above = row;
  }
  return found.filter((_, id) => parent[id] === id);
}

function absorb(into: Glyph | undefined, other: Glyph | undefined): void {
  if (into === undefined || other === undefined) return;
  Object.assign(into, hull([into, other]), { area: into.area + other.area });
}

export function hull(boxes: readonly Bounds[]): Bounds {
  const bounds = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  for (const box of boxes) {
    bounds.x0 = Math.min(bounds.x0, box.x0);
    bounds.y0 = Math.min(bounds.y0, box.y0);
    bounds.x1 = Math.max(bounds.x1, box.x1);
    bounds.y1 = Math.max(bounds.y1, box.y1);
  }
  return bounds;
}
