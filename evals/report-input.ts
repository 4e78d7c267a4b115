import { type ReadOptions, type Results, readResults } from "./read-results.ts";
import type { ReportOptions } from "./report-run.ts";

/**
 * Reads what a report is made of: folders of runs and response files.
 * Throws as `readResults`.
 */
export async function readForReport(
  paths: readonly string[],
  options: ReadOptions,
): Promise<{ results: Results[] } & Pick<ReportOptions, "against" | "remarks">> {
  return { results: await Promise.all(paths.map((path) => readResults(path, options))) };
}
