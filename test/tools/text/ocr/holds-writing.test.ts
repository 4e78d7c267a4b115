import { readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { seeded } from "../../../../src/core/random.ts";
import { inputArgs, runFfmpeg } from "../../../../src/media/run-ffmpeg.ts";
import { findWriting } from "../../../../tools/text/ocr/edge-sharpness.ts";
import { isPlausible, withoutStrayDigits } from "../../../../tools/text/ocr/filter-readings.ts";
import { findMarks, holdsWriting } from "../../../../tools/text/ocr/holds-writing.ts";
import { holdLetters } from "../../../../tools/text/ocr/letter-classifier.ts";
import type { Plane } from "../../../../tools/text/ocr/plane.ts";
import { readingOf, readStrips, wholeLine } from "../../../../tools/text/ocr/read-strips.ts";
import { findTextLines } from "../../../../tools/text/ocr/text-lines.ts";
import { closeOcr } from "../../../../tools/text/ocr.ts";
import { MIN_CONFIDENCE, readImage } from "../../../../tools/text/read-image.ts";
import { scene } from "../../../support/scenes.ts";
import { describeShared, sharedFile } from "../../../support/shared.ts";
import { tempFolder } from "../../../support/temp.ts";
import { textBoard } from "../../../support/text-boards.ts";

afterAll(closeOcr);

async function planeOf(image: Buffer): Promise<Plane> {
  const grey = sharp(image).greyscale().toColourspace("b-w");
  const { width = 0 } = await sharp(image).metadata();
  const large = width < 900 ? grey.resize(width * 2, null, { kernel: "cubic" }) : grey;
  const { data, info } = await large.raw().toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

/** Words of a board that are read where every line found in it is. */
async function readWithout(image: Buffer, texts: readonly string[]): Promise<string[]> {
  const { page, lines } = await findTextLines(await planeOf(image));
  if (lines.length === 0) return [];
  const readings = (await readStrips(page, lines.map(wholeLine), {})).flatMap((rows) =>
    rows.map((words) => readingOf(words)),
  );
  const plausible = readings.filter((reading) => isPlausible(reading, 0, MIN_CONFIDENCE));
  return withoutStrayDigits(plausible, page.plane.height)
    .map((reading) => reading.text)
    .filter((text) => texts.some((drawn) => drawn.includes(text)));
}

async function holds(image: Buffer): Promise<boolean> {
  const { page, lines } = await findTextLines(await planeOf(image));
  return holdsWriting(page, lines, findMarks(lines, page.plane), MIN_CONFIDENCE, {});
}

test("text is recognised as writing in many fonts, sizes, contrasts and grounds", async () => {
  const missed: string[] = [];
  let legible = 0;
  for (let seed = 0; seed < 14; seed++) {
    const { jpeg, texts, how } = await textBoard(`writing ${seed}`);
    const read = await readWithout(jpeg, texts);
    if (read.length === 0) continue;
    legible++;
    if (!(await holds(jpeg))) missed.push(`${how}: ${read.join(", ")}`);
  }
  expect(missed).toEqual([]);
  expect(legible).toBeGreaterThan(8);
});

test.each([
  [20, "421"],
  [22, "energy water"],
  [32, "Kitchen Kitchen"],
])("words on a scene full of other things are read: board %d, %s", async (seed, words) => {
  const { jpeg } = await textBoard(`on a scene ${seed}`, await scene(`behind writing ${seed}`));
  expect((await readImage(jpeg)).map((line) => line.text)).toContain(words);
});

test("folds, shadows and foliage are not recognised as writing, so that nothing in them is read", async () => {
  const random = seeded("folds");
  const [width, height] = [640, 480];
  const grains = Uint8Array.from({ length: width * height }, () => 255 * random());
  const image = await sharp(grains, { raw: { width, height, channels: 1 } })
    .blur(4)
    .normalise()
    .jpeg({ quality: 90 })
    .toBuffer();
  const plane = await planeOf(image);
  const { lines } = await findTextLines(plane);
  expect(lines.length).toBeGreaterThan(20);
  expect(findWriting(lines, plane)).toEqual({ written: [], rows: [] });
});

/** Whether regions of a picture that may be text look like letters. */
async function looksWritten(image: Buffer): Promise<{ lines: number; letters: boolean }> {
  const plane = await planeOf(image);
  const { lines } = await findTextLines(plane);
  return { lines: lines.length, letters: holdLetters(findWriting(lines, plane).written, plane) };
}

describeShared("frames of real films", () => {
  async function frame(name: string, at_s: number): Promise<Buffer> {
    const file = join(await tempFolder(), "frame.png");
    const path = sharedFile(`media/${name}`);
    await runFfmpeg(["-ss", String(at_s), ...inputArgs(path), "-frames:v", "1", file]);
    return readFile(file);
  }

  test.each([
    ["videos/lecture_stream_ciphers.mp4", 20],
    ["videos/lecture_gis_bullets_vfr.mp4", 10],
    ["videos/manim_tex_derivation.mp4", 10],
    ["videos/manim_graph.mp4", 8],
    ["awkward/vfr_screen_recording.mp4", 2],
  ])("%s at %d s contains writing", async (name, at_s) => {
    expect(await holds(await frame(name, at_s))).toBe(true);
  });

  test("textures of film without text do not look like letters, so that tesseract is not started", async () => {
    for (const [name, times] of [
      ["kitchen_milk_ego", [0, 10, 20, 30]],
      ["bottle_shelf", [4.4, 26.5]],
    ] as const)
      for (const at_s of times) {
        const { lines, letters } = await looksWritten(await frame(`videos/${name}.mp4`, at_s));
        expect(lines, `${name} at ${at_s} s`).toBeGreaterThan(12);
        expect(letters, `${name} at ${at_s} s`).toBe(false);
      }
  });

  test("film without text is not read, nor are its folds and edges equations", async () => {
    for (const [name, at_s] of [
      ["kitchen_milk_ego", 0],
      ["kitchen_milk_ego", 20],
      ["bottle_shelf", 10],
      ["car_lane_silent_audio", 12],
    ] as const)
      expect(await readImage(await frame(`videos/${name}.mp4`, at_s)), name).toEqual([]);
  });
});
