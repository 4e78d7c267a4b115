import { readFile, writeFile } from "node:fs/promises";
import fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import {
  decodeFrames,
  decodersAtOnce,
  type Frame,
  fitWithin,
  jpegStream,
} from "../../src/media/decode.ts";
import { planRuns } from "../../src/media/decode-plan.ts";
import { findFfmpeg } from "../../src/media/find-ffmpeg.ts";
import { type FrameTable, frameAt } from "../../src/media/frame-table.ts";
import { inspect } from "../../src/media/probe.ts";
import { everyFrameArgs, runFfmpeg } from "../../src/media/run-ffmpeg.ts";
import { scan } from "../../src/media/scan.ts";
import { makeClip, readCode } from "../support/clips.ts";
import { isRecentFfmpeg } from "../support/ffmpeg-build.ts";
import { describeShared, sharedFile } from "../support/shared.ts";
import { tempFolder } from "../support/temp.ts";

const FULL = { max_side: null, max_area: null, quality: 90 };
const X264 = ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p"];

/** Frames of another time than their number tells: a gap that grows with the frame number. */
const VARIABLE = "settb=1/1000,setpts=N*40+N*N/10";

const CLIPS: [string, string, Parameters<typeof makeClip>[2], (n: number) => number][] = [
  ["reordered frames", "b.mp4", { frames: 120 }, (n) => n / 25],
  ["matroska", "b.mkv", { frames: 120 }, (n) => Math.round(n * 40) / 1000],
  [
    "open groups of pictures",
    "open.mp4",
    {
      frames: 120,
      encode: [...X264, "-bf", "3", "-g", "24", "-x264-params", "open-gop=1:scenecut=0"],
    },
    (n) => n / 25,
  ],
  [
    "a variable rate",
    "vfr.mkv",
    {
      frames: 100,
      filter: VARIABLE,
      encode: [...X264, ...(await everyFrameArgs()), "-enc_time_base", "1:1000", "-g", "20"],
    },
    (n) => (n * 40 + Math.trunc((n * n) / 10)) / 1000,
  ],
  ["a transport stream, which has no index", "b.ts", { frames: 60 }, (n) => n / 25],
  [
    "a container whose clock begins at five seconds",
    "late.mkv",
    { frames: 60, encode: [...X264, "-g", "24", "-output_ts_offset", "5"] },
    (n) => Math.round(n * 40) / 1000,
  ],
  [
    "an old codec",
    "mpeg4.avi",
    { frames: 60, encode: ["-c:v", "mpeg4", "-q:v", "3", "-bf", "0", "-g", "12"] },
    (n) => n / 25,
  ],
];

async function code(frame: Frame): Promise<number> {
  const { data, info } = await sharp(frame.jpeg).raw().toBuffer({ resolveWithObject: true });
  return readCode(data, info.width, info.channels);
}

test.each(CLIPS.filter(([, file]) => isRecentFfmpeg || !file.endsWith(".ts")))(
  "%s: sought frames are the right ones, with the right times and pixels",
  async (_name, file, spec, timeOf) => {
    const path = await makeClip(await tempFolder(), file, spec);
    const { probe, table } = await inspect(path);
    if (table === null) throw new Error("no table");
    expect(probe.video?.frames).toBe(spec.frames);
    const numbers = [1, 23, 24, 25, spec.frames - 13, spec.frames - 1];
    const within = numbers.map((n) => timeOf(n) + 0.3 * (timeOf(n + 1) - timeOf(n)));
    const sparse = await decodeFrames(path, probe, table, within, FULL);
    const through = await decodeFrames(path, probe, { ...table, seekable: false }, within, FULL);
    expect(await Promise.all(sparse.map(code))).toEqual(
      [...new Set(numbers)].sort((a, b) => a - b),
    );
    for (const frame of sparse) expect(frame.t_s).toBeCloseTo(timeOf(await code(frame)), 2);
    expect(sparse).toEqual(through);
    const scanned = await scan(path, probe);
    expect(scanned.count).toBe(spec.frames);
    for (let n = 0; n < spec.frames; n++) expect(scanned.pts_s[n]).toBeCloseTo(timeOf(n), 2);
  },
);

