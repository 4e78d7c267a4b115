import type { Mean } from "../statistics/statistics.ts";

/* Formats shares as percentages with two decimals, without the percent sign. */

/** `75.00 [30.06, 95.44]`, or `75.00` if there is no interval. */
export function withInterval(mean: Mean | null): string {
  if (mean === null) return "–";
  const { low, high } = mean;
  const interval =
    low === null || high === null ? "" : ` [${hundredths(low)}, ${hundredths(high)}]`;
  return `${hundredths(mean.mean)}${interval}`;
}

export function percent(share: number | null): string {
  return share === null ? "–" : hundredths(share);
}

function hundredths(share: number): string {
  return (100 * share).toFixed(2);
}
