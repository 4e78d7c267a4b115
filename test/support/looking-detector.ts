import sharp from "sharp";
import { recognise } from "../../tools/text/ocr.ts";
import { type Colour, type Figure, HUES } from "./looking-scenes.ts";

/*
 * Detects figures, boards and plates from the decoded pixels only: the film, its seed and the question are unknown here.
 * Properties of things that are too small are null.
 */

/** A rectangle in shares of the picture, 0 to 1. */
export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

export type Detection =
  | {
      what: "figure";
      colour: Colour /** null: too small to tell. */;
      figure: Figure | null;
      place: Place;
    }
  | { what: "board" /** null: too small to count. */; dots: number | null; place: Place }
  | { what: "plate"; place: Place };

interface Pixels {
  data: Uint8Array;
  width: number;
  height: number;
}

/** Shortest side of a figure whose form can be detected, and of a board whose dots can be counted, pixels. */
const FORM_SIDE = 11;
const BOARD_SIDE = 34;
const LEAST_AREA = 14;
const STRONG = 75;

const NOTHING = 0;
const WHITE = 1;
const KINDS = Object.keys(HUES) as (Colour | "violet")[];
const VIOLET = KINDS.indexOf("violet") + 2;

async function pixelsOf(image: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(image)
    .toColourspace("srgb")
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** The figures, boards and plates in a picture. */
export async function detectInPicture(image: Buffer): Promise<Detection[]> {
  return detectionsIn(await pixelsOf(image));
}

/** The detections in each tile of a contact sheet, row by row; dark lines separate the tiles. */
export async function detectInTiles(image: Buffer): Promise<Detection[][]> {
  const sheet = await pixelsOf(image);
  const columns = bands(sheet, "x");
  const rows = bands(sheet, "y");
  return rows.flatMap((row) => columns.map((column) => detectionsIn(cropped(sheet, column, row))));
}

/** Grey of a sheet's background, its tolerance in levels, and the share of a line that may differ. */
const SHEET_BACKGROUND = 32;
const BACKGROUND_TOLERANCE = 14;
const DIFFERENT_SHARE = 0.015;
const LEAST_TILE = 32;

/** Rows or columns of tiles: bands that are not background throughout. Labels under tiles are too low to be a band. */
function bands({ data, width, height }: Pixels, along: "x" | "y"): { from: number; to: number }[] {
  const length = along === "x" ? width : height;
  const across = along === "x" ? height : width;
  const isBackground = (at: number) => {
    let others = 0;
    for (let other = 0; other < across; other++) {
      const pixel = (along === "x" ? other * width + at : at * width + other) * 3;
      const off = [0, 1, 2].some(
        (channel) =>
          Math.abs((data[pixel + channel] ?? 0) - SHEET_BACKGROUND) > BACKGROUND_TOLERANCE,
      );
      if (off) others++;
    }
    return others <= across * DIFFERENT_SHARE;
  };
  const found: { from: number; to: number }[] = [];
  let from: number | null = null;
  for (let at = 0; at <= length; at++) {
    const background = at === length || isBackground(at);
    if (!background) from ??= at;
    else if (from !== null) {
      if (at - from >= LEAST_TILE) found.push({ from, to: at });
      from = null;
    }
  }
  return found;
}

function cropped(
  { data, width }: Pixels,
  column: { from: number; to: number },
  row: { from: number; to: number },
): Pixels {
  const wide = column.to - column.from;
  const high = row.to - row.from;
  const out = new Uint8Array(wide * high * 3);
  for (let y = 0; y < high; y++) {
    const start = ((row.from + y) * width + column.from) * 3;
    out.set(data.subarray(start, start + wide * 3), y * wide * 3);
  }
  return { data: out, width: wide, height: high };
}

interface Patch {
  kind: number;
  area: number;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function detectionsIn(picture: Pixels): Detection[] {
  const kinds = kindsOf(picture);
  const patches = patchesOf(kinds, picture.width, picture.height);
  const boards = patches.filter((patch) => patch.kind === VIOLET);
  const inBoard = (patch: Patch) =>
    boards.some(
      (board) =>
        patch.left >= board.left - 1 &&
        patch.right <= board.right + 1 &&
        patch.top >= board.top - 1 &&
        patch.bottom <= board.bottom + 1,
    );
  const inside = (patch: Patch): Place => ({
    x: patch.left / picture.width,
    y: patch.top / picture.height,
    width: (patch.right - patch.left) / picture.width,
    height: (patch.bottom - patch.top) / picture.height,
  });
  return patches.flatMap((patch): Detection[] => {
    const place = inside(patch);
    if (patch.kind === VIOLET) return [{ what: "board", dots: dotsOn(picture, patch), place }];
    if (inBoard(patch)) return [];
    if (patch.kind === WHITE) return isPlate(picture, patch) ? [{ what: "plate", place }] : [];
    const colour = KINDS[patch.kind - 2] as Colour;
    return [{ what: "figure", colour, figure: formOf(kinds, picture.width, patch), place }];
  });
}

/** The kind of each pixel: `NOTHING`, `WHITE`, or the index of a strong colour plus 2. */
function kindsOf({ data, width, height }: Pixels): Uint8Array {
  const kinds = new Uint8Array(width * height);
  for (let pixel = 0; pixel < kinds.length; pixel++) {
    const red = data[pixel * 3] ?? 0;
    const green = data[pixel * 3 + 1] ?? 0;
    const blue = data[pixel * 3 + 2] ?? 0;
    const most = Math.max(red, green, blue);
    const least = Math.min(red, green, blue);
    const chroma = most - least;
    if (least > 218) kinds[pixel] = WHITE;
    else if (chroma >= STRONG && chroma > most * 0.45)
      kinds[pixel] = nearest(hueOf(red, green, blue, most, chroma));
  }
  return kinds;
}

function hueOf(red: number, green: number, blue: number, most: number, chroma: number): number {
  if (most === red) return (60 * ((green - blue) / chroma) + 360) % 360;
  return most === green ? 60 * ((blue - red) / chroma + 2) : 60 * ((red - green) / chroma + 4);
}

function nearest(hue: number): number {
  const away = (kind: Colour | "violet") => {
    const apart = Math.abs(HUES[kind] - hue);
    return Math.min(apart, 360 - apart);
  };
  let best = 0;
  for (let kind = 1; kind < KINDS.length; kind++)
    if (away(KINDS[kind] as Colour) < away(KINDS[best] as Colour)) best = kind;
  return away(KINDS[best] as Colour) <= 22 ? best + 2 : NOTHING;
}

/** Connected pixels of one kind (8 neighbours) of at least `LEAST_AREA`. */
function patchesOf(kinds: Uint8Array, width: number, height: number): Patch[] {
  const seen = new Uint8Array(kinds.length);
  const found: Patch[] = [];
  const stack: number[] = [];
  for (let start = 0; start < kinds.length; start++) {
    const kind = kinds[start] ?? NOTHING;
    if (kind === NOTHING || seen[start]) continue;
    const patch = { kind, area: 0, left: width, top: height, right: 0, bottom: 0 };
    stack.push(start);
    seen[start] = 1;
    for (let pixel = stack.pop(); pixel !== undefined; pixel = stack.pop()) {
      const x = pixel % width;
      const y = (pixel - x) / width;
      patch.area++;
      patch.left = Math.min(patch.left, x);
      patch.right = Math.max(patch.right, x + 1);
      patch.top = Math.min(patch.top, y);
      patch.bottom = Math.max(patch.bottom, y + 1);
      for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++)
        for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) {
          const next = v * width + u;
          if (seen[next] || kinds[next] !== kind) continue;
          seen[next] = 1;
          stack.push(next);
        }
    }
    if (patch.area >= LEAST_AREA) found.push(patch);
  }
  return found;
}

