import type { Command } from "commander";
import type { Results } from "../../../evals/score/read-results.ts";
import type { NamedRuns } from "../../../evals/sweep/sweep-folder.ts";
import { progressLine } from "./progress.ts";
import { extractorAsked, type ResultsFlags, scorersAsked } from "./results-flags.ts";
import { givenSettings } from "./setting-flags.ts";

/** Reads the run, the runs of a sweep, or the response file at a path, with the extractor of the flags. */
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
    runs.push({
      ...run,
      results: await applyExtractor(run.results, run.path, flags, command, signal),
    });
  return { ...read, runs };
}

/**
 * The same results with the extractor of the flags. With `--extractor-model`, the model names the missing letters; letters
 * are stored next to the run.
 */
export async function applyExtractor(
  results: Results,
  path: string,
  flags: ResultsFlags,
  command: Command,
  signal: AbortSignal,
): Promise<Results> {
  const { withExtractor } = await import("../../../evals/score/extractor-choice.ts");
  const { withLetters } = await import("../../../evals/score/name-letters.ts");
  const { withScorersAsked } = await import("../../../evals/score/scorer-choice.ts");
  const asked = await extractorAsked(flags);
  const { runtime = {}, generation = {} } = givenSettings(command);
  const line = progressLine(`Naming letters of ${results.name}`);
  try {
    const scored = withScorersAsked(results, await scorersAsked(command));
    return await withLetters(withExtractor(scored, asked), path, {
      ask: asked.extractor_model !== null,
      settings: { runtime, generation },
      signal,
      onProgress: (done, total) => line.update(done, total, "replies"),
    });
  } finally {
    line.done();
  }
}
