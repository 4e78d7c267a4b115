import sharp from "sharp";
import { expect, test } from "vitest";
import { readPicture } from "../../../../tools/text/read-image.ts";

async function read(text: string, font: string): Promise<string[]> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="120"><rect width="640" height="120"/><text x="40" y="70" font-family="${font}" font-size="36" fill="white">${text}</text></svg>`;
  const picture = await sharp(Buffer.from(svg)).jpeg().toBuffer();
  const { lines } = await readPicture(picture, { min_confidence: 0.5, languages: ["eng"] });
  return lines.map((line) => line.text);
}

test.each([
  "I went home",
  "Here I am",
  "Type I error",
  "Chapter 1 | Intro",
  "News | Sport | I think",
])("a capital I without serifs is told from a bar: %s", async (text) => {
  expect(await read(text, "DejaVu Sans")).toEqual([text]);
});

test("a bar before a list item is no capital I", async () => {
  expect(await read("| went", "DejaVu Sans")).toEqual(["went"]);
});
