import { meanConfidence, type OcrOptions, type OcrWord } from "../ocr.ts";
import { composeEquation } from "./equation.ts";
import { type EquationShape, isAside } from "./equation-shape.ts";
import { heightOf, type InkPage } from "./glyphs.ts";
import { readStrips } from "./read-strips.ts";
import { LARGE_LETTER, MIDDLE_LETTER, type Strip } from "./strips.ts";
import type { TextLine } from "./text-lines.ts";

/** A line of mathematics, to be read character by character. */
export interface EquationLine {
  line: TextLine;
  shape: EquationShape;
}

export interface EquationReading {
  text: string;
  confidence: number;
}

/** `min_confidence`: an equation needs this confidence, 0 to 1. */
export type EquationOptions = OcrOptions & { min_confidence: number };

/** From this confidence, an equation is not read again. */
const SURE = 0.88;

/**
 * Reads equations that are a row of characters, by their segments: all together and, if that fails, each segment
 * separately and larger. Null for all others.
 */
export async function readEquations(
  page: InkPage,
  equations: readonly EquationLine[],
  options: EquationOptions,
): Promise<(EquationReading | null)[]> {
  const parts = equations.map(({ line, shape }) =>
    shape.twoDimensional ? [] : partsOf(line, shape),
  );
  const together = parts.some((strips) => strips.length > 0)
    ? await readStrips(page, parts.flat(), options)
    : [];
  let from = 0;
  return Promise.all(
    equations.map(async ({ line, shape }, index) => {
      const strips = parts[index] ?? [];
      const first = composeReading(shape, together.slice(from, from + strips.length));
      from += strips.length;
      return strips.length === 0 || (first !== null && first.confidence >= SURE)
        ? first
        : mostAgreed([first, ...(await readLarger(page, line, shape, options))], options);
    }),
  );
}

/**
 * Reads the segments of an equation again, each separately and larger: as they are, and without the signs that are
 * known by their ink. Each reading uses another picture, so that agreement between readings is evidence.
 */
async function readLarger(
  page: InkPage,
  line: TextLine,
  shape: EquationShape,
  options: EquationOptions,
): Promise<(EquationReading | null)[]> {
  const apart = async (strips: Strip[], letter: number) =>
    (
      await Promise.all(
        strips.map((strip) =>
          strip.glyphs.length === 0
            ? [[]]
            : readStrips(page, [strip], options, { psm: "line", letter }),
        ),
      )
    ).flat();
  const whole = partsOf(line, shape);
  const bare = partsOf(line, shape, (cluster) => !isAside(cluster));
  const aside = shape.base.some((part) => part.clusters.some(isAside));
  const readings = await Promise.all([
    apart(whole, LARGE_LETTER),
    apart(bare, MIDDLE_LETTER),
    ...(aside ? [apart(bare, LARGE_LETTER)] : []),
  ]);
  return readings.map((reading) => composeReading(shape, reading));
}

/** Least confidence of an equation that only one reading supports. */
const SINGLE = 0.8;

/** The equation that most readings agree on; a single reading must be confident. */
function mostAgreed(
  readings: readonly (EquationReading | null)[],
  options: EquationOptions,
): EquationReading | null {
  const made = readings.filter((reading) => reading !== null);
  const least = options.min_confidence;
  const byText = Map.groupBy(made, (reading) => reading.text);
  const [best, ...rivals] = [...byText.values()]
    .map((same) => ({
      text: same[0]?.text ?? "",
      votes: same.length,
      confidence: Math.max(...same.map((reading) => reading.confidence)),
    }))
    .sort((a, b) => b.votes - a.votes || b.confidence - a.confidence);
  if (best === undefined) return null;
  const believed = best.votes > 1 ? least : Math.max(least, rivals.length > 0 ? 1 : SINGLE);
  return best.confidence >= believed ? { text: best.text, confidence: best.confidence } : null;
}

/** The strips of an equation's segments, with only the characters for which `shown` is true. */
function partsOf(
  line: TextLine,
  shape: EquationShape,
  shown: (cluster: EquationShape["signs"][number]) => boolean = () => true,
): Strip[] {
  const base = shape.base.map(({ clusters }) => ({
    clusters: clusters.filter(shown),
    size: line.size,
  }));
  const scripts = shape.scripts.map(({ clusters }) => ({
    clusters,
    size: Math.max(...clusters.map(heightOf)),
  }));
  return [...base, ...scripts].map(({ clusters, size }) => ({
    line,
    glyphs: clusters.flatMap((cluster) => cluster.glyphs),
    size,
  }));
}

function composeReading(shape: EquationShape, readings: OcrWord[][][]): EquationReading | null {
  const words = readings.map((rows) => (rows.length === 1 ? (rows[0] ?? []) : []));
  const texts = words.map((row) => row.map((word) => word.text).join(""));
  const base = texts.slice(0, shape.base.length);
  const text = composeEquation(shape, base, texts.slice(shape.base.length));
  return text === null ? null : { text, confidence: meanConfidence(words.flat()) };
}
