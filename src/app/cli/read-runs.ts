import type { Command } from "commander";
import type { Results } from "../../../evals/score/read-results.ts";
import type { NamedRuns } from "../../../evals/sweep/sweep-folder.ts";
import { progressLine } from "./progress.ts";
import { extractorAsked, type ResultsFlags } from "./results-flags.ts";
import { givenSettings } from "./setting-flags.ts";

/** The run, runs of a sweep or response file at a path, to be read by the extractor that was asked for. */
export async function readRuns(
  path: string,
  flags: ResultsFlags,
  command: Command,
  signal: AbortSignal,
): Promise<NamedRuns> {
  const { readNamedRuns } = await import("../../../evals/sweep/sweep-folder.ts");
  const read = await readNamedRuns(path, flags);
  const runs: NamedRuns["runs"] = [];
  for (const run of read.runs)
    runs.push({ ...run, results: await extracted(run.results, run.path, flags, command, signal) });
  return { ...read, runs };
}

/**
 * The same results, to be read by the extractor that was asked for. With `--extractor-model` the letters that are not
 * named yet are asked for; those named before are kept next to the run.
 */
export async function extracted(
  results: Results,
  path: string,
  flags: ResultsFlags,
  command: Command,
  signal: AbortSignal,
): Promise<Results> {
  const { withExtractor } = await import("../../../evals/score/extractor-choice.ts");
  const { withLetters } = await import("../../../evals/score/name-letters.ts");
  const asked = await extractorAsked(flags);
  const { runtime = {}, generation = {} } = givenSettings(command);
  const line = progressLine(`Naming letters of ${results.name}`);
  try {
    return await withLetters(withExtractor(results, asked), path, {
      ask: asked.extractor_model !== null,
      settings: { runtime, generation },
      signal,
      onProgress: (done, total) => line.update(done, total, "replies"),
    });
  } finally {
    line.done();
  }
}
