import {
  isTimeout,
  meanConfidence,
  OCR_PIXEL_LIMIT,
  type OcrOptions,
  type OcrWord,
  recognisePlane,
} from "../ocr.ts";
import { withCapitalI } from "./capital-i.ts";
import type { Reading } from "./filter-readings.ts";
import type { InkPage } from "./glyphs.ts";
import { free } from "./plane.ts";
import { LETTER, renderStrips, type Strip, stripPageSize } from "./strips.ts";
import type { TextLine } from "./text-lines.ts";

export const wholeLine = (line: TextLine): Strip => ({
  line,
  glyphs: line.glyphs,
  size: line.size,
});

interface How {
  psm: "block" | "line";
  letter: number;
}

/**
 * Returns the words read in each strip, in the order of the strips; usually one reading per strip. Strips that are too
 * much for one page, as those of noise from edge to edge, are read in halves. Throws `Failure` `ocr`, `cancelled`.
 */
export async function readStrips(
  page: InkPage,
  strips: Strip[],
  options: OcrOptions,
  how: How = { psm: "block", letter: LETTER },
): Promise<OcrWord[][][]> {
  if (strips.length < 2) return readTogether(page, strips, options, how);
  const { width, height } = stripPageSize(page, strips, how.letter);
  if (width * height <= OCR_PIXEL_LIMIT)
    try {
      return await readTogether(page, strips, options, how);
    } catch (error) {
      if (!isTimeout(error)) throw error;
    }
  const middle = Math.ceil(strips.length / 2);
  return [
    ...(await readStrips(page, strips.slice(0, middle), options, how)),
    ...(await readStrips(page, strips.slice(middle), options, how)),
  ];
}

async function readTogether(
  page: InkPage,
  strips: Strip[],
  options: OcrOptions,
  how: How,
): Promise<OcrWord[][][]> {
  const rendered = await renderStrips(page, strips, how.letter);
  // Letters are black on white, whatever they are in the picture, except those that a box was found of.
  const { plane, boxes: inverted } = rendered;
  const result = await recognisePlane(plane, { ...options, psm: how.psm, inverted }).finally(() =>
    free(plane.pixels),
  );
  const readings: OcrWord[][][] = strips.map(() => []);
  for (const line of result.lines) {
    const parts = new Map<number, OcrWord[]>();
    for (const word of line.words) {
      const place = rendered.locate(word.box);
      if (place === undefined) continue;
      parts.set(place.strip, [...(parts.get(place.strip) ?? []), { ...word, box: place.box }]);
    }
    for (const [strip, words] of parts) readings[strip]?.push(words);
  }
  return readings;
}

/** Removes the bullet before a list item, which tesseract reads as symbols. */
function withoutBullet(words: OcrWord[]): OcrWord[] {
  const first = words.findIndex((word) => /[\p{L}\p{N}([{"“+<>$€£#&@/\\√∫-]/u.test(word.text));
  return first < 0 ? [] : words.slice(first);
}

/** The text of a line of words, without a bullet before it. */
export function readingOf(line: OcrWord[]): Reading {
  const words = withoutBullet(withCapitalI(line));
  const x = Math.min(...words.map((word) => word.box.x));
  const y = Math.min(...words.map((word) => word.box.y));
  const box = {
    x,
    y,
    width: Math.max(...words.map((word) => word.box.x + word.box.width)) - x,
    height: Math.max(...words.map((word) => word.box.y + word.box.height)) - y,
  };
  return { text: words.map((word) => word.text).join(" "), confidence: meanConfidence(words), box };
}
