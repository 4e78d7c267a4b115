import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { inputArgs, runFfmpeg } from "../../src/media/run-ffmpeg.ts";
import { openStore } from "../../src/storage/open.ts";
import { closeOcr } from "../../tools/text/ocr.ts";
import { readText } from "../../tools/text/read-text.ts";
import { scanVideo } from "../../tools/video/scan.ts";
import { openVideo } from "../../tools/video/video.ts";
import { hasShared, sharedFile } from "../support/shared.ts";
import { besideRounds } from "./machine.ts";
import { below, type Measured, median, timed } from "./measured.ts";
import { measuredCommand, packagedCommand } from "./measured-command.ts";

/** Length of the generated films, seconds. */
const SECONDS = 40;

/** Patterns with sharp edges like text, and soft ones. */
const PATTERNS = {
  fractal: `mandelbrot=s=640x480:r=15:end_scale=0.01:end_pts=${SECONDS * 15}`,
  gradients: "gradients=s=640x480:r=15:speed=0.05",
  life: "life=s=160x120:r=15:ratio=0.1:mold=20,scale=640:480:flags=neighbor",
};

/** Natural films of 30 to 41 seconds in which nothing can be read. */
const NATURAL = ["kitchen_milk_ego", "bottle_shelf", "car_lane_silent_audio"];
const ROUNDS = 5;

/**
 * The time of OCR on a scanned film without text, compared with decoding it in the same run; and that of the whole command
 * on natural films, which are those of `../shared/data`, if it exists.
 */
export async function bench(): Promise<Measured[]> {
  const folder = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
  try {
    const figures: Measured[] = [];
    for (const [name, pattern] of Object.entries(PATTERNS)) {
      const path = join(folder, `${name}.mp4`);
      await runFfmpeg([
        ...["-f", "lavfi", "-t", String(SECONDS), "-i", pattern],
        ...["-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", path],
      ]);
      figures.push(await measure(folder, path, name === "gradients" ? 8 : 80));
    }
    if (hasShared) {
      const times: { path: string; seconds: number }[] = [];
      const { slower } = await besideRounds(NATURAL.length, async (index) => {
        const path = sharedFile(`media/videos/${NATURAL[index]}.mp4`);
        figures.push(await measure(folder, path, 8));
        times.push({ path, seconds: await timeOfCommand(folder, path) });
      });
      for (const { path, seconds } of times)
        figures.push(
          below(
            `\`text\` of ${basename(path, ".mp4")}, with its start`,
            seconds,
            "s",
            1.5 * slower,
          ),
        );
    }
    return figures;
  } finally {
    closeOcr();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(folder: string, path: string, most: number): Promise<Measured> {
  const decoding_s = await timed(() =>
    runFfmpeg([...inputArgs(path), "-map", "0:v:0", "-f", "null", "-"]),
  );
  const store = await openStore(await mkdtemp(join(folder, "store-")));
  try {
    const work = { store, run: "bench" };
    const video = await openVideo(path, work);
    await scanVideo(video, work);
    const reading_s = await timed(() => readText(video, {}, work));
    const name = `reading ${basename(path, ".mp4")}, which has no text / decoding it`;
    return below(name, reading_s / decoding_s, "times", most);
  } finally {
    await store.close();
  }
}

/** Seconds of the packaged command with its start, the median of some rounds. */
async function timeOfCommand(folder: string, path: string): Promise<number> {
  const times_s: number[] = [];
  const program = await packagedCommand();
  for (let round = 0; round < ROUNDS; round++) {
    const data = await mkdtemp(join(folder, "data-"));
    const command = [program, "text", path, "--data-dir", data];
    times_s.push((await measuredCommand(command, { cwd: folder })).alive_s);
  }
  return median(times_s);
}
