import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "../../src/core/contracts.ts";
import { inputArgs, runFfmpeg } from "../../src/media/run-ffmpeg.ts";
import { openStore } from "../../src/storage/open.ts";
import { closeOcr } from "../../tools/text/ocr.ts";
import { textImage } from "../support/text-image.ts";
import { madeOnce } from "./film.ts";
import { type Measured, timed } from "./measured.ts";

/* Ten minutes of 720p: five slides whose lines appear one by one, and a speaker who moves in the corner. */

const SECONDS = 600;
const RATE = 25;

export const SLIDES = [
  ["The water cycle", "Evaporation lifts water from the sea", "Clouds carry it over the land"],
  ["Rain and snow", "Cold air holds less water", "What it cannot hold falls down"],
  ["Rivers", "Two thirds of the rain evaporates again", "The rest runs back into the sea"],
  ["Ground water", "Sand lets water through", "Clay holds it for thousands of years"],
  ["Summary", "The same water goes round and round", "Nothing is lost"],
] as const;

export interface OnLecture {
  path: string;
  store: Store;
  /** Seconds that decoding the lecture takes. */
  decoding_s: number;
}

/** Measures on the lecture with an empty store, which is removed afterwards. */
export async function onLecture(
  measure: (on: OnLecture) => Promise<Measured[]>,
): Promise<Measured[]> {
  const path = await lecture();
  const folder = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
  const store = await openStore(folder);
  try {
    const decoding_s = await timed(() =>
      runFfmpeg([...inputArgs(path), "-map", "0:v:0", "-f", "null", "-"]),
    );
    return await measure({ path, store, decoding_s });
  } finally {
    await store.close();
    closeOcr();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Made once and kept in the temporary folder. */
export async function lecture(): Promise<string> {
  const folder = join(tmpdir(), "video-rrd-bench");
  const path = join(folder, "lecture-text-2.mp4");
  if (existsSync(path)) return path;
  await mkdir(folder, { recursive: true });
  const work = await mkdtemp(join(folder, "making-"));
  try {
    const pictures: string[] = [];
    for (const [slide, lines] of SLIDES.entries())
      for (let shown = 1; shown <= lines.length; shown++) {
        const file = join(work, `${slide}-${shown}.png`);
        const placed = lines.slice(0, shown).map((text, line) => ({
          text,
          x: 80,
          y: 80 + line * 140,
          height: line === 0 ? 60 : 40,
        }));
        await writeFile(file, await textImage(1280, 720, placed));
        pictures.push(file);
      }
    const each = SECONDS / pictures.length;
    const frames = Math.round(each * RATE);
    const stills = pictures.map(
      (_, index) => `[${index}:v]loop=loop=${frames - 1}:size=1,setpts=N/${RATE}/TB[s${index}]`,
    );
    const joined = `${pictures.map((_, index) => `[s${index}]`).join("")}concat=n=${pictures.length}:v=1[slides]`;
    const made = join(work, "made.mp4");
    await runFfmpeg([
      ...pictures.flatMap((file) => ["-framerate", String(RATE), "-i", file]),
      ...[
        "-f",
        "lavfi",
        "-t",
        String(SECONDS),
        "-i",
        `testsrc2=s=240x300:r=${RATE},crop=240:180:0:110`,
      ],
      "-filter_complex",
      `${stills.join(";")};${joined};[slides][${pictures.length}:v]overlay=1030:530,noise=alls=5:allf=t,format=yuv420p`,
      ...["-c:v", "libx264", "-preset", "ultrafast", "-g", "250", "-t", String(SECONDS), made],
    ]);
    await rename(made, path);
    return path;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The lecture at 480x270, cut or repeated to a length. Made once and kept in the temporary folder. */
export async function smallLecture(minutes: number): Promise<string> {
  if (minutes === 10) {
    const from = await lecture();
    return madeOnce("lecture-small-1.mp4", (path) => [
      ...["-i", from, "-vf", "scale=480:270", "-c:v", "libx264", "-preset", "ultrafast"],
      ...["-g", "250", path],
    ]);
  }
  const ten = await smallLecture(10);
  return madeOnce(`lecture-small-${minutes}-minutes.mp4`, (path) => [
    ...["-stream_loop", String(Math.ceil(minutes / 10) - 1), "-i", ten],
    ...["-t", String(minutes * 60), "-c", "copy", path],
  ]);
}
