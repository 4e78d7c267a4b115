import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { madeOnce } from "./film.ts";
import { smallLecture } from "./lecture.ts";
import { below, type Measured } from "./measured.ts";
import { packagedCommand } from "./measured-command.ts";
import { runTree } from "./process-tree.ts";
import { peakOfService } from "./service-films.ts";

const ROUNDS = 3;
/** Length of the longest film. */
const HOURS = 10;

/**
 * Memory of the packaged `video-rrd index` over its process tree, by the kernel's accounting: 50 minutes of lecture at
 * 480x270, the first ten of them, and what ten hours take more than one; each the median of three.
 */
export async function bench(): Promise<Measured[]> {
  const short = await smallLecture(10);
  const long = await smallLecture(50);
  const ten = await peakOf(short);
  const fifty = await peakOf(long);
  const service = await peakOfService();
  const hour = await peakOf(await slow(1));
  const hours = await peakOf(await slow(HOURS));
  return [
    below("memory of the index of 50 minutes of lecture", fifty, "MB", 450),
    below("the same / that of its first 10 minutes", fifty / ten, "times", 1.5),
    below("memory of the service, two questions on films of 10 minutes", service, "MB", 600),
    below(
      `memory of the index of ${HOURS} hours - that of its first hour`,
      hours - hour,
      "MB",
      100,
    ),
  ];
}

/** Hours of soft colours that never stay the same, so that they are looked at for text all the time. */
async function slow(hours: number): Promise<string> {
  if (hours === 1)
    return madeOnce("slow-1.mp4", (path) => [
      ...["-f", "lavfi", "-i", "gradients=s=160x90:r=2:d=3600:speed=0.02:seed=7"],
      ...["-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-g", "20", path],
    ]);
  const one = await slow(1);
  return madeOnce(`slow-${hours}.mp4`, (path) => [
    ...["-stream_loop", String(hours - 1), "-i", one, "-c", "copy", path],
  ]);
}

async function peakOf(film: string): Promise<number> {
  const peaks: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const data = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
    try {
      const args = [await packagedCommand(), "index", film, "--data-dir", data, "--json"];
      peaks.push((await runTree(args)).peak_mb);
    } finally {
      await rm(data, { recursive: true, force: true });
    }
  }
  return peaks.sort((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN;
}