test("many frames are decoded through, each once", async () => {
  const path = await makeClip(await tempFolder(), "dense.mp4", { frames: 130 });
  const { probe, table } = await inspect(path);
  if (table === null) throw new Error("no table");
  const progress: number[] = [];
  const frames = await decodeFrames(path, probe, table, [...table.pts_s, ...table.pts_s], {
    ...FULL,
    progress: (done) => progress.push(done),
  });
  expect(await Promise.all(frames.map(code))).toEqual(Array.from({ length: 130 }, (_, n) => n));
  expect(progress.at(-1)).toBe(130);
});

test("an edit list cuts frames away, and times count from what is left", async () => {
  const folder = await tempFolder();
  const whole = await makeClip(folder, "whole.mp4", { frames: 100 });
  const cut = `${folder}/cut.mp4`;
  await runFfmpeg(["-ss", "1.4", "-i", whole, "-c", "copy", "-y", cut]);
  const { probe, table } = await inspect(cut);
  if (table === null) throw new Error("no table");
  const [first] = await decodeFrames(cut, probe, table, [0], FULL);
  const [later] = await decodeFrames(cut, probe, table, [1], FULL);
  if (first === undefined || later === undefined) throw new Error("no frame");
  expect(await code(first)).toBe(35);
  expect(await code(later)).toBe(60);
  expect((await scan(cut, probe)).count).toBe(probe.video?.frames);
});

test("of several video streams the larger is taken, and pictures stand upright", async () => {
  const folder = await tempFolder();
  const small = await makeClip(folder, "small.mp4", { frames: 30, width: 224, height: 64 });
  const large = await makeClip(folder, "large.mp4", { frames: 50 });
  const both = `${folder}/both.mp4`;
  await runFfmpeg([
    ...["-i", small, "-i", large, "-map", "0:v", "-map", "1:v", "-c", "copy"],
    ...["-disposition:v:0", "default", "-disposition:v:1", "default", "-y", both],
  ]);
  const { probe, table } = await inspect(both);
  if (table === null) throw new Error("no table");
  expect(probe.video).toMatchObject({ index: 1, width: 320, height: 180, frames: 50 });
  const [frame] = await decodeFrames(both, probe, table, [1.6], FULL);
  expect(frame === undefined ? -1 : await code(frame)).toBe(40);
});

/** A film of 30 frames that is stored lying on its side. */
async function makeTurned(folder: string): Promise<string> {
  const stored = await makeClip(folder, "stored.mp4", { frames: 30 });
  const turned = `${folder}/turned.mov`;
  const { major } = await findFfmpeg();
  const mark =
    (major ?? 0) >= 6
      ? ["-display_rotation", "90", "-i", stored]
      : ["-i", stored, "-metadata:s:v:0", "rotate=90"];
  await runFfmpeg([...mark, "-c", "copy", turned]);
  return turned;
}

test("a turned picture stands upright", async () => {
  const turned = await makeTurned(await tempFolder());
  const { probe, table } = await inspect(turned);
  if (table === null) throw new Error("no table");
  expect(probe.video).toMatchObject({ width: 180, height: 320, rotation: 270 });
  const [frame] = await decodeFrames(turned, probe, table, [0.5], FULL);
  if (frame === undefined) throw new Error("no frame");
  expect([frame.width, frame.height]).toEqual([180, 320]);
  const jpeg = await sharp(frame.jpeg).rotate(90).toBuffer();
  expect(await code({ ...frame, jpeg })).toBe(12);
});

