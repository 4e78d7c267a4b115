import type { OcrOptions } from "../ocr.ts";
import { equationShape, isCredible, looksLikeEquation } from "./equation.ts";
import type { InkPage } from "./glyphs.ts";
import { isPlausible, type Reading, withoutStrayDigits } from "./plausible.ts";
import { readingOf, readStrips, wholeLine, withoutBullet } from "./read-strips.ts";
import type { TextLine } from "./text-lines.ts";
import { findWriting } from "./writing.ts";

/** How much less sure than what is read in the end a hint may be: it was read among other lines. */
const MARGIN = 0.1;
/** The same for a hint with a long word, which no texture yields. */
const WORD_MARGIN = 0.25;
/** Least confidence of a hint of few characters, or of characters that make no word or number. */
const SHORT_HINT = 0.75;

/** Whether a reading says that there may be text in a picture in which text of that confidence is wanted. */
function isHint(reading: Reading, least: number): boolean {
  const { text, confidence } = reading;
  if (/\p{L}{5}/u.test(text)) return isPlausible(reading, 0, least - WORD_MARGIN);
  const makesWord = /[\p{L}\p{N}]{3}/u.test(text);
  return (
    isPlausible(reading, 0, least - MARGIN, SHORT_HINT) && (makesWord || confidence >= SHORT_HINT)
  );
}

/**
 * Whether text may be read in these lines of a picture, of which text with a confidence of `least` is wanted. Film
 * without text yields dozens of lines of texture, each of which costs a reading: those with the edges of writing are
 * read first, and the rest only if these say something. Throws `Failure` `ocr`, `cancelled`.
 */
export async function holdsWriting(
  page: InkPage,
  lines: readonly TextLine[],
  least: number,
  options: OcrOptions,
): Promise<boolean> {
  const { written, sure } = findWriting(lines, page.plane);
  if (sure || written.length === 0) return sure;
  const readings = (await readStrips(page, written.map(wholeLine), options)).map((rows) =>
    rows.map((words) => readingOf(withoutBullet(words))),
  );
  const hints = readings.flat().filter((reading) => isHint(reading, least));
  return (
    withoutStrayDigits(hints, page.plane.height).length > 0 ||
    written.some((line, index) => {
      const read = readings[index] ?? [];
      const shape = equationShape(line);
      return read.some(({ text }) => looksLikeEquation(text, shape)) && isCredible(read, line);
    })
  );
}
