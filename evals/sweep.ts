import { open, readFile, rename } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";
import { Failure, isFailure, systemCode, toFailure } from "../src/core/errors.ts";
import { makeFolder } from "../src/storage/make-folder.ts";
import { openRunLog } from "../src/storage/run-log.ts";
import { merged } from "./eval-settings.ts";
import { fitSweep } from "./fit-sweep.ts";
import { planRun, type RunPlan } from "./plan-run.ts";
import type { ResumeChanges } from "./prepare-run.ts";
import { type Results, readResults } from "./read-results.ts";
import { type RunEnd, type RunOptions, resumeRun, startRun } from "./run.ts";
import type { RunProgress } from "./run-progress.ts";
import type { Sweep, SweepCell } from "./sweep-settings.ts";

const SWEEP = "sweep.json";
const SWEEP_FORMAT = 1;

const StoredSweep = z.object({
  format: z.literal(SWEEP_FORMAT),
  name: z.string(),
  against: z.enum(["first", "previous"]),
  cost_limit: z.number().nullable(),
  remarks: z.array(z.string()),
  cells: z.array(z.object({ name: z.string(), input: z.unknown() })),
});

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
  await refuseDear(sweep, options.signal);
  await writeSweep(sweep, folder);
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

async function isBegun(path: string): Promise<boolean> {
  try {
    await openRunLog(path).readHeader();
    return true;
  } catch (error) {
    if (isFailure(error, "not-found")) return false;
    throw error;
  }
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

/** The runs of those cells that were begun, in the order of the sweep. */
export async function readSweepRuns(sweep: Sweep, folder: string): Promise<Results[]> {
  const found: Results[] = [];
  for (const { name } of sweep.cells) {
    const path = join(folder, name);
    if (await isBegun(path)) found.push(await readResults(path));
  }
  return found;
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
  if ((await readText(folder)) === null) return;
  throw new Failure(
    "wrong-usage",
    `Expected an empty folder for the sweep, but ${folder} holds one already: go on with \`sweep --resume ${folder}\`, or choose another folder.`,
    { folder },
  );
}

/** Written whole or not at all. */
async function writeSweep(sweep: Sweep, folder: string): Promise<void> {
  const path = join(folder, SWEEP);
  try {
    await makeFolder(folder);
    const file = await open(`${path}.tmp`, "w");
    try {
      await file.writeFile(`${JSON.stringify({ format: SWEEP_FORMAT, ...sweep }, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.tmp`, path);
  } catch (error) {
    throw toFailure(error, "file-unreadable", `writing ${path}`);
  }
}

/** Whether a folder is that of a sweep. */
export async function isSweepFolder(folder: string): Promise<boolean> {
  return (await readText(folder)) !== null;
}

/** Throws `Failure` `not-found`, `data-malformed`. */
export async function readSweepFolder(folder: string): Promise<Sweep> {
  const text = await readText(folder);
  if (text === null)
    throw new Failure(
      "not-found",
      `Expected the folder of a sweep at ${folder}, but it holds no ${SWEEP}.`,
      { folder },
    );
  const read = StoredSweep.safeParse(json(text));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Failure(
    "data-malformed",
    `Expected ${SWEEP} in ${folder} to be a sweep of format ${SWEEP_FORMAT}, but \`${issue?.path.join(".")}\`: ${issue?.message}.`,
    { folder },
  );
}

async function readText(folder: string): Promise<string | null> {
  const path = join(folder, SWEEP);
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw toFailure(error, "file-unreadable", `reading ${path}`);
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A damaged file is named by the caller.
    return undefined;
  }
}
