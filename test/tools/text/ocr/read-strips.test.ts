import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { freeInks } from "../../../../tools/text/ocr/glyphs.ts";
import { readStrips, wholeLine } from "../../../../tools/text/ocr/read-strips.ts";
import { LARGE_LETTER, stripPageSize } from "../../../../tools/text/ocr/strips.ts";
import { findTextLines } from "../../../../tools/text/ocr/text-lines.ts";
import { closeOcr, OCR_PIXEL_LIMIT } from "../../../../tools/text/ocr.ts";
import { textImage } from "../../../support/text-image.ts";

afterAll(closeOcr);

const LINES = ["one line of words", "another line below", "and the last of all"];

async function linesOfPicture() {
  const texts = LINES.map((text, index) => ({ text, x: 40, y: 40 + 100 * index, height: 30 }));
  const { data, info } = await sharp(await textImage(1240, 340, texts))
    .greyscale()
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const { page, lines } = await findTextLines({ pixels: data, width, height });
  const strips = lines.sort((a, b) => a.y0 - b.y0).map(wholeLine);
  expect(strips).toHaveLength(LINES.length);
  return { page, strips };
}

const repeated = <T>(items: readonly T[], times: number) =>
  Array.from({ length: times }, () => items).flat();

test("strips that are too many for one page go to tesseract in pages that it takes", async () => {
  const { page, strips } = await linesOfPicture();
  const many = repeated(strips, 200);
  const how = { psm: "block", letter: LARGE_LETTER } as const;
  const { width, height } = stripPageSize(page, many, how.letter);
  expect(width * height).toBeGreaterThan(OCR_PIXEL_LIMIT);
  // A page that is too large would be refused before that.
  const signal = AbortSignal.abort();
  const reading = readStrips(page, many, { signal }, how);
  await expect(reading).rejects.toMatchObject({ kind: "cancelled" });
  freeInks(page);
});

test("strips whose page takes too long are read in smaller pages, in their order", async () => {
  const { page, strips } = await linesOfPicture();
  const many = repeated(strips, 8);
  // Starts a worker.
  await readStrips(page, strips, {});
  const began = performance.now();
  await readStrips(page, many, {});
  const timeout_s = (performance.now() - began) / 2000;
  const read = await readStrips(page, many, { timeout_s });
  freeInks(page);
  const texts = read.map((rows) => rows.flat().map(({ text }) => text));
  expect(texts.map((words) => words.join(" "))).toEqual(repeated(LINES, 8));
});
