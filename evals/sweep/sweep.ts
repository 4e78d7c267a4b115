import { join, resolve } from "node:path";
import { Failure, isFailure } from "../../src/core/errors.ts";
import { money } from "../../src/core/money.ts";
import { valueAt } from "../../src/core/settings.ts";
import type { SpendingCap } from "../../src/core/spending-cap.ts";
import { testEvents, testedClips } from "../attribution/event-test.ts";
import { checkModules } from "../run/check-modules.ts";
import { checkRun } from "../run/check-run.ts";
import { requireNamedServers } from "../run/check-servers.ts";
import { WORKERS } from "../run/estimate-hours.ts";
import { merged, readEvalSettings } from "../run/eval-settings.ts";
import { planRun, type RunPlan } from "../run/plan-run.ts";
import { prepare, type ResumeChanges } from "../run/prepare-run.ts";
import { remainingDollars } from "../run/remaining-dollars.ts";
import { resumeCommand } from "../run/resume-command.ts";
import { type RunEnd, type RunOptions, resumeRun, startRun } from "../run/run.ts";
import type { RunProgress } from "../run/run-progress.ts";
import { fitSweep } from "./fit-sweep.ts";
import {
  type CellJudging,
  type CellJudgingPlan,
  checkJudges,
  eventTestCells,
  type JudgeSweepOptions,
  judgeCommands,
  judgeSweep,
  planJudgings,
} from "./judge-sweep.ts";
import { openSweepCap } from "./sweep-cap.ts";
import {
  hasStarted,
  isSweepFolder,
  readSweepFolder,
  readSweepRuns,
  writeSweepFolder,
} from "./sweep-folder.ts";
import type { Sweep, SweepCell } from "./sweep-settings.ts";

/** The plans of all runs of a sweep. Shared calls are counted for each run. */
export interface SweepPlan {
  cells: { name: string; plan: RunPlan }[];
  /** Null if a strategy of its runs does not plan its calls. */
  calls: number | null;
  frames: number | null;
  /** Dollars; null if a model has no price or the calls are not known. */
  cost: { about: number | null; most: number | null };
  /** Hours of all runs, one after another, by the number of workers; empty if those of a run are not known. */
  hours: { workers: number; hours: number }[];
  /** What the judges of a preset ask at most, which is not in the sums; empty without `--judge-model`. */
  judging: CellJudgingPlan[];
  /** Calls of the event recognition test of a preset, with the frames of one clip each, which are not in the sums. */
  event_test_calls: number;
  /** Remarks of the sweep, including which runs are left out. */
  remarks: string[];
}

/** Plans every cell without calling a model. Throws as `planRun`. */
export async function planSweep(
  sweep: Sweep,
  options: Parameters<typeof planRun>[1] = {},
): Promise<SweepPlan> {
  const cells: SweepPlan["cells"] = [];
  const fitted = await fitSweep(sweep);
  for (const { name, input } of fitted.cells)
    cells.push({ name, plan: await planRun(input, options) });
  const total = (of: (plan: RunPlan) => number | null) =>
    cells.reduce<number | null>((sum, { plan }) => {
      const amount = of(plan);
      return sum === null || amount === null ? null : sum + amount;
    }, 0);
  return {
    cells,
    calls: total(({ calls }) => calls),
    frames: total(({ frames }) => frames),
    cost: { about: total(({ cost }) => cost.about), most: total(({ cost }) => cost.most) },
    hours: WORKERS.flatMap((workers, index) => {
      const hours = total(({ time }) => time?.by_workers[index]?.hours ?? null);
      return hours === null ? [] : [{ workers, hours }];
    }),
    judging: await planJudgings(fitted),
    event_test_calls: await countEventTests(fitted),
    remarks: fitted.remarks,
  };
}

async function countEventTests(sweep: Sweep): Promise<number> {
  let calls = 0;
  for (const { input } of eventTestCells(sweep))
    calls += testedClips((await prepare(readEvalSettings(input))).samples).length;
  return calls;
}

/** Store, limits and progress of a sweep. */
export interface SweepOptions
  extends Omit<RunOptions, "onProgress" | "sweep">,
    Pick<JudgeSweepOptions, "onJudging"> {
  onProgress?: (cell: SweepCell, progress: RunProgress) => void;
}

/** How a sweep ended. */
export interface SweepEnd {
  folder: string;
  sweep: Sweep;
  runs: RunEnd[];
  calls: SharedCalls;
  /** What the judges of a preset judged; empty without `--judge-model`. */
  judged: CellJudging[];
  /** The commands that judge the replies as the preset says, without `--judge-model`. */
  judge_commands: string[];
  /** Dollars that runs and judges paid, those of earlier processes included. */
  paid: number;
}

/**
 * Runs all cells of a sweep in turn, each in its own folder below `folder`; shared calls are made once.
 * Throws `Failure` `wrong-usage` if the folder already contains a sweep, `limit-met` once `total_cost_limit` is spent, and as
 * `startRun`. After each of these, `resumeSweep` continues.
 */
export async function startSweep(
  asked: Sweep,
  folder: string,
  options: SweepOptions = {},
): Promise<SweepEnd> {
  await refuseExistingSweep(folder);
  const sweep = await fitSweep(asked);
  if (options.createModels === undefined) await checkCells(sweep, {});
  await writeSweepFolder(sweep, folder);
  return execute(sweep, folder, {}, options);
}

