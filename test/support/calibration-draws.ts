import { execFileSync } from "node:child_process";
import { join } from "node:path";
import {
  brierScore,
  calibrationError,
  fitIsotonic,
  type Rated,
  riskCoverage,
} from "../../evals/statistics/calibration.ts";
import { seeded } from "../../src/core/random.ts";

const PYTHON = join(import.meta.dirname, "calibration_measures.py");

function recompute(tables: readonly Rated[][]) {
  const input = JSON.stringify(
    tables.map((rows) => rows.map(({ confidence, value }) => [confidence, value])),
  );
  const out = execFileSync("python3", [PYTHON], { input, maxBuffer: 2 ** 28, encoding: "utf8" });
  return JSON.parse(out) as {
    brier: number;
    error: number;
    aurc: number;
    isotonic: [number, number][];
  }[];
}

/** A small table with many ties, and with confidences on the edges of bins. */
function drawTable(seed: number): Rated[] {
  const random = seeded("table", seed);
  const levels = 1 + Math.floor(random() * 8);
  return Array.from({ length: 1 + Math.floor(random() * 9) }, (_, place) => ({
    confidence: Math.floor(random() * (levels + 1)) / levels,
    value: random() < 0.6 ? 1 : 0,
    cluster: String(place % 3),
  }));
}

/** The largest difference between any measure and that of an independent program, over random tables. */
export function largestDifference({ draws }: { draws: number }): number {
  const tables = Array.from({ length: draws }, (_, seed) => drawTable(seed));
  return recompute(tables).reduce((largest, expected, place) => {
    const rows = tables[place] as Rated[];
    const fitted = fitIsotonic(rows);
    return Math.max(
      largest,
      Math.abs(brierScore(rows) - expected.brier),
      Math.abs(calibrationError(rows) - expected.error),
      Math.abs(riskCoverage(rows).aurc - expected.aurc),
      ...expected.isotonic.map(([x, y]) => Math.abs(fitted(x) - y)),
    );
  }, 0);
}
