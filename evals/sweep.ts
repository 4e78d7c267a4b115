import { join, resolve } from "node:path";
import { checkModels } from "../graphs/check-models.ts";
import { Failure, isFailure } from "../src/core/errors.ts";
import { merged, readEvalSettings } from "./eval-settings.ts";
import { fitSweep } from "./fit-sweep.ts";
import { planRun, type RunPlan } from "./plan-run.ts";
import type { ResumeChanges } from "./prepare-run.ts";
import { type RunEnd, type RunOptions, resumeRun, startRun } from "./run.ts";
import type { RunProgress } from "./run-progress.ts";
import {
  isBegun,
  isSweepFolder,
  readSweepFolder,
  readSweepRuns,
  writeSweepFolder,
} from "./sweep-folder.ts";
import type { Sweep, SweepCell } from "./sweep-settings.ts";

/** What all runs of a sweep would take, each as if it stood alone: what they share is counted every time. */
export interface SweepPlan {
  cells: { name: string; plan: RunPlan }[];
  calls: number;
  frames: number;
  /** Dollars; null where a model has no price. */
  cost: { about: number | null; most: number | null };
  /** Those of the sweep, and what of it is left out. */
  remarks: string[];
}

/** Plans every cell, without a model call. Throws as `planRun`. */
export async function planSweep(
  sweep: Sweep,
  options: Parameters<typeof planRun>[1] = {},
): Promise<SweepPlan> {
  const cells: SweepPlan["cells"] = [];
  const { cells: served, remarks } = await fitSweep(sweep);
  for (const { name, input } of served) cells.push({ name, plan: await planRun(input, options) });
  const dollars = (of: (plan: RunPlan) => number | null) =>
    cells.reduce<number | null>((sum, { plan }) => {
      const cost = of(plan);
      return sum === null || cost === null ? null : sum + cost;
    }, 0);
  return {
    cells,
    calls: cells.reduce((sum, { plan }) => sum + plan.calls, 0),
    frames: cells.reduce((sum, { plan }) => sum + plan.frames, 0),
    cost: { about: dollars(({ cost }) => cost.about), most: dollars(({ cost }) => cost.most) },
    remarks,
  };
}

export interface SweepOptions extends Omit<RunOptions, "onProgress"> {
  onProgress?: (cell: SweepCell, progress: RunProgress) => void;
}

export interface SweepEnd {
  folder: string;
  sweep: Sweep;
  runs: RunEnd[];
  calls: SharedCalls;
}

/**
 * Runs all cells of a sweep one after another into folders of their own below `folder`; what they share is done once.
 * Throws `Failure` `limit-met` where its plan exceeds `cost_limit`, before anything is sent; `wrong-usage` where the
 * folder holds a sweep already; and as `startRun`, after which `resumeSweep` goes on.
 */
export async function startSweep(
  asked: Sweep,
  folder: string,
  options: SweepOptions = {},
): Promise<SweepEnd> {
  await refuseSecond(folder);
  const sweep = await fitSweep(asked);
  if (options.createModels === undefined) checkCells(sweep, {});
  await refuseDear(sweep, options.signal);
  await writeSweepFolder(sweep, folder);
  return execute(sweep, folder, {}, options);
}

/**
 * Goes on with a sweep: cells that were not begun, results that are missing, and those that failed. Throws as
 * `resumeRun`, and `not-found` or `data-malformed` where the folder is not that of a sweep.
 */
export async function resumeSweep(
  folder: string,
  changes: ResumeChanges = {},
  options: SweepOptions = {},
): Promise<SweepEnd> {
  return execute(await readSweepFolder(folder), folder, changes, options);
}

async function execute(
  sweep: Sweep,
  folder: string,
  changes: ResumeChanges,
  options: SweepOptions,
): Promise<SweepEnd> {
  if (options.createModels === undefined) checkCells(sweep, changes);
  const runs: RunEnd[] = [];
  for (const cell of sweep.cells) {
    const path = join(folder, cell.name);
    const own: RunOptions = {
      ...options,
      onProgress: (progress) => options.onProgress?.(cell, progress),
    };
    const begun = await isBegun(path);
    try {
      runs.push(
        begun
          ? await resumeRun(path, changes, own)
          : await startRun(merged(cell.input, changes), path, own),
      );
    } catch (error) {
      if (!isFailure(error, "cancelled")) throw error;
      throw new Failure(
        "cancelled",
        `Cancelled in ${cell.name}: the sweep goes on with \`sweep --resume ${folder}\`.`,
        { folder, cell: cell.name },
        { cause: error },
      );
    }
  }
  return { folder: resolve(folder), sweep, runs, calls: await countCalls(sweep, folder) };
}

/** A model that cannot be called is told before the first run, not when its own turn has come. */
function checkCells({ cells }: Sweep, changes: ResumeChanges): void {
  for (const { input } of cells) checkModels(readEvalSettings(merged(input, changes)).settings);
}

/** Calls that the results of all cells rest on: as if each stood alone, and each one once. */
export interface SharedCalls {
  sum: number;
  unique: number;
}

async function countCalls(sweep: Sweep, folder: string): Promise<SharedCalls> {
  const keys = new Set<string>();
  let sum = 0;
  for (const { said } of await readSweepRuns(sweep, folder))
    for (const { line } of said)
      for (const { key } of line?.calls ?? []) {
        keys.add(key);
        sum++;
      }
  return { sum, unique: keys.size };
}

async function refuseDear(sweep: Sweep, signal: AbortSignal | undefined): Promise<void> {
  const { cost_limit: limit } = sweep;
  if (limit === null) return;
  const { cost, calls } = await planSweep(sweep, { signal });
  if (cost.most === null)
    throw new Failure(
      "limit-met",
      `Expected to know what the sweep may cost, as it is limited to $${limit}, but a model has no price: give \`--prices\`.`,
      { limit },
    );
  if (cost.most <= limit) return;
  throw new Failure(
    "limit-met",
    `Expected the sweep to cost at most $${limit}, but its ${calls} calls may cost $${cost.most.toFixed(2)} (about $${(cost.about ?? 0).toFixed(2)} with short replies): nothing was sent.`,
    { limit, cost, calls },
  );
}

async function refuseSecond(folder: string): Promise<void> {
  if (!(await isSweepFolder(folder))) return;
  throw new Failure(
    "wrong-usage",
    `Expected an empty folder for the sweep, but ${folder} holds one already: go on with \`sweep --resume ${folder}\`, or choose another folder.`,
    { folder },
  );
}
