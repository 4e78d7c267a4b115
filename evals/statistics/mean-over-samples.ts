import type { Benchmark } from "../benchmarks/define-benchmark.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { unitOf } from "../run/selection.ts";
import { type Mean, meanShare } from "./statistics.ts";

/**
 * Mean of shares with its 95 % interval, clustered by video. Each sample counts once, with the mean over its results; null
 * values are left out. Returns null if no value remains.
 */
export function meanOverSamples(
  values: readonly { sample: Sample; value: number | null }[],
  benchmark: Benchmark,
): Mean | null {
  return meanOver(values, benchmark, ({ id }) => id);
}

/** The same, but each question counts once, with the mean over its results: of several epochs, and of all its pairs. */
export function meanOverQuestions(
  values: readonly { sample: Sample; value: number | null }[],
  benchmark: Benchmark,
): Mean | null {
  return meanOver(values, benchmark, unitOf);
}

function meanOver(
  values: readonly { sample: Sample; value: number | null }[],
  benchmark: Benchmark,
  idOf: (sample: Sample) => string,
): Mean | null {
  const known = values.flatMap(({ sample, value }) => (value === null ? [] : [{ sample, value }]));
  const items = [...Map.groupBy(known, ({ sample }) => idOf(sample)).values()].map((results) => ({
    value: results.reduce((sum, { value }) => sum + value, 0) / results.length,
    cluster: benchmark.cluster((results[0] as { sample: Sample }).sample),
  }));
  return items.length === 0 ? null : meanShare(items);
}
