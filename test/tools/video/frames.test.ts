import { mkdir, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Store } from "../../../src/core/contracts.ts";
import { runFfmpeg } from "../../../src/media/run-ffmpeg.ts";
import type { Scan } from "../../../src/media/scan.ts";
import { packScan } from "../../../src/media/scan-file.ts";
import { openStore } from "../../../src/storage/open.ts";
import { sampleEach, sampleFrames } from "../../../tools/video/frames.ts";
import { scanVideo } from "../../../tools/video/scan.ts";
import { openVideo } from "../../../tools/video/video.ts";
import { makeClip, readCode } from "../../support/clips.ts";
import { tempFolder } from "../../support/temp.ts";

let folder: string;
let store: Store;
beforeAll(async () => {
  folder = await tempFolder();
  store = await openStore(join(folder, "store"));
});
afterAll(() => store.close());

const bytesOf = (scan: Scan) =>
  Buffer.concat(Array.from(packScan(scan), (part) => Buffer.from(part)));

const SMALL = { max_side: null, max_area: null, quality: 85 };

test("frames are in the store with their own times, and a second request starts nothing", async () => {
  const path = await makeClip(folder, "again.mp4", { frames: 100 });
  const progress: [number, number | null, string][] = [];
  const work = {
    store,
    run: "one",
    progress: (done: number, total: number | null, unit: string) => {
      progress.push([done, total, unit]);
    },
  };
  const video = await openVideo(path, work);
  const frames = await sampleFrames(video, { sampler: "ends", n: 5, ...SMALL }, work);
  expect(frames.map((frame) => frame.t_s)).toEqual([0, 0.96, 1.96, 2.96, 3.96]);
  for (const frame of frames) {
    const { data, info } = await sharp(await store.blobs.read(frame.hash))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(readCode(data, info.width, info.channels)).toBe(Math.round(frame.t_s * 25));
    expect([info.width, info.height]).toEqual([frame.width, frame.height]);
  }
  expect(progress.at(-1)).toEqual([5, 5, "frames"]);
  const scan = await scanVideo(video, work);

  // The file is removed, so nothing can be decoded.
  await rm(path);
  expect(
    await sampleFrames(video, { sampler: "ends", n: 5, ...SMALL }, { store, run: "two" }),
  ).toEqual(frames);
  const times_s = frames.map((frame) => frame.t_s + 0.01);
  expect(
    await sampleFrames(video, { sampler: "times", times_s, ...SMALL }, { store, run: "two" }),
  ).toEqual(frames);
  expect(bytesOf(await scanVideo(video, { store, run: "two" }))).toEqual(bytesOf(scan));
});

test("the hash depends on the content: a copy is the same video, a changed file another", async () => {
  const path = await makeClip(folder, "first.mp4", { frames: 30 });
  const other = await makeClip(folder, "other.mp4", { frames: 40 });
  const work = { store, run: "one" };
  const first = await openVideo(path, work);
  expect(await openVideo(path, work)).toEqual(first);
  await rename(path, join(folder, "moved.mp4"));
  const moved = await openVideo(join(folder, "moved.mp4"), work);
  expect(moved.hash).toBe(first.hash);
  expect(moved.probe.path).toBe(join(folder, "moved.mp4"));
  await rename(other, path);
  await utimes(path, new Date(), new Date());
  const changed = await openVideo(path, work);
  expect(changed.hash).not.toBe(first.hash);
  expect(changed.probe.video?.frames).toBe(40);
});

test("missing derived files are made again", async () => {
  const path = await makeClip(folder, "derived.mp4", { frames: 30 });
  const work = { store, run: "one" };
  const video = await openVideo(path, work);
  const scan = await scanVideo(video, work);
  await rm(await store.derived(video.hash), { recursive: true });
  expect(bytesOf(await scanVideo(video, work))).toEqual(bytesOf(scan));
  expect(await sampleFrames(video, { sampler: "midpoints", n: 1, ...SMALL }, work)).toHaveLength(1);
});

test("sizes are limited by side and by area", async () => {
  const path = await makeClip(folder, "sizes.mp4", { frames: 10, width: 640, height: 360 });
  const work = { store, run: "one" };
  const video = await openVideo(path, work);
  const ask = async (max_side: number | null, max_area: number | null) => {
    const [frame] = await sampleFrames(
      video,
      { sampler: "ends", n: 1, max_side, max_area, quality: 80 },
      work,
    );
    return [frame?.width, frame?.height];
  };
  expect(await ask(320, null)).toEqual([320, 180]);
  expect(await ask(null, 151_200)).toEqual([518, 291]);
  expect(await ask(4000, null)).toEqual([640, 360]);
});

