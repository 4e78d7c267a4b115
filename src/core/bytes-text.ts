import { countOf } from "./count-of.ts";

const UNITS = ["kB", "MB", "GB", "TB"];

/** Bytes for a person: `812 bytes`, `1.3 kB`, `20.0 MB`; a kB has 1000 bytes. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return countOf(bytes, "byte");
  // What would be rounded to 1000.0 of a unit takes the next one.
  const power = Math.min(Math.floor(Math.log10(bytes * 1.00005) / 3), UNITS.length);
  return `${(bytes / 1000 ** power).toFixed(1)} ${UNITS[power - 1]}`;
}
