import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Store } from "../../../src/core/contracts.ts";
import { openStore } from "../../../src/storage/open.ts";
import { compareSheet } from "../../../tools/video/compare-frames.ts";
import { openVideo, type Video } from "../../../tools/video/video.ts";
import { framesAt, viewFrames } from "../../../tools/video/view-frames.ts";
import { makeClip, readCode } from "../../support/clips.ts";
import { tempFolder } from "../../support/temp.ts";

let store: Store;
let video: Video;
const work = () => ({ store, run: "look" });
beforeAll(async () => {
  const folder = await tempFolder();
  store = await openStore(folder);
  video = await openVideo(await makeClip(folder, "codes.mp4", { frames: 100 }), work());
});
afterAll(() => store.close());

async function codeOf(hash: string): Promise<number> {
  const { data, info } = await sharp(await store.blobs.read(hash))
    .raw()
    .toBuffer({ resolveWithObject: true });
  return readCode(data, info.width, info.channels);
}

test("a view takes the middles of equal parts of a span, and shows what is on screen then", async () => {
  const frames = await viewFrames(video, { from_s: 1, to_s: 3, count: 4 }, work());
  expect(frames.map((frame) => frame.t_s)).toEqual([1.24, 1.72, 2.24, 2.72]);
  expect(await Promise.all(frames.map((frame) => codeOf(frame.hash)))).toEqual([31, 43, 56, 68]);
});

test("the end is cut to the video's; a repeated time gives one frame", async () => {
  const late = await viewFrames(video, { from_s: 3, to_s: 90, count: 2 }, work());
  expect(late.map((frame) => frame.t_s)).toEqual([3.24, 3.72]);
  const one = await viewFrames(video, { from_s: 2, to_s: 2, count: 8 }, work());
  expect(one.map((frame) => frame.t_s)).toEqual([2]);
});

test.each([
  ["after the end", { from_s: 7, to_s: 9, count: 2 }, /ends at 4\.0 s \(00:04\), got 7 s/],
  ["backwards", { from_s: 3, to_s: 1, count: 2 }, /end after it begins/],
  ["no frame", { from_s: 0, to_s: 1, count: 0 }, /`count`/],
])("%s is refused in a sentence", async (_, spec, words) => {
  await expect(viewFrames(video, spec, work())).rejects.toMatchObject({
    kind: "wrong-usage",
    message: expect.stringMatching(words),
  });
});

test("frames at times are returned in the given order, one for each time", async () => {
  const frames = await framesAt(video, { times_s: [3.5, 0.2, 3.5] }, work());
  expect(frames.map((frame) => frame.t_s)).toEqual([3.48, 0.2, 3.48]);
});

test("a comparison shows the frames side by side on one picture, in the given order", async () => {
  const { sheet, tiles } = await compareSheet(video, { times_s: [3.5, 0.2] }, work());
  expect(tiles.map((tile) => tile.t_s)).toEqual([3.48, 0.2]);
  const bytes = await store.blobs.read(sheet.hash);
  expect(await sharp(bytes).metadata()).toMatchObject({ width: sheet.width, height: sheet.height });
  // Tiles keep their size here, so that their codes can be read in place.
  const left = await sharp(bytes)
    .extract({ left: 4, top: 4, width: 320, height: 180 })
    .raw()
    .toBuffer();
  const right = await sharp(bytes)
    .extract({ left: 328, top: 4, width: 320, height: 180 })
    .raw()
    .toBuffer();
  expect([readCode(left, 320, 3), readCode(right, 320, 3)]).toEqual([87, 5]);
  await expect(compareSheet(video, { times_s: [1] }, work())).rejects.toMatchObject({
    kind: "wrong-usage",
  });
});
