import { isTimeout, type OcrOptions, recognisePlane } from "../ocr.ts";
import type { Reading } from "./filter-readings.ts";
import type { Plane } from "./plane.ts";
import { readingOf } from "./read-strips.ts";

/** A page takes tesseract a few seconds, a large photograph more; noise from edge to edge takes it minutes. */
const LIMIT_S = 60;

/**
 * Reads a page with tesseract's own layout analysis, as sparse text: an addition to the lines that were found by their
 * ink. Returns nothing for a page that takes longer than `page_s` seconds (60). Throws `Failure` `ocr`, `cancelled`.
 */
export async function readPage(
  plane: Plane,
  { page_s: timeout_s = LIMIT_S, ...options }: OcrOptions & { page_s?: number },
): Promise<Reading[]> {
  try {
    const { lines } = await recognisePlane(plane, { ...options, timeout_s, psm: "sparse" });
    return lines.map((line) => readingOf(line.words));
  } catch (error) {
    if (isTimeout(error)) return [];
    throw error;
  }
}