test.runIf(isRecentFfmpeg)(
  "after the size of the pictures changes, a crop shows the same area of them",
  async () => {
    const folder = await tempFolder();
    const parts = ["320x240", "160x120", "640x480"].map(async (size, i) => {
      const part = `${folder}/${size}.ts`;
      await runFfmpeg([
        ...["-f", "lavfi", "-i", `color=red:s=${size}:r=10:d=1,format=yuv444p`, "-vf"],
        ...[
          "drawbox=x=iw/2:w=iw/2:h=ih:color=blue:t=fill,format=yuv420p",
          "-c:v",
          "libx264",
          "-bf",
          "0",
        ],
        ...["-output_ts_offset", String(i), "-y", part],
      ]);
      return readFile(part);
    });
    const path = `${folder}/sizes.ts`;
    await writeFile(path, Buffer.concat(await Promise.all(parts)));
    const { probe, table } = await inspect(path);
    if (table === null) throw new Error("no table");
    expect(probe.video).toMatchObject({ width: 320, height: 240, frames: 30 });
    for (const [x, red, blue] of [
      [0, 250, 0],
      [170, 0, 250],
    ] as const) {
      const crop = { x, y: 100, width: 150, height: 140 };
      const frames = await decodeFrames(path, probe, table, [0.5, 1.5, 2.5], { ...FULL, crop });
      expect(frames.map(({ t_s }) => t_s)).toEqual([0.5, 1.5, 2.5]);
      for (const { jpeg, width, height } of frames) {
        expect([width, height]).toEqual([150, 140]);
        const [r, , b] = (await sharp(jpeg).stats()).channels.map(({ mean }) => mean);
        expect(Math.abs((r ?? 0) - red)).toBeLessThan(12);
        expect(Math.abs((b ?? 0) - blue)).toBeLessThan(12);
      }
    }
  },
);

test("a crop of a video with one size has the pixels of its box, also in odd sizes, wide pixels and turned pictures", async () => {
  const folder = await tempFolder();
  const lossless = { frames: 2, encode: ["-c:v", "ffv1"] };
  for (const path of [
    await makeTurned(folder),
    await makeClip(folder, "odd.mkv", { ...lossless, filter: "scale=319:181,format=yuv420p" }),
    await makeClip(folder, "flat.mkv", { ...lossless, filter: "scale=1001:77,format=yuv420p10le" }),
    await makeClip(folder, "wide.mp4", { frames: 2, filter: "setsar=4/3" }),
  ]) {
    const { probe, table } = await inspect(path);
    if (table === null || probe.video === null) throw new Error("no video");
    const { width, height } = probe.video;
    for (const crop of [
      { x: 1, y: 3, width: 101, height: 67 },
      { x: 7, y: 0, width: width - 7, height: height - 1 },
      { x: 0, y: 0, width, height },
    ]) {
      const { filter } = jpegStream(probe, table, [1], { ...FULL, crop });
      const box = `crop=${crop.width}:${crop.height}:${crop.x}:${crop.y}:exact=1`;
      const [ours, plain] = await Promise.all(
        [filter, filter.replace(/crop=[^,]*/, box)].map(async (vf) => {
          const args = ["-copyts", "-i", path, "-vf", vf, "-frames:v", "1", "-f", "rawvideo"];
          return (await runFfmpeg([...args, "pipe:1"])).stdout;
        }),
      );
      expect(ours?.length).toBeGreaterThan(0);
      expect(ours?.equals(plain ?? Buffer.alloc(0)), `${path} ${JSON.stringify(crop)}`).toBe(true);
    }
  }
});

test("frames of which no picture can be made are a failure", async () => {
  const path = await makeClip(await tempFolder(), "outside.mp4", { frames: 10 });
  const { probe, table } = await inspect(path);
  if (table === null) throw new Error("no table");
  const crop = { x: 0, y: 0, width: 9000, height: 9000 };
  await expect(decodeFrames(path, probe, table, [0.2], { ...FULL, crop })).rejects.toMatchObject({
    kind: "damaged",
    message: `Cannot decode any frame of ${path}.`,
  });
});

test("cancelling ends the work", async () => {
  const path = await makeClip(await tempFolder(), "c.mp4", { frames: 400 });
  const { probe, table } = await inspect(path);
  if (table === null) throw new Error("no table");
  const controller = new AbortController();
  const all = decodeFrames(path, probe, table, [...table.pts_s], {
    ...FULL,
    signal: controller.signal,
    progress: () => controller.abort(),
  });
  await expect(all).rejects.toMatchObject({ kind: "cancelled" });
});

