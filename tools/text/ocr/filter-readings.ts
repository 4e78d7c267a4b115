import type { Box } from "../../../src/core/shapes.ts";
import { onlyLetters } from "../letters.ts";

/** The text read at a place. `confidence` is 0 to 1; the box is in pixels. */
export interface Reading {
  text: string;
  confidence: number;
  box: Box;
}

/** Least confidence of a reading with fewer than four characters. */
const SHORT_CONFIDENCE = 0.9;

/**
 * Whether a reading is real text. Faces, foliage and textures produce short readings with a low confidence or many
 * symbols. `size` is the height of the letters in pixels; `least` is the least confidence, and `leastOfShort` that of a
 * reading with fewer than four characters.
 */
export function isPlausible(
  reading: Reading,
  size: number,
  least: number,
  leastOfShort = SHORT_CONFIDENCE,
): boolean {
  if (reading.confidence < least || reading.box.height < size * 0.5) return false;
  const packed = reading.text.replace(/\s+/g, "");
  const known = packed.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  if (known < 4 && reading.confidence < Math.max(least, leastOfShort)) return false;
  if (known < 2)
    return packed.length === 1 && /\d/.test(packed) && reading.box.width < reading.box.height * 0.9;
  return onlyLetters(packed).length / packed.length >= 0.5;
}

/** Removes single digits, except large ones and those near others of the same size, as on an axis or in a table. */
export function withoutStrayDigits(readings: readonly Reading[], pageHeight: number): Reading[] {
  const digits = readings.filter((reading) => /^\d$/.test(reading.text));
  return readings.filter((reading) => {
    if (!digits.includes(reading) || reading.box.height > pageHeight / 16) return true;
    const alike = digits.filter(
      (other) => Math.abs(other.box.height - reading.box.height) <= reading.box.height * 0.2,
    );
    return alike.length >= 3;
  });
}
