import { Failure } from "../../src/core/errors.ts";
import { hashOf } from "../../src/core/hash.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import type { FrameRef } from "../../src/core/shapes.ts";
import { clock } from "../../src/core/time.ts";
import { drawPicture, type Shape } from "../../src/media/compose/picture.ts";
import { fitWithin } from "../../src/media/decode.ts";
import { sharp } from "../../src/media/sharp.ts";

/** A contact sheet: several frames in one picture, row by row, with the time under each. */
export interface Sheet {
  /** The `t_s` of the sheet is the time of its first tile. */
  sheet: FrameRef;
  /** The frames at their own size, in the order of the tiles. */
  tiles: FrameRef[];
}

export interface SheetSpec {
  /** Tiles per row. Default: as many as give the sheet an aspect ratio of about 4:3. */
  columns?: number;
  /** JPEG quality. */
  quality: number;
}

/**
 * Longest side in pixels, and area in square pixels, of a sheet. Providers downscale larger pictures before the model
 * sees them (Anthropic above 1568 pixels per side, OpenAI to 768 on the short side).
 */
const MOST_SIDE = 1568;
const MOST_AREA = 1_500_000;
/**
 * Most tiles on a sheet. Each tile of a wide frame then has about 270 x 150 pixels, so that an object a tenth as wide
 * as the frame still fills one patch of 28 pixels, the smallest that vision models distinguish.
 */
export const MOST_TILES = 36;

const GAP = 4;
/** Height of the caption under a tile, and of its letters, in pixels. */
const LINE = 22;
const LETTERS = 15;
const ASPECT = 4 / 3;

/** Raise when the same tiles would give another sheet. */
const VERSION = 1;

/** Throws `Failure` `wrong-usage` without tiles or with more than fit, `store-damaged`, `disk-full`. */
export async function makeSheet(
  tiles: readonly FrameRef[],
  { columns, quality }: SheetSpec,
  job: JobContext,
): Promise<Sheet> {
  const [first] = tiles;
  if (first === undefined || tiles.length > MOST_TILES)
    throw new Failure(
      "wrong-usage",
      `A contact sheet takes 1 to ${MOST_TILES} frames; got ${tiles.length}.`,
      { tiles: tiles.length },
    );
  const named = tiles.map(({ hash, t_s }) => [hash, t_s]);
  const { value: sheet } = await job.store.memo.once<FrameRef>(
    {
      key: hashOf(["sheet", VERSION, named, columns ?? null, quality]),
      tags: [first.video],
      run: job.run,
      signal: job.signal,
    },
    async () => {
      const places = layout(tiles, columns);
      const jpeg = await drawSheet(tiles, places, quality, job);
      const { hash } = await job.store.blobs.put(first.video, jpeg, "jpg");
      const { width, height } = places;
      return { hash, video: first.video, t_s: first.t_s, width, height };
    },
  );
  return { sheet, tiles: [...tiles] };
}

export interface Layout {
  width: number;
  height: number;
  /** Position of each tile's picture, in pixels of the sheet. */
  places: { left: number; top: number; width: number; height: number }[];
}

/**
 * Makes tiles as large as the limits of the sheet allow, but not larger than the frames. All tiles have the size of
 * the first.
 */
export function layout(
  tiles: readonly Pick<FrameRef, "width" | "height">[],
  columns?: number,
): Layout {
  const { width: wide = 1, height: high = 1 } = tiles[0] ?? {};
  const across = Math.min(
    tiles.length,
    columns ?? Math.ceil(Math.sqrt((tiles.length * ASPECT * high) / wide)),
  );
  const down = Math.ceil(tiles.length / across);
  const room = {
    width: (MOST_SIDE - GAP) / across - GAP,
    height: (MOST_SIDE - GAP) / down - GAP - LINE,
  };
  const scale = Math.min(
    1,
    room.width / wide,
    room.height / high,
    Math.sqrt(MOST_AREA / (tiles.length * wide * high)),
  );
  const tile = fitWithin(
    { width: wide, height: high },
    { max_side: Math.max(8, Math.floor(Math.max(wide, high) * scale)), max_area: null },
  );
  return {
    width: across * (tile.width + GAP) + GAP,
    height: down * (tile.height + LINE + GAP) + GAP,
    places: tiles.map((_, index) => ({
      left: GAP + (index % across) * (tile.width + GAP),
      top: GAP + Math.floor(index / across) * (tile.height + LINE + GAP),
      ...tile,
    })),
  };
}

async function drawSheet(
  tiles: readonly FrameRef[],
  { width, height, places }: Layout,
  quality: number,
  job: JobContext,
): Promise<Uint8Array> {
  const labels = tiles.map(({ t_s }, index): Shape => {
    const place = places[index] as Layout["places"][number];
    return {
      draw: "text",
      text: label(t_s, place.width),
      x: (place.left + place.width / 2) / width,
      y: (place.top + place.height + LINE / 2) / height,
      size: LETTERS / height,
      font: "sans-bold",
      colour: "white",
    };
  });
  const pictures = await Promise.all(
    tiles.map(async ({ hash }, index) => {
      const place = places[index] as Layout["places"][number];
      const size = { width: place.width, height: place.height };
      const input = await sharp(await job.store.blobs.read(hash))
        .resize({ ...size, fit: "contain", background: "#202020" })
        .toColourspace("srgb")
        .removeAlpha()
        .raw()
        .toBuffer();
      return { input, raw: { ...size, channels: 3 as const }, left: place.left, top: place.top };
    }),
  );
  const ground = await drawPicture({ background: "#202020", shapes: labels }, width, height);
  return sharp(ground, { raw: { width, height, channels: 3 } })
    .composite(pictures)
    .jpeg({ quality, chromaSubsampling: "4:4:4" })
    .toBuffer();
}

/** Least width in pixels of a tile that shows both time formats. */
const BOTH_FIT = 132;

/** `01:10 (70.5 s)`, or only the seconds on a narrow tile. */
function label(t_s: number, width: number): string {
  const seconds = `${t_s.toFixed(1)} s`;
  return width < BOTH_FIT ? seconds : `${clock(t_s)} (${seconds})`;
}