test("files that are not videos are refused in one sentence that names them", async () => {
  const work = { store, run: "one" };
  const refused = async (name: string, kind: string, words: string) => {
    const error: unknown = await openVideo(join(folder, name), work).catch((e: unknown) => e);
    expect(error).toMatchObject({ kind, message: expect.stringContaining(name) });
    expect(error).toMatchObject({ message: expect.stringContaining(words) });
  };
  await mkdir(join(folder, "folder.mp4"));
  await writeFile(join(folder, "empty.mp4"), "");
  await writeFile(join(folder, "text.mp4"), "Dear diary, nothing moves here.\n".repeat(40));
  await writeFile(join(folder, "packed.zip"), Buffer.from("504b0304140000000800", "hex"));
  const whole = await readFile(await makeClip(folder, "whole.mp4", { frames: 30 }));
  await writeFile(join(folder, "half.mp4"), whole.subarray(0, whole.length >> 1));
  await refused("absent.mp4", "file-unreadable", "Cannot find");
  await refused("folder.mp4", "file-unreadable", "is a folder");
  await refused("empty.mp4", "file-unreadable", "is empty");
  await refused("text.mp4", "not-media", "is not a video, sound or subtitle file");
  await refused("packed.zip", "not-media", "is not a video, sound or subtitle file");
  await refused("half.mp4", "damaged", "record or copy the file again");
  await writeFile(join(folder, "list.m3u8"), "#EXTM3U\n#EXTINF:1,\nwhole.mp4\n");
  await refused("list.m3u8", "not-media", "is a playlist, which is not opened");
  const colours = ["red", "blue"].map((background) => ({
    create: { width: 64, height: 48, channels: 3 as const, background },
  }));
  const pictures = await Promise.all(colours.map((input) => sharp(input).png().toBuffer()));
  await sharp(pictures, { join: { animated: true } })
    .webp()
    .toFile(join(folder, "moving.webp"));
  await refused("moving.webp", "not-media", "is an animated WebP");
});

test("a picture is a video of one frame, and a sound has none", async () => {
  const work = { store, run: "one" };
  await sharp({ create: { width: 50, height: 30, channels: 3, background: "red" } })
    .png()
    .toFile(join(folder, "red.png"));
  const picture = await openVideo(join(folder, "red.png"), work);
  const frames = await sampleFrames(picture, { sampler: "ends", n: 8, ...SMALL }, work);
  expect(frames).toMatchObject([{ t_s: 0, width: 50, height: 30 }]);
  await runFfmpeg(["-f", "lavfi", "-i", "sine=d=1", join(folder, "tone.wav")]);
  const tone = await openVideo(join(folder, "tone.wav"), work);
  expect(tone.probe).toMatchObject({ video: null, duration_s: 1 });
  const asked = sampleFrames(tone, { sampler: "ends", n: 8, ...SMALL }, work);
  await expect(asked).rejects.toMatchObject({
    kind: "no-video",
    message: expect.stringContaining("only sound"),
  });
});

test("a wrong request is refused before anything is decoded", async () => {
  const path = await makeClip(folder, "wrong.mp4", { frames: 10 });
  const work = { store, run: "one" };
  const video = await openVideo(path, work);
  const asked = sampleFrames(video, { sampler: "ends", n: 0, ...SMALL }, work);
  await expect(asked).rejects.toMatchObject({
    kind: "wrong-usage",
    message: expect.stringContaining("`n`"),
  });
});

test("frames of several requests are decoded together, and stored as those of one request", async () => {
  const path = await makeClip(folder, "each.mp4", { frames: 200 });
  const specs = [0, 2, 4, 4].map((from_s) => ({
    ...{ sampler: "ends" as const, n: 3, from_s, to_s: from_s + 2 },
    ...SMALL,
  }));
  const progress: [number, number | null][] = [];
  const work = {
    ...{ store, run: "each" },
    progress: (done: number, total: number | null) => void progress.push([done, total]),
  };
  const video = await openVideo(path, work);
  const frames = await sampleEach(video, specs, work);
  expect(frames.map((some) => some.map(({ t_s }) => t_s))).toEqual([
    [0, 0.96, 1.96],
    [2, 2.96, 3.96],
    [4, 4.96, 5.96],
    [4, 4.96, 5.96],
  ]);
  expect(progress.at(-1)).toEqual([9, 9]);
  await rm(path);
  for (const [index, spec] of specs.entries())
    expect(await sampleFrames(video, spec, { store, run: "two" })).toEqual(frames[index]);
});
