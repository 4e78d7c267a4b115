import sharp from "sharp";
import { recognise } from "../../tools/text/ocr.ts";
import { type Colour, type Figure, HUES } from "./looking-scenes.ts";

/*
 * Eyes: what can be told of a picture from its decoded pixels alone. They know no film, no seed and no question, and
 * what is too small for them they cannot tell.
 */

/** A rectangle in shares of the picture, 0 to 1. */
export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

export type Sight =
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

/** Pixels of a side from which on a form can be told, and those of a board whose dots can be counted. */
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

/** What stands out in a picture. */
export async function lookAtPicture(image: Buffer): Promise<Sight[]> {
  return sightsIn(await pixelsOf(image));
}

/** The same for each tile of a sheet, row by row; a sheet has dark lines between its tiles. */
export async function lookAtSheet(image: Buffer): Promise<Sight[][]> {
  const sheet = await pixelsOf(image);
  const columns = bands(sheet, "x");
  const rows = bands(sheet, "y");
  return rows.flatMap((row) => columns.map((column) => sightsIn(cropped(sheet, column, row))));
}

/** Grey of a sheet's ground, levels by which it may stray, and the share of a line that may be something else. */
const SHEET_GROUND = 32;
const GROUND_STRAY = 14;
const GROUND_SHARE = 0.015;
const LEAST_TILE = 32;

/** Stretches across a sheet that are not its ground throughout; what is written under tiles is too low to be one. */
function bands({ data, width, height }: Pixels, along: "x" | "y"): { from: number; to: number }[] {
  const length = along === "x" ? width : height;
  const across = along === "x" ? height : width;
  const isGround = (at: number) => {
    let others = 0;
    for (let other = 0; other < across; other++) {
      const pixel = (along === "x" ? other * width + at : at * width + other) * 3;
      const off = [0, 1, 2].some(
        (channel) => Math.abs((data[pixel + channel] ?? 0) - SHEET_GROUND) > GROUND_STRAY,
      );
      if (off) others++;
    }
    return others <= across * GROUND_SHARE;
  };
  const found: { from: number; to: number }[] = [];
  let from: number | null = null;
  for (let at = 0; at <= length; at++) {
    const ground = at === length || isGround(at);
    if (!ground) from ??= at;
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

function sightsIn(picture: Pixels): Sight[] {
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
  return patches.flatMap((patch): Sight[] => {
    const place = inside(patch);
    if (patch.kind === VIOLET) return [{ what: "board", dots: dotsOn(picture, patch), place }];
    if (inBoard(patch)) return [];
    if (patch.kind === WHITE) return isPlate(picture, patch) ? [{ what: "plate", place }] : [];
    const colour = KINDS[patch.kind - 2] as Colour;
    return [{ what: "figure", colour, figure: formOf(kinds, picture.width, patch), place }];
  });
}

/** The kind of each pixel: nothing, white, or one of the strong colours. */
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

/** Connected pixels of one kind, eight neighbours each, the large ones. */
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

/** By where the patch is filled: its middle, its corners, and how much of it. */
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

/** Light spots on a board. */
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

/** White, longer than high, with something dark on it. */
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

/** Pixels a plate must be high before anybody tries to read it. */
export const LEGIBLE_PLATE = 16;
/** As large as the reader likes it; what the pixels do not hold does not come back by it. */
const READ_HIGH = 120;

/** What is written on a part of a picture, as far as it can be read: capitals, without spaces. */
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
    .resize({ height: READ_HIGH, kernel: "cubic" })
    .extend({ top: 20, bottom: 20, left: 40, right: 40, background: "#f8f8f6" })
    .png()
    .toBuffer();
  const { text } = await recognise(enlarged, { psm: "line" });
  return text.toUpperCase().replace(/[^A-Z]/g, "");
}
