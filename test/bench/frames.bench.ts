import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pLimit from "p-limit";
import sharp from "sharp";
import type { JobContext } from "../../src/core/job-context.ts";
import type { FrameRef } from "../../src/core/shapes.ts";
import { everyFrameArgs, inputArgs, runFfmpeg } from "../../src/media/run-ffmpeg.ts";
import { scan } from "../../src/media/scan.ts";
import { openStore } from "../../src/storage/open.ts";
import { sampleFrames } from "../../tools/video/frames.ts";
import { frameTable, openVideo } from "../../tools/video/video.ts";
import { makeClip, readCode } from "../support/clips.ts";

const RATE = 25;
const SECONDS = 600;
const WANTED = 32;
const ROUNDS = 3;

/**
 * Sparse and dense reading of ten minutes of 720p H.264 with a key frame every 250 frames; compared with decoding all of
 * it, and with one seeking process per frame, two at a time. The video is made once and kept in the temporary folder.
 */
export async function bench(): Promise<
  { name: string; value: number; unit: string; bar: string; ok: boolean }[]
> {
  const path = await lecture();
  const folder = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
  try {
    const seeks: number[] = [];
    const ours: number[] = [];
    let frames: FrameRef[] = [];
    let error = 0;
    for (let round = 0; round < ROUNDS; round++) {
      seeks.push(await timed(() => oneSeekAFrame(path)));
      const store = await openStore(join(folder, String(round)));
      const job: JobContext = { store, run: "bench" };
      const video = await openVideo(path, job);
      ours.push(
        await timed(async () => {
          frames = await sampleFrames(
            video,
            { sampler: "ends", n: WANTED, max_side: null, max_area: null, quality: 85 },
            job,
          );
        }),
      );
      error = Math.max(error, await worstError(frames, (n) => n / RATE, job));
      await store.close();
    }
    const store = await openStore(join(folder, "scan"));
    const job: JobContext = { store, run: "bench" };
    const video = await openVideo(path, job);
    const table = await frameTable(video, job);
    const wholes: number[] = [];
    const scans: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      wholes.push(
        await timed(() => runFfmpeg([...inputArgs(path), "-map", "0:v:0", "-f", "null", "-"])),
      );
      scans.push(await timed(() => scan(path, video.probe, { table })));
    }
    const whole = Math.min(...wholes);
    const variable = await variableError(folder, job);
    await store.close();
    const best = Math.min(...ours);
    return [
      at(`decoding all / ${WANTED} even frames`, whole / best, "times", 2.5),
      at(`one seek a frame / ${WANTED} even frames`, Math.min(...seeks) / best, "times", 1.15),
      below("scan / decoding all", Math.min(...scans) / whole, "times", 1.25),
      below("largest time error, constant rate", error * RATE, "frames", 0.5),
      below("largest time error, variable rate", variable, "frames", 0.5),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const at = (name: string, value: number, unit: string, least: number) => ({
  name,
  value,
  unit,
  bar: `at least ${least}`,
  ok: value >= least,
});
const below = (name: string, value: number, unit: string, most: number) => ({
  name,
  value,
  unit,
  bar: `at most ${most}`,
  ok: value <= most,
});

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function lecture(): Promise<string> {
  const folder = join(tmpdir(), "video-rrd-bench-media");
  const path = join(folder, "ten-minutes-720p.mp4");
  if (existsSync(path)) return path;
  await mkdir(folder, { recursive: true });
  const made = await makeClip(folder, "unfinished.mp4", {
    frames: RATE * SECONDS,
    width: 1280,
    height: 720,
    rate: RATE,
    filter: "noise=alls=3:allf=t",
    encode: [
      ...["-c:v", "libx264", "-preset", "veryfast", "-crf", "28", "-pix_fmt", "yuv420p"],
      ...["-g", "250", "-keyint_min", "250", "-sc_threshold", "0"],
    ],
  });
  await rename(made, path);
  return path;
}

async function oneSeekAFrame(path: string): Promise<void> {
  const two = pLimit(2);
  const step = (RATE * SECONDS - 1) / (WANTED - 1) / RATE;
  await two.map(Array.from({ length: WANTED }), (_, i) =>
    runFfmpeg([
      ...["-threads", "1", "-ss", (i * step).toFixed(3), ...inputArgs(path), "-map", "0:v:0"],
      ...["-frames:v", "1", "-c:v", "mjpeg", "-q:v", "3", "-f", "image2pipe", "-"],
    ]),
  );
}

/** Largest difference in seconds between a frame's time and the time of the number drawn in it. */
async function worstError(
  frames: FrameRef[],
  timeOf: (number: number) => number,
  job: JobContext,
): Promise<number> {
  let worst = frames.length === 0 ? Infinity : 0;
  for (const frame of frames) {
    const image = sharp(await job.store.blobs.read(frame.hash)).raw();
    const { data, info } = await image.toBuffer({ resolveWithObject: true });
    const number = readCode(data, info.width, info.channels);
    worst = Math.max(worst, Math.abs(frame.t_s - timeOf(number)));
  }
  return worst;
}

/** The same with a frame rate that falls from 25 to 8 frames per second, in units of the shortest frame. */
async function variableError(folder: string, job: JobContext): Promise<number> {
  const frames = 400;
  const path = await makeClip(folder, "variable.mkv", {
    frames,
    filter: "settb=1/1000,setpts=N*40+N*N/10",
    encode: [
      ...["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-g", "50"],
      ...[...(await everyFrameArgs()), "-enc_time_base", "1:1000"],
    ],
  });
  const taken = await sampleFrames(
    await openVideo(path, job),
    { sampler: "midpoints", n: 100, max_side: null, max_area: null, quality: 85 },
    job,
  );
  const timeOf = (n: number) => (n * 40 + Math.trunc((n * n) / 10)) / 1000;
  return (await worstError(taken, timeOf, job)) * RATE;
}
