import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { systemCode } from "../../src/core/errors.ts";
import { inputArgs, runFfmpeg } from "../../src/media/run-ffmpeg.ts";
import { readImage } from "../../tools/text/read-image.ts";
import { readText } from "../../tools/text/read-text.ts";
import { findScreenStates } from "../../tools/text/screen-states.ts";
import { editDistance } from "../../tools/text/text-similarity.ts";
import { scanVideo } from "../../tools/video/scan.ts";
import { openVideo } from "../../tools/video/video.ts";
import { hasShared, sharedFile } from "../support/shared.ts";
import { onLecture, SLIDES } from "./lecture.ts";
import { below, cpuOf, type Measured, median, timed } from "./measured.ts";

/** Seconds between the pictures of the lecture. */
const PICTURE_S = 40;
const NATIVE = "tesseract";
const ROUNDS = 3;

/**
 * OCR of the lecture: time compared with decoding the file, share of pictures read, and the CPU of reading its pictures
 * compared with one run of the program `tesseract` for each, the median of three, if it is installed with English data.
 * If `../shared/data` exists, also the character error rate of its images, without a limit, because two of them are not
 * rows of characters.
 */
export function bench(): Promise<Measured[]> {
  return onLecture(async ({ path, store, decoding_s }) => {
    const work = { store, run: "bench" };
    const video = await openVideo(path, work);
    let found = 0;
    const indexing = await timed(async () => {
      found = (await readText(video, {}, work)).length;
    });
    let decodedAgain = 0;
    const later = { ...work, run: "later", progress: () => decodedAgain++ };
    const again = await timed(() => readText(video, {}, later));
    const states = findScreenStates(await scanVideo(video, work));
    const read = states.filter((state) => state.same === undefined).length;
    const looks = SLIDES.flat().length;
    return [
      below("reading the text of a lecture / decoding it", indexing / decoding_s, "times", 1.8),
      below("pictures read / pictures there are", read / looks, "times", 1.5),
      below("lines found more or less than there are", Math.abs(found - looks), "lines", 0),
      below("frames decoded or read when asked again", decodedAgain, "frames", 0),
      below("the same asked again", again * 1000, "ms", 100),
      await againstNative(path, looks),
      ...(hasShared ? await errorRates() : []),
    ];
  });
}

async function againstNative(path: string, pictures: number): Promise<Measured> {
  const name = "CPU of reading the pictures of a lecture / native tesseract";
  const folder = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
  try {
    const files: string[] = [];
    for (let index = 0; index < pictures; index++) {
      const file = join(folder, `${index}.png`);
      const at = ["-ss", String((index + 1) * PICTURE_S - 2)];
      await runFfmpeg([...at, ...inputArgs(path), "-frames:v", "1", file]);
      files.push(file);
    }
    const run = promisify(execFile);
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const native = await cpuOf(async () => {
        for (const file of files) await run(NATIVE, [file, "stdout", "-l", "eng"]);
      });
      const ours = await cpuOf(async () => {
        for (const file of files) await readImage(await readFile(file));
      });
      ratios.push(ours / native);
    }
    return below(name, median(ratios), "times", 1.2);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    return {
      name: `${name} (install tesseract-ocr)`,
      value: NaN,
      unit: "times",
      bar: "none",
      ok: true,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Edit distance to the transcript over its length, with white space collapsed; 1 if nothing is read. */
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