/**
 * Resumes a sweep: runs the cells that were not started, and the missing and failed results of the others. A new limit is
 * kept for the next time. Throws as `resumeRun`, and `not-found` or `data-malformed` if the folder is not that of a sweep.
 */
export async function resumeSweep(
  folder: string,
  changes: ResumeChanges = {},
  options: SweepOptions = {},
): Promise<SweepEnd> {
  return continueSweep(folder, changes, options, (sweep) => writeSweepFolder(sweep, folder));
}

/** `resumeSweep` for a part of another work, whose limit is not that of the sweep. */
export async function continueSweep(
  folder: string,
  changes: ResumeChanges,
  options: SweepOptions,
  keepLimit: (sweep: Sweep) => Promise<void> = async () => undefined,
): Promise<SweepEnd> {
  const { total_cost_limit, ...ofRuns } = changes;
  const { modules, ...sweep } = await readSweepFolder(folder);
  await checkModules(modules, folder);
  for (const { input } of sweep.cells)
    requireNamedServers(valueAt(input, "runtime.mcp"), changes.runtime?.mcp, folder);
  const limited = { ...sweep, total_cost_limit: total_cost_limit ?? sweep.total_cost_limit };
  if (total_cost_limit !== undefined) await keepLimit(limited);
  return execute(limited, folder, ofRuns, options);
}

async function execute(
  sweep: Sweep,
  folder: string,
  changes: ResumeChanges,
  options: SweepOptions,
): Promise<SweepEnd> {
  if (options.createModels === undefined) await checkCells(sweep, changes);
  const { cap, judged, close } = await openSweepCap(sweep, folder, changes, options.store);
  try {
    return await runCells(sweep, folder, changes, { ...options, cap, judged });
  } finally {
    await close();
  }
}

async function runCells(
  sweep: Sweep,
  folder: string,
  changes: ResumeChanges,
  options: SweepOptions & { cap: SpendingCap; judged: number },
): Promise<SweepEnd> {
  const { cap, judged: judgedEarlier } = options;
  const runs: RunEnd[] = [];
  for (const cell of sweep.cells) {
    const path = join(folder, cell.name);
    const own: RunOptions = {
      ...options,
      sweep: folder,
      onProgress: (progress) => options.onProgress?.(cell, progress),
    };
    const started = await hasStarted(path);
    try {
      runs.push(
        started
          ? await resumeRun(path, changes, own)
          : await startRun(merged(cell.input, changes), path, own),
      );
    } catch (error) {
      const resume = resumeCommand("sweep", folder);
      if (isFailure(error, "cancelled"))
        throw new Failure(
          "cancelled",
          `Interrupted in ${cell.name}: continue with \`${resume}\`.`,
          { folder, cell: cell.name, resume },
          { cause: error },
        );
      if (isFailure(error, "limit-met") && cap.met())
        throw new Failure(
          "limit-met",
          `The sweep stopped at --total-cost-limit ${cap.limit}, in ${cell.name}, after paying ${money(cap.paid())}. Continue with a higher limit: \`${resume} --total-cost-limit ...\`.`,
          { limit: cap.limit, paid: cap.paid(), cell: cell.name },
          { cause: error },
        );
      throw error;
    }
  }
  const { onJudging, signal, store, createModels } = options;
  for (const cell of eventTestCells(sweep))
    await testEvents(merged(cell.input, changes), join(folder, cell.name), {
      ...{ signal, store, createModels, cap },
      onProgress: (done, total) => onJudging?.(cell, done, total),
    });
  const dollars = remainingDollars(cap.limit, cap.paid() - judgedEarlier);
  const judging = { onJudging, signal, store, createModels, dollars };
  const judged = await judgeSweep(sweep, folder, judging);
  return {
    folder: resolve(folder),
    sweep,
    runs,
    calls: await countCalls(sweep, folder),
    judged,
    judge_commands: judgeCommands(sweep, folder),
    paid: dollars.spent(),
  };
}

/** Checks the models and prices of all cells, and those of the judges, before the first run. */
async function checkCells(sweep: Sweep, changes: ResumeChanges): Promise<void> {
  const { cells, total_cost_limit } = sweep;
  await checkJudges(sweep);
  for (const { input } of cells)
    await checkRun(readEvalSettings(merged(input, changes)), total_cost_limit);
}

/** Calls behind the results of all cells: counted per run, and counted once if shared. */
export interface SharedCalls {
  sum: number;
  unique: number;
  /** Of the different calls, those that the sweep sent to a model; the replies to the others were stored already. */
  sent: number;
}

async function countCalls(sweep: Sweep, folder: string): Promise<SharedCalls> {
  const keys = new Set<string>();
  const sent = new Set<string>();
  let sum = 0;
  for (const { said } of await readSweepRuns(sweep, folder))
    for (const { line } of said)
      for (const { key, cached } of line?.calls ?? []) {
        keys.add(key);
        if (!cached) sent.add(key);
        sum++;
      }
  return { sum, unique: keys.size, sent: sent.size };
}

async function refuseExistingSweep(folder: string): Promise<void> {
  if (!(await isSweepFolder(folder))) return;
  throw new Failure(
    "wrong-usage",
    `${folder} already contains a sweep: continue it with \`sweep --resume ${folder}\`, or choose another folder.`,
    { folder },
  );
}
