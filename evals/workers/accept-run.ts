import { existsSync } from "node:fs";
import type { Prompts } from "../../prompts/load-prompts.ts";
import { type Settings, storedSettings } from "../../src/core/settings.ts";
import type { SharedRun } from "../../src/core/shared-runs.ts";
import { type Benchmark, benchmarkNamed, withScorers } from "../benchmarks/define-benchmark.ts";
import { checkRun } from "../run/check-run.ts";
import { checkEvalHeader, type EvalHeader } from "../run/run-header.ts";
import {
  loadSamePrompts,
  ownRuntime,
  type PlannedWork,
  refusal,
  refuseOtherCode,
  type WorkerSettings,
} from "./planned-work.ts";

export type { WorkerSettings } from "./planned-work.ts";

/** A run that this worker can work on. */
export interface AcceptedRun {
  run: string;
  header: EvalHeader;
  settings: Settings;
  benchmark: Benchmark;
  prompts: Prompts;
  most_tries: number;
}

/**
 * Checks that this worker answers the questions of a run as the process that planned it would: the same version and the
 * same files of users, prompts, servers and keys. No program, module or header that only the run names is used.
 *
 * Throws `Failure` with a message that says how to start a worker that can.
 */
export async function acceptRun(
  { run, header: stored, most_tries }: SharedRun,
  worker: WorkerSettings,
): Promise<AcceptedRun> {
  const header = checkEvalHeader(stored, `the run ${run}`);
  const planned = plannedWorkOf(header);
  refuseOtherCode(planned, worker);
  const settings = settingsOf(header, worker);
  const prompts = await loadSamePrompts(planned, settings.runtime.prompts);
  const { descriptions, gold } = header;
  await checkRun({ settings, descriptions, gold }, header.total_cost_limit);
  if (!existsSync(header.data.folder))
    throw refusal(
      `The folder of the videos, ${header.data.folder}, is missing: mount it at the same path.`,
    );
  const benchmark = withScorers(benchmarkNamed(header.benchmark), header.scorers);
  return { run, header, settings, benchmark, prompts, most_tries };
}

/** The settings of the run, with places and speed of this worker. */
function settingsOf(header: EvalHeader, worker: WorkerSettings): Settings {
  const read = storedSettings(header.settings);
  if (read === null)
    throw refusal("The settings of the run cannot be read: start a worker with the same modules.");
  const runtime = { ...read.runtime, ...ownRuntime(plannedWorkOf(header), worker) };
  return { ...read, runtime: runtime as Settings["runtime"] };
}

function plannedWorkOf({ versions, modules, mcp, settings, prompts }: EvalHeader): PlannedWork {
  return {
    what: "run",
    version: versions["video-rrd"] ?? "unknown",
    modules,
    mcp,
    settings,
    prompts,
  };
}
