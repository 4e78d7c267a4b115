import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runFfmpeg } from "../../src/media/run-ffmpeg.ts";

/** Length of a shot of the film, in seconds. */
export const SHOT_S = 12;
const RATE = 25;

/**
 * Ten minutes of 360p with a cut every 12 s, between a moving test pattern and moving gradients, each time in other
 * colours. Made once and kept in the temporary folder.
 */
export function film(seconds = 600): Promise<string> {
  const size = `s=640x360:r=${RATE}`;
  return madeOnce(`cuts-${seconds}.mp4`, (path) => [
    ...["-f", "lavfi", "-i", `testsrc2=${size}:d=${seconds}`],
    ...["-f", "lavfi", "-i", `gradients=${size}:d=${seconds}:speed=0.02:seed=7`],
    "-filter_complex",
    // The colours of gradients are transparent in some versions of ffmpeg.
    `[1:v]format=yuv420p[g];[0:v][g]overlay=enable='lt(mod(t,${2 * SHOT_S}),${SHOT_S})',hue=h='67*floor(t/${SHOT_S})',format=yuv420p`,
    ...["-c:v", "libx264", "-preset", "ultrafast", "-g", "250", "-t", String(seconds), path],
  ]);
}

/** A generated film in the temporary folder, made with the arguments of ffmpeg that `args` returns. */
export async function madeOnce(name: string, args: (path: string) => string[]): Promise<string> {
  const folder = join(tmpdir(), "video-rrd-bench");
  const path = join(folder, name);
  if (existsSync(path)) return path;
  await mkdir(folder, { recursive: true });
  const work = await mkdtemp(join(folder, "making-"));
  try {
    const made = join(work, name);
    await runFfmpeg(args(made));
    await rename(made, path);
    return path;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
