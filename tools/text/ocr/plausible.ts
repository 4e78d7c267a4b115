import type { Box } from "../../../src/core/shapes.ts";

/** What was read at a place; `confidence` 0 to 1, box in pixels. */
export interface Reading {
  text: string;
  confidence: number;
  box: Box;
}

/** Least confidence of a reading of fewer than four characters. */
const SHORT_CONFIDENCE = 0.9;

/**
 * Whether a reading is text rather than the look of it: faces, foliage and textures yield short, unsure or
 * symbol-ridden lines. `size` is the height of the letters it was read from, pixels; `least` the least confidence, and
 * `leastOfShort` that of fewer than four characters.
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
  return known / packed.length >= 0.5;
}

/** A digit alone is believed beside others of its size, as on an axis or in a table, or where it is large. */
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
