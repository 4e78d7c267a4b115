import type { Command } from "commander";
import {
  limitedBy,
  type RemainingDollars,
  remainingDollars,
} from "../../../evals/run/remaining-dollars.ts";
import type { Results } from "../../../evals/score/read-results.ts";
import type { NamedRuns } from "../../../evals/sweep/sweep-folder.ts";
import { say } from "./output.ts";
import { progressLine } from "./progress.ts";
import {
  extractorAsked,
  type ResultsFlags,
  readingOptions,
  scorersAsked,
} from "./results-flags.ts";
import { dollars, givenSettings } from "./setting-flags.ts";

/** Reads the run, the runs of a sweep, or the response file at a path, with the extractor of the flags. */
export async function readRuns(
  path: string,
  flags: ResultsFlags,
  command: Command,
  signal: AbortSignal,
): Promise<NamedRuns> {
  const { readNamedRuns } = await import("../../../evals/sweep/sweep-folder.ts");
  const read = await readNamedRuns(path, readingOptions(flags, command));
  const runs: NamedRuns["runs"] = [];
  const { apply } = runReader(flags, command, signal);
  for (const run of read.runs) runs.push({ ...run, results: await apply(run.results, run.path) });
  return { ...read, runs };
}

/** What a command reads, with the extractor and the scorers of its flags. */
export interface RunReader {
  /** The run or the response file at a path. */
  read(path: string): Promise<Results>;
  /**
   * The same results with what the flags add. With `--extractor-model`, the model names the missing letters; a scorer
   * that has replies graded asks for missing grades if the flags name it. Both are stored next to the run at `path`.
   */
  apply(results: Results, path: string): Promise<Results>;
}

/** Reads runs for one command, whose `--total-cost-limit` holds for all of them together. */
export function runReader(flags: ResultsFlags, command: Command, signal: AbortSignal): RunReader {
  const left = remainingDollars(dollars("--total-cost-limit", flags.totalCostLimit));
  const apply = (results: Results, path: string) =>
    applyFlags(results, path, { flags, command, signal, left });
  return {
    apply,
    async read(path) {
      const { readResults } = await import("../../../evals/score/read-results.ts");
      return apply(await readResults(path, readingOptions(flags, command)), path);
    },
  };
}

interface Applied {
  flags: ResultsFlags;
  command: Command;
  signal: AbortSignal;
  left: RemainingDollars;
}

async function applyFlags(
  results: Results,
  path: string,
  { flags, command, signal, left }: Applied,
): Promise<Results> {
  const marked = await applyMarks(results, flags);
  const { withExtractor } = await import("../../../evals/score/extractor-choice.ts");
  const { withLetters } = await import("../../../evals/score/name-letters.ts");
  const { withGrades } = await import("../../../evals/score/grade-replies.ts");
  const { withScorersAsked } = await import("../../../evals/score/scorer-choice.ts");
  const asked = await extractorAsked(flags);
  const { runtime = {}, generation = {} } = givenSettings(command);
  const scorers = await scorersAsked(command);
  const scored = withScorersAsked(marked, scorers);
  const line = progressLine(`Naming letters of ${results.name}`);
  const lettered = await withLetters(withExtractor(scored, asked), path, {
    ask: asked.extractor_model !== null,
    settings: { runtime, generation },
    signal,
    ...limitedBy(left),
    onNote: say,
    onProgress: (done, total) => line.update(done, total, "replies"),
  }).finally(line.done);
  const named = scorers.scorer.length > 0 || Object.keys(scorers.settings).length > 0;
  const grading = progressLine(`Grading replies of ${results.name}`);
  return await withGrades(lettered, path, {
    // What a run's folder names is read, and asked or started only if this command names it again.
    ask: named ? ["model", "program"] : [],
    calls: { runtime, generation },
    signal,
    ...limitedBy(left),
    onNote: say,
    onProgress: (done, total) => grading.update(done, total, "replies"),
  }).finally(grading.done);
}

/** The results with the marks of the flags. Throws `Failure` `wrong-usage` for marks of other data. */
async function applyMarks(
  results: Results,
  { leaveOut, byMarks }: Pick<ResultsFlags, "leaveOut" | "byMarks">,
): Promise<Results> {
  if (leaveOut === undefined && byMarks === undefined) return results;
  const { readMarks } = await import("../../../evals/marks/marks-file.ts");
  const { groupByMarks, leaveOutMarked } = await import("../../../evals/marks/apply-marks.ts");
  const grouped = byMarks === undefined ? results : groupByMarks(results, await readMarks(byMarks));
  return leaveOut === undefined ? grouped : leaveOutMarked(grouped, await readMarks(leaveOut));
}
