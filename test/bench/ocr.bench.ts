import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inputArgs, runFfmpeg } from "../../src/media/run.ts";
import { openStore } from "../../src/storage/open.ts";
import { closeOcr } from "../../tools/ocr.ts";
import { readImage } from "../../tools/read-image.ts";
import { readText } from "../../tools/read-text.ts";
import { scanVideo } from "../../tools/scan.ts";
import { editDistance } from "../../tools/text/similar.ts";
import { findStates } from "../../tools/text/states.ts";
import { openVideo } from "../../tools/video.ts";
import { hasShared, sharedFile } from "../support/shared.ts";
import { textImage } from "../support/text-image.ts";

const SECONDS = 600;
const RATE = 25;

const SLIDES = [
  ["The water cycle", "Evaporation lifts water from the sea", "Clouds carry it over the land"],
  ["Rain and snow", "Cold air holds less water", "What it cannot hold falls down"],
  ["Rivers", "Two thirds of the rain evaporates again", "The rest runs back into the sea"],
  ["Ground water", "Sand lets water through", "Clay holds it for thousands of years"],
  ["Summary", "The same water goes round and round", "Nothing is lost"],
] as const;

export interface Measured {
  name: string;
  value: number;
  unit: string;
  bar: string;
  ok: boolean;
}

/**
 * Ten minutes of 720p, five slides whose lines come one after another, a speaker moving in the corner: text read
 * against decoding the file, pictures read against pictures there are; and, where the shared images lie beside the
 * checkout, the character error rate of each (printed, without a bar: two of them are not rows of characters).
 */
export async function bench(): Promise<Measured[]> {
  const path = await lecture();
  const folder = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
  try {
    const whole = await timed(() =>
      runFfmpeg([...inputArgs(path), "-map", "0:v:0", "-f", "null", "-"]),
    );
    const store = await openStore(folder);
    const work = { store, run: "bench" };
    const video = await openVideo(path, work);
    let found = 0;
    const indexing = await timed(async () => {
      found = (await readText(video, {}, work)).length;
    });
    let decodedAgain = 0;
    const later = { ...work, run: "later", progress: () => decodedAgain++ };
    const again = await timed(() => readText(video, {}, later));
    const states = findStates(await scanVideo(video, work));
    const read = states.filter((state) => state.same === undefined).length;
    await store.close();
    const looks = SLIDES.flat().length;
    return [
      below("reading the text of a lecture / decoding it", indexing / whole, "times", 1.8),
      below("pictures read / pictures there are", read / looks, "times", 1.5),
      below("lines found more or less than there are", Math.abs(found - looks), "lines", 0),
      below("frames decoded or read when asked again", decodedAgain, "frames", 0),
      below("the same asked again", again * 1000, "ms", 100),
      ...(hasShared ? await errorRates() : []),
    ];
  } finally {
    closeOcr();
    await rm(folder, { recursive: true, force: true });
  }
}

export const below = (name: string, value: number, unit: string, most: number): Measured => ({
  name,
  value,
  unit,
  bar: `at most ${most}`,
  ok: value <= most,
});

/** Seconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

/** Edit distance to the transcript over its length, white space folded; 1 where nothing is claimed to be read. */
async function errorRates(): Promise<Measured[]> {
  const manifest: { file: string; transcript?: string }[] = JSON.parse(
    await readFile(sharedFile("media/MANIFEST.json"), "utf8"),
  );
  const rates: Measured[] = [];
  for (const { file, transcript } of manifest) {
    if (!file.startsWith("images/") || transcript === undefined) continue;
    const lines = await readImage(await readFile(sharedFile(`media/${file}`)));
    const read = fold(lines.map((line) => line.text).join(" "));
    const partial = /^title: ([^(]*)\(/.exec(transcript)?.[1];
    const truth = fold(partial ?? transcript);
    const rate =
      partial === undefined
        ? editDistance(read, truth) / truth.length
        : Math.min(...lines.map((line) => editDistance(fold(line.text), truth))) / truth.length;
    const perfect = file.includes("printed");
    rates.push({
      name: `character error rate of ${file.slice("images/".length)}${partial === undefined ? "" : " (its title)"}`,
      value: rate,
      unit: "",
      bar: perfect ? "0" : "none",
      ok: perfect ? rate === 0 : true,
    });
  }
  return rates;
}

const fold = (text: string) => text.replace(/\s+/g, " ").trim();

/** Made once a machine and kept with its temporary files. */
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