test("sizes keep the aspect, fit the limits and never grow", () => {
  expect(fitWithin({ width: 1280, height: 720 }, { max_side: 640, max_area: null })).toEqual({
    width: 640,
    height: 360,
  });
  fc.assert(
    fc.property(
      fc.record({
        width: fc.integer({ min: 16, max: 8000 }),
        height: fc.integer({ min: 16, max: 8000 }),
      }),
      fc.option(fc.integer({ min: 16, max: 4000 })),
      fc.option(fc.integer({ min: 1000, max: 400_000 })),
      (size, max_side, max_area) => {
        const made = fitWithin(size, { max_side, max_area });
        expect(Math.max(made.width, made.height)).toBeLessThanOrEqual(max_side ?? Infinity);
        expect(made.width * made.height).toBeLessThanOrEqual(max_area ?? Infinity);
        expect(made.width).toBeLessThanOrEqual(size.width);
        expect(made.height).toBeLessThanOrEqual(size.height);
        const skew = Math.abs(made.width - (made.height * size.width) / size.height);
        expect(skew).toBeLessThanOrEqual(1 + size.width / size.height);
      },
    ),
  );
});

test("the decoders of a process hold few copies of the index of a long film, and few large pictures", async () => {
  const file = await makeClip(await tempFolder(), "short.mp4", { frames: 20 });
  const { probe } = await inspect(file);
  if (probe.video === null) throw new Error("no video");
  const sound = { index: 1, codec: "aac", channels: 2, sample_rate: 48_000 };
  const audio = [{ ...sound, language: null, start_s: 0, default: true }];
  const atOnce = (hours: number, changes: Partial<typeof probe> = {}) =>
    decodersAtOnce(
      { ...probe, duration_s: hours * 3600, ...changes },
      { pts_s: new Float64Array(hours * 90_000) },
    );
  expect(atOnce(0.1)).toBe(8);
  expect(atOnce(1)).toBe(8);
  expect(atOnce(1, { audio })).toBe(7);
  expect(atOnce(10)).toBe(2);
  expect(atOnce(10, { audio })).toBe(1);
  expect(atOnce(0.1, { video: { ...probe.video, width: 3840, height: 2160 } })).toBe(1);
  expect(atOnce(0.1, { video: { ...probe.video, width: 1920, height: 1080 } })).toBe(4);
});

test("runs hold every wanted frame once and begin at or before its key frame", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 999 }), { minLength: 1, maxLength: 200 }),
      fc.integer({ min: 1, max: 300 }),
      fc.integer({ min: 1, max: 8 }),
      (unsorted, group, cores) => {
        const wanted = unsorted.sort((a, b) => a - b);
        const pts_s = Float64Array.from({ length: 1000 }, (_, i) => i / 25);
        const table: FrameTable = {
          pts_s,
          end_s: 40,
          keys_s: pts_s.filter((_, i) => i % group === 0),
          reference: new Uint8Array(1000).fill(1),
          seekable: true,
        };
        const runs = planRuns(table, wanted, cores);
        expect(runs.flatMap((run) => run.frames)).toEqual(wanted);
        for (const run of runs) {
          const first = run.frames[0] ?? 0;
          const key = first - (first % group);
          const lands = run.seek_s === null ? 0 : frameAt(table, run.seek_s - 0.131);
          expect(lands).toBeLessThanOrEqual(first);
          if (run.seek_s !== null) expect(frameAt(table, run.seek_s)).toBeLessThan(key + group);
        }
      },
    ),
  );
});

describeShared("real files: seeking gives the pixels of a full decode", () => {
  test.each(["bottle_shelf.mp4", "nasa_webb_subs.mp4", "lecture_stream_ciphers.mp4"])(
    "%s",
    async (name) => {
      const path = sharedFile(`media/videos/${name}`);
      const { probe, table } = await inspect(path);
      if (table === null) throw new Error("no table");
      const times = Array.from({ length: 7 }, (_, i) => ((i + 0.37) * table.end_s) / 7);
      const opts = { ...FULL, max_side: 240 };
      const sparse = await decodeFrames(path, probe, table, times, opts);
      const through = await decodeFrames(path, probe, { ...table, seekable: false }, times, opts);
      expect(sparse.map((frame) => frame.t_s)).toEqual(
        times.map((t_s) => table.pts_s[frameAt(table, t_s)]),
      );
      expect(sparse).toEqual(through);
    },
  );
});