/** The form of a patch, by whether its middle and corners are filled and by its area; null if it is too small. */
function formOf(kinds: Uint8Array, width: number, patch: Patch): Figure | null {
  const wide = patch.right - patch.left;
  const high = patch.bottom - patch.top;
  if (Math.min(wide, high) < FORM_SIDE || wide > high * 1.5 || high > wide * 1.5) return null;
  const filled = (u: number, v: number) => {
    let hits = 0;
    for (let dy = -1; dy <= 1; dy++)
      for (let dx = -1; dx <= 1; dx++) {
        const x = Math.round(patch.left + u * (wide - 1)) + dx;
        const y = Math.round(patch.top + v * (high - 1)) + dy;
        if (kinds[y * width + x] === patch.kind) hits++;
      }
    return hits;
  };
  const middle = filled(0.5, 0.5) >= 5;
  const corners = [filled(0.1, 0.1), filled(0.9, 0.1), filled(0.1, 0.9), filled(0.9, 0.9)];
  const cornered = corners.filter((hits) => hits >= 5).length >= 3;
  if (!middle) return cornered ? "frame" : "ring";
  if (cornered) return "square";
  return patch.area / (wide * high) < 0.66 ? "cross" : "disc";
}

/** Number of light spots on a board; null if it is too small to count them. */
function dotsOn(picture: Pixels, board: Patch): number | null {
  const wide = board.right - board.left;
  const high = board.bottom - board.top;
  if (Math.min(wide, high) < BOARD_SIDE) return null;
  const part = cropped(
    picture,
    { from: board.left, to: board.right },
    { from: board.top, to: board.bottom },
  );
  const light = new Uint8Array(wide * high);
  for (let pixel = 0; pixel < light.length; pixel++)
    if ((part.data[pixel * 3 + 1] ?? 0) > 135) light[pixel] = WHITE;
  const area = wide * high;
  return patchesOf(light, wide, high).filter((dot) => dot.area < area / 15 && dot.area > area / 120)
    .length;
}

