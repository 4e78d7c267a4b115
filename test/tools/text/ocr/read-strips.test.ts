import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { freeInks } from "../../../../tools/text/ocr/glyphs.ts";
import { readStrips, wholeLine } from "../../../../tools/text/ocr/read-strips.ts";
import { LARGE_LETTER, renderStrips, stripPageSize } from "../../../../tools/text/ocr/strips.ts";
import { findTextLines } from "../../../../tools/text/ocr/text-lines.ts";
import { closeOcr, OCR_PIXEL_LIMIT, recognisePlane } from "../../../../tools/text/ocr.ts";
import { greyPlane } from "../../../support/grey-plane.ts";
import { textImage } from "../../../support/text-image.ts";

afterAll(closeOcr);

const LINES = ["one line of words", "another line below", "and the last of all"];

async function stripsOf(picture: Buffer) {
  const { page, lines } = await findTextLines(await greyPlane(picture));
  return { page, strips: lines.sort((a, b) => a.y0 - b.y0).map(wholeLine) };
}

async function linesOfPicture() {
  const texts = LINES.map((text, index) => ({ text, x: 40, y: 40 + 100 * index, height: 30 }));
  const { page, strips } = await stripsOf(await textImage(1240, 340, texts));
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

test("a line that is cut out of a dark box is read, which takes a second reading with dark and light exchanged", async () => {
  const text = "a caption on a dark box";
  const caption = [{ text, x: 12, y: 4, height: 14, colour: "white" }];
  const box = await textImage(360, 22, caption, "black");
  const picture = await sharp(await textImage(1280, 720, []))
    .composite([{ input: box, left: 200, top: 300 }])
    .png()
    .toBuffer();
  const { page, strips } = await stripsOf(picture);
  const { plane, boxes } = await renderStrips(page, strips);
  expect(boxes).toBe(true);
  const once = await recognisePlane(plane, { psm: "block", inverted: false });
  expect(once.text).not.toContain("caption");
  const read = await readStrips(page, strips, {});
  freeInks(page);
  expect(
    read
      .flat(2)
      .map((word) => word.text)
      .join(" "),
  ).toContain(text);
});

test("lines of letters are no boxes, dark on light and light on dark", async () => {
  for (const [colour, ground] of [
    ["black", "white"],
    ["white", "black"],
  ] as const) {
    const title = [{ text: "WORDS OF A TITLE", x: 40, y: 40, height: 30, colour }];
    const { page, strips } = await stripsOf(await textImage(1280, 720, title, ground));
    expect(strips.length).toBeGreaterThan(0);
    expect((await renderStrips(page, strips)).boxes).toBe(false);
    freeInks(page);
  }
});
