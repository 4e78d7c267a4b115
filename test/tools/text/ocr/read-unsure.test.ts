import { afterAll, expect, test } from "vitest";
import type { Reading } from "../../../../tools/text/ocr/filter-readings.ts";
import { freeInks } from "../../../../tools/text/ocr/glyphs.ts";
import { readUnsure } from "../../../../tools/text/ocr/read-unsure.ts";
import { findTextLines, type TextLine } from "../../../../tools/text/ocr/text-lines.ts";
import { closeOcr } from "../../../../tools/text/ocr.ts";
import { greyPlane } from "../../../support/grey-plane.ts";
import { textImage } from "../../../support/text-image.ts";

afterAll(closeOcr);

const TEXTS = [
  { text: "Water cycle of the north", x: 60, y: 60, height: 44 },
  { text: "Evaporation", x: 700, y: 400, height: 32 },
  { text: "Rain falls down", x: 60, y: 620, height: 32 },
  { text: ".", x: 1180, y: 300, height: 60 },
];

async function found(texts = TEXTS) {
  const plane = await greyPlane(await textImage(1280, 720, texts));
  const { page, lines } = await findTextLines(plane);
  return { page, lines: lines.filter((line) => line.glyphs.length > 2), all: lines };
}

const readAs = ({ x0, y0, x1, y1 }: TextLine, confidence: number): Reading[] => [
  { text: "read", confidence, box: { x: x0, y: y0, width: x1 - x0 + 1, height: y1 - y0 + 1 } },
];

test("only the part of a page with unsure lines is read again, and its words are placed on the page", async () => {
  const { page, lines } = await found();
  const [title, label, last] = lines;
  if (title === undefined || label === undefined || last === undefined) throw new Error("lines");
  const readWith = async (...confidences: number[]) => {
    const readings = lines.map((line, index) => readAs(line, confidences[index] ?? 1));
    return readUnsure(page, lines, readings, [], {});
  };
  expect(await readWith(1, 0.9, 1)).toEqual([]);
  const [only, ...none] = await readWith(1, 0.5, 1);
  expect([only?.text, none]).toEqual(["Evaporation", []]);
  for (const [side, edge] of [
    ["x", label.x0],
    ["y", label.y0],
  ] as const)
    expect(Math.abs((only?.box[side] ?? NaN) - edge)).toBeLessThan(4);
  // Lines between unsure ones are read with them, others are not.
  const texts = async (...confidences: number[]) =>
    (await readWith(...confidences)).map(({ text }) => text).sort();
  expect(await texts(0.5, 1, 0.5)).toEqual(["Rain falls down", "Water cycle of the north"]);
  expect(await texts(0.5, 0.5, 1)).toEqual(["Evaporation", "Water cycle of the north"]);
  freeInks(page);
});

test("a page with a mean confidence of 0.95 is sure, and a line with one of 0.93", async () => {
  const { page, lines } = await found();
  const texts = async (...confidences: number[]) => {
    const readings = lines.map((line, index) => readAs(line, confidences[index] ?? 1));
    return (await readUnsure(page, lines, readings, [], {})).map(({ text }) => text);
  };
  expect(await texts(1, 1, 0.86)).toEqual([]);
  expect(await texts(1, 1, 0.84)).toEqual(["Rain falls down"]);
  expect(await texts(0.94, 0.94, 0.94)).toEqual([]);
  expect(await texts(0.94, 0.94, 0.92)).toEqual(["Rain falls down"]);
  freeInks(page);
});

test("a line that is cut by the part is read as a whole, unless it is sure", async () => {
  const { page, lines } = await found([
    { text: "Water cycle of the north and south", x: 60, y: 560, height: 32 },
    { text: "Rain falls", x: 60, y: 620, height: 32 },
  ]);
  const [long, short] = lines;
  if (long === undefined || short === undefined) throw new Error("lines");
  const textsOf = async (known: TextLine[]) => {
    const readings = [short, ...known].map((line) => readAs(line, line === short ? 0.5 : 1));
    const read = await readUnsure(page, [short, ...known], readings, [], {});
    return read.map(({ text }) => text);
  };
  expect(await textsOf([])).toEqual(["Water cycle of the north and south", "Rain falls"]);
  const [cut, ...others] = await textsOf([long]);
  expect(others).toEqual(["Rain falls"]);
  expect(cut).toMatch(/^Water/);
  expect(cut).not.toContain("north");
  freeInks(page);
});

test("a line without a reading is unsure, but not a speck", async () => {
  const { page, all } = await found();
  const speck = all.find((line) => line.glyphs.length < 3);
  const label = all.find((line) => line.x0 > 650 && line.glyphs.length > 2);
  if (speck === undefined || label === undefined) throw new Error("lines");
  const read = (lines: TextLine[], written: TextLine[]) =>
    readUnsure(
      page,
      lines,
      lines.map(() => []),
      written,
      {},
    );
  expect(await read([speck], [])).toEqual([]);
  expect(await read([speck, label], [])).toMatchObject([{ text: "Evaporation" }]);
  freeInks(page);
});