/** Whether a patch is white, wider than high, and has dark pixels. */
function isPlate({ data, width }: Pixels, patch: Patch): boolean {
  const wide = patch.right - patch.left;
  const high = patch.bottom - patch.top;
  if (high < 4 || wide < high * 1.4 || patch.area < wide * high * 0.35) return false;
  let dark = 0;
  for (let y = patch.top; y < patch.bottom; y++)
    for (let x = patch.left; x < patch.right; x++)
      if ((data[(y * width + x) * 3 + 1] ?? 0) < 175) dark++;
  return dark > wide * high * 0.05;
}

/** Lowest plate that is read, pixels. */
export const LEGIBLE_PLATE = 16;
/** Height to which a plate is enlarged for OCR, pixels. */
const OCR_HEIGHT = 120;

/** Text on a part of a picture: capitals without spaces, empty if it cannot be read. */
export async function readPart(image: Buffer, place: Place): Promise<string> {
  const { width = 1, height = 1 } = await sharp(image).metadata();
  const left = Math.max(0, Math.floor(place.x * width));
  const top = Math.max(0, Math.floor(place.y * height));
  const part = {
    left,
    top,
    width: Math.min(width - left, Math.ceil(place.width * width)),
    height: Math.min(height - top, Math.ceil(place.height * height)),
  };
  if (part.height < LEGIBLE_PLATE || part.width < LEGIBLE_PLATE) return "";
  const enlarged = await sharp(image)
    .extract(part)
    .resize({ height: OCR_HEIGHT, kernel: "cubic" })
    .extend({ top: 20, bottom: 20, left: 40, right: 40, background: "#f8f8f6" })
    .png()
    .toBuffer();
  const { text } = await recognise(enlarged, { psm: "line" });
  return text.toUpperCase().replace(/[^A-Z]/g, "");
}
