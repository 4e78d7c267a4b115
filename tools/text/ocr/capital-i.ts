import type { OcrWord } from "../ocr.ts";

/** Share of its height by which a bar reaches below the line of writing. A capital I ends on the line. */
const BELOW = 0.15;

/** A word whose letters end on the line of writing. */
const ON_THE_LINE = /^[A-PR-Za-fhik-or-xz0-9.!?'’]+$/;

/**
 * Returns the words of a line with `I` for each single `|` that ends where the letters next to it end. Tesseract reads
 * the capital I of fonts without serifs as a bar; a real bar reaches below the line.
 *
 * @example
 * withCapitalI(words).map((word) => word.text); // ["Here", "I", "am"]
 */
export function withCapitalI(words: OcrWord[]): OcrWord[] {
  return words.map((word) => {
    if (word.text !== "|") return word;
    const { y, height } = word.box;
    // Tesseract sometimes gives two words the box of both.
    const others = words.filter(
      ({ text, box }) =>
        ON_THE_LINE.test(text) && !(box.y === y && box.height === height && /^[a-z]/.test(text)),
    );
    const line = Math.min(...others.map(({ box }) => box.y + box.height));
    return others.length > 0 && y + height - line < height * BELOW ? { ...word, text: "I" } : word;
  });
}
