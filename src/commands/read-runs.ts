import type { NamedRuns } from "../../evals/sweep-folder.ts";
import { extractorAsked, type ResultsFlags } from "./results-flags.ts";

/** The run, runs of a sweep or response file at a path, to be read by the extractor that was asked for. */
export async function readRuns(path: string, flags: ResultsFlags): Promise<NamedRuns> {
  const { readNamedRuns } = await import("../../evals/sweep-folder.ts");
  const { withExtractor } = await import("../../evals/extractor-choice.ts");
  const asked = await extractorAsked(flags);
  const read = await readNamedRuns(path, flags);
  return {
    ...read,
    runs: read.runs.map((run) => ({ ...run, results: withExtractor(run.results, asked) })),
  };
}
