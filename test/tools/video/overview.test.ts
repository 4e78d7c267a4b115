import { rm } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Store } from "../../../src/core/contracts.ts";
import { compose, type Segment } from "../../../src/media/compose.ts";
import { openStore } from "../../../src/storage/open.ts";
import { layout } from "../../../tools/video/contact-sheet.ts";
import { overviewSheets } from "../../../tools/video/overview.ts";
import { openVideo } from "../../../tools/video/video.ts";
import { tempFolder } from "../../support/temp.ts";

let folder: string;
let store: Store;
const work = () => ({ store, run: "look" });
beforeAll(async () => {
  folder = await tempFolder();
  store = await openStore(join(folder, "store"));
});
afterAll(() => store.close());

const SCENES = ["#305070", "#907040", "#508050", "#703060", "#404040", "#a0a0c0"];

/** Six scenes of 20 s; a sign is shown for 2 s in the fourth without a cut, and a red card between the fifth and the sixth. */
async function film(): Promise<string> {
  const scene = (background: string, sign: boolean, duration_s: number): Segment => ({
    kind: "picture",
    picture: {
      background,
      shapes: sign
        ? [{ draw: "box", x: 0.8, y: 0.2, width: 0.08, height: 0.1, fill: "yellow" }]
        : [],
    },
    duration_s,
  });
  const file = join(folder, "film.mp4");
  await compose(
    {
      width: 320,
      height: 180,
      fps: 5,
      silent: true,
      segments: SCENES.flatMap((background, i) => {
        if (i === 3)
          return [
            scene(background, false, 7),
            scene(background, true, 2),
            scene(background, false, 11),
          ];
        return i === 5
          ? [scene("#ff0000", false, 2), scene(background, false, 20)]
          : [scene(background, false, 20)];
      }),
    },
    file,
  );
  return file;
}

test("16 frames of two minutes show a sign of 2 s, a short shot and every scene, without a long gap", async () => {
  const file = await film();
  const video = await openVideo(file, work());
  const { sheets } = await overviewSheets(video, { count: 16 }, work());
  const [{ sheet, tiles } = { sheet: undefined, tiles: [] }] = sheets;
  const times = tiles.map((tile) => tile.t_s);
  expect(sheets).toHaveLength(1);
  expect(times).toHaveLength(16);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(times.some((t_s) => t_s >= 67 && t_s < 69)).toBe(true);
  expect(times.some((t_s) => t_s >= 100 && t_s < 102)).toBe(true);
  for (const i of SCENES.keys())
    expect(times.some((t_s) => t_s >= 20 * i && t_s < 20 * (i + 1))).toBe(true);
  const gaps = [0, ...times].map((t_s, i) => (times[i] ?? 122) - t_s);
  expect(Math.max(...gaps)).toBeLessThan(18);

  // Each tile of the sheet shows its frame.
  const bytes = await store.blobs.read(sheet?.hash ?? "");
  const { places, ...size } = layout(tiles);
  expect([sheet?.width, sheet?.height]).toEqual([size.width, size.height]);
  const colour = async (picture: Buffer | Uint8Array) =>
    (await sharp(picture).stats()).channels.slice(0, 3).map((channel) => channel.mean);
  for (const [i, place] of places.entries()) {
    const [red = 0, green = 0, blue = 0] = await colour(
      await sharp(bytes).extract(place).toBuffer(),
    );
    const own = await colour(await store.blobs.read(tiles[i]?.hash ?? ""));
    expect(
      Math.abs(red - (own[0] ?? 0)) +
        Math.abs(green - (own[1] ?? 0)) +
        Math.abs(blue - (own[2] ?? 0)),
    ).toBeLessThan(12);
  }

  // A second overview decodes nothing.
  await rm(file);
  expect(await overviewSheets(video, { count: 16 }, { store, run: "later" })).toEqual({ sheets });
});

test("more frames than fit on a sheet are split evenly over several sheets", async () => {
  const file = await film();
  const video = await openVideo(file, work());
  const { sheets } = await overviewSheets(video, { count: 80, max_side: 160 }, work());
  expect(sheets.map(({ tiles }) => tiles.length)).toEqual([27, 26, 27]);
  expect(new Set(sheets.flatMap(({ tiles }) => tiles.map((tile) => tile.t_s))).size).toBe(80);
  const part = await overviewSheets(video, { count: 4, from_s: 60, to_s: 80 }, work());
  const times = part.sheets.flatMap(({ tiles }) => tiles.map((tile) => tile.t_s));
  expect(times.every((t_s) => t_s >= 60 && t_s < 80)).toBe(true);
  expect(times.some((t_s) => t_s >= 67 && t_s < 69)).toBe(true);
  await expect(overviewSheets(video, { count: 0 }, work())).rejects.toMatchObject({
    kind: "wrong-usage",
  });
  await expect(overviewSheets(video, { count: 4, from_s: 500 }, work())).rejects.toMatchObject({
    kind: "wrong-usage",
  });
});

test.each([
  [16, { width: 1280, height: 720 }],
  [36, { width: 1280, height: 720 }],
  [36, { width: 720, height: 1280 }],
  [2, { width: 4000, height: 3000 }],
  [1, { width: 64, height: 64 }],
  [7, { width: 3000, height: 100 }],
])("a sheet of %i tiles stays within what models see, without overlapping tiles", (count, size) => {
  const { width, height, places } = layout(Array.from({ length: count }, () => size));
  expect(Math.max(width, height)).toBeLessThanOrEqual(1600);
  expect(places).toHaveLength(count);
  for (const [i, a] of places.entries()) {
    expect(a.left + a.width <= width && a.top + a.height <= height).toBe(true);
    expect(Math.max(a.width, a.height)).toBeGreaterThanOrEqual(
      Math.min(64, size.width, size.height),
    );
    for (const b of places.slice(i + 1))
      expect(
        a.left + a.width <= b.left ||
          b.left + b.width <= a.left ||
          a.top + a.height <= b.top ||
          b.top + b.height <= a.top,
      ).toBe(true);
  }
});
