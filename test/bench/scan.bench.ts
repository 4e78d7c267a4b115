import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FrameStream, streamFrames } from "../../src/media/frame-stream.ts";
import { type Probe, probe } from "../../src/media/probe.ts";
import { scan } from "../../src/media/scan.ts";
import { makeClip } from "../support/clips.ts";
import { below, cpuOf, type Measured } from "./measured.ts";

const ROUNDS = 7;
const MOST = 1.15;

/** The scan with its colour planes, compared with one that keeps only grey pictures, in turns. */
export async function bench(): Promise<Measured[]> {
  const folder = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
  try {
    const textured = await makeClip(folder, "textured.mp4", {
      ...{ frames: 750, width: 1280, height: 720, rate: 25 },
      filter: "noise=alls=3:allf=t",
      encode: ["-c:v", "libx264", "-preset", "veryfast", "-crf", "28", "-pix_fmt", "yuv420p"],
    });
    const card = await makeClip(folder, "card.mp4", {
      ...{ frames: 600, width: 1920, height: 1080, rate: 60 },
      encode: ["-c:v", "libx264", "-preset", "veryfast", "-crf", "28", "-pix_fmt", "yuv420p"],
    });
    return [
      below("CPU of a scan / grey scan, 720p with noise", await costOf(textured), "times", MOST),
      below("CPU of a scan / grey scan, 1080p test card", await costOf(card), "times", MOST),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function costOf(path: string): Promise<number> {
  const probed = await probe(path);
  const colour: number[] = [];
  const grey: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    grey.push(await cpuOf(() => greyScan(path, probed)));
    colour.push(await cpuOf(() => scan(path, probed)));
  }
  return Math.min(...colour) / Math.min(...grey);
}

async function greyScan(path: string, probed: Probe): Promise<void> {
  const pictures: Buffer[] = [];
  const filter = "scale=64:36:flags=area,format=gray";
  const stream: FrameStream = { before: [], filter, encode: "raw" };
  await streamFrames(path, probed, [stream], (_, pixels) => void pictures.push(pixels), {});
}
