import { join } from "node:path";
import { readEventTest } from "../attribution/event-log.ts";
import { judgedFolder, readJudgings } from "../judges/judging.ts";
import { withGrades } from "../score/grade-replies.ts";
import { type ReadOptions, type Results, readResults } from "../score/read-results.ts";
import { isSweepFolder, readSweepFolder, readSweepRuns } from "../sweep/sweep-folder.ts";
import type { ReportOptions } from "./run.ts";

/**
 * Reads the input of a report: folders of runs or of sweeps, and response files. A single sweep also sets which run each
 * run is compared with. Throws as `readResults` and `readSweepFolder`.
 */
export async function readForReport(
  paths: readonly string[],
  options: ReadOptions,
): Promise<{ results: Results[]; paths: string[] } & Pick<ReportOptions, "against" | "remarks">> {
  const found: { path: string; results: Results }[] = [];
  const remarks: string[] = [];
  let against: ReportOptions["against"];
  for (const path of paths) {
    if (!(await isSweepFolder(path))) {
      found.push(await withJudgings(await readResults(path, options), path));
      continue;
    }
    const sweep = await readSweepFolder(path);
    const runs = await readSweepRuns(sweep, path);
    found.push(...(await Promise.all(runs.map((run) => withJudgings(run, join(path, run.name))))));
    remarks.push(...sweep.remarks);
    if (runs.length < sweep.cells.length)
      remarks.push(
        `${sweep.cells.length - runs.length} of the ${sweep.cells.length} runs of the sweep ${sweep.name} have not started.`,
      );
    if (paths.length === 1) against = sweep.against;
  }
  return {
    results: found.map((one) => one.results),
    paths: found.map((one) => one.path),
    against,
    remarks,
  };
}

/** Adds the stored judgements, grades and event recognition test to the results. */
async function withJudgings(results: Results, path: string) {
  const judgings = await readJudgings(await judgedFolder(path));
  const eventTest = results.header === null ? null : await readEventTest(path);
  const read = { ...results, judgings, ...(eventTest === null ? {} : { eventTest }) };
  return { path, results: await withGrades(read, path, { ask: [] }) };
}
