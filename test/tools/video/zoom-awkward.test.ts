import sharp, { type Region } from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Store } from "../../../src/core/contracts.ts";
import { openStore } from "../../../src/storage/open.ts";
import { sampleFrames } from "../../../tools/video/frames.ts";
import { overviewSheets } from "../../../tools/video/overview.ts";
import { openVideo } from "../../../tools/video/video.ts";
import { zoomCrop } from "../../../tools/video/zoom.ts";
import { describeShared, sharedFile } from "../../support/shared.ts";
import { tempFolder } from "../../support/temp.ts";

let store: Store;
const work = () => ({ store, run: "look" });
beforeAll(async () => {
  store = await openStore(await tempFolder());
});
afterAll(() => store.close());

async function greys(hash: string, part?: Region): Promise<Buffer> {
  const picture = sharp(await store.blobs.read(hash)).greyscale();
  return (part === undefined ? picture : picture.extract(part)).raw().toBuffer();
}

describeShared("real files", () => {
  test.each([
    "rot_180_phone.mov",
    "rot_minus90_phone.mov",
    "av1.mkv",
    "edit_list.mp4",
    "hevc_10bit.mp4",
    "corrupt_h264.mp4",
  ])("a zoom into %s is that part of its upright frame", async (name) => {
    const video = await openVideo(sharedFile(`media/awkward/${name}`), work());
    const { width = 0, height = 0 } = video.probe.video ?? {};
    const at_s = video.probe.duration_s / 2;
    const size = { max_side: null, max_area: null, quality: 95 };
    const [whole] = await sampleFrames(
      video,
      { sampler: "times", times_s: [at_s], ...size },
      work(),
    );
    const box = { x: 31, y: 17, width: Math.floor(width / 3), height: Math.floor(height / 4) };
    const max_side = Math.max(64, box.width, box.height);
    const { frame, scale } = await zoomCrop(video, { at_s, box, max_side, quality: 95 }, work());
    expect(frame.t_s).toBe(whole?.t_s);
    if (scale !== 1) return expect(Math.max(frame.width, frame.height)).toBe(max_side);
    const part = await greys(frame.hash);
    const there = await greys(whole?.hash ?? "", {
      left: box.x,
      top: box.y,
      width: box.width,
      height: box.height,
    });
    const off =
      part.reduce((sum, grey, i) => sum + Math.abs(grey - (there[i] ?? 0)), 0) / part.length;
    expect(off).toBeLessThan(3);
  });

  test.each([
    ["one_frame_mpeg4.mp4", 1],
    ["vfr_screen_recording.mp4", 6],
    ["no_duration.webm", 6],
  ])("an overview of %s shows what there is, in order", async (name, count) => {
    const video = await openVideo(sharedFile(`media/awkward/${name}`), work());
    const { sheets } = await overviewSheets(video, { count: 6, max_side: 160 }, work());
    const times = sheets.flatMap(({ tiles }) => tiles.map((tile) => tile.t_s));
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    expect(times.length).toBeLessThanOrEqual(count);
    expect(times.length).toBeGreaterThan(count / 2);
  });
});
