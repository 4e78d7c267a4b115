import { readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { z } from "zod";
import { writeAtomically } from "../../src/core/atomic-file.ts";
import { Failure, isFailure, systemCode, toFailure } from "../../src/core/errors.ts";
import { jsonOrUndefined } from "../../src/core/json-or-undefined.ts";
import { ModuleFile } from "../../src/core/loaded-modules.ts";
import { makeFolder } from "../../src/storage/make-folder.ts";
import { openRunLog } from "../../src/storage/run-log.ts";
import { modulesForHeader } from "../run/check-modules.ts";
import { type ReadOptions, type Results, readResults } from "../score/read-results.ts";
import type { Sweep } from "./sweep-settings.ts";

/* The folder of a sweep: `sweep.json`, and a run folder for each cell that has started. */

const SWEEP = "sweep.json";
const SWEEP_FORMAT = 1;

const SweepJson = z.object({
  format: z.literal(SWEEP_FORMAT),
  name: z.string(),
  against: z.enum(["first", "previous"]),
  total_cost_limit: z.number().nullable().default(null),
  remarks: z.array(z.string()),
  preset: z.string().optional(),
  judge_model: z.string().optional(),
  cells: z.array(
    z.object({
      name: z.string(),
      arm: z.string().optional(),
      model: z.string().nullable().optional(),
      input: z.unknown(),
    }),
  ),
  /** Files of users' own code that were loaded; missing without any, and in older sweeps. */
  modules: z.array(ModuleFile).optional(),
});

export async function writeSweepFolder(sweep: Sweep, folder: string): Promise<void> {
  await makeFolder(folder);
  const text = JSON.stringify({ format: SWEEP_FORMAT, ...sweep, ...modulesForHeader() }, null, 2);
  await writeAtomically(join(folder, SWEEP), `${text}\n`);
}

/** Whether the folder contains a sweep. */
export async function isSweepFolder(folder: string): Promise<boolean> {
  return (await readText(folder)) !== null;
}

/** A sweep as its folder has it. */
export interface StoredSweep extends Sweep {
  modules?: ModuleFile[];
}

/** Reads `sweep.json`. Throws `Failure` `not-found`, `data-malformed`. */
export async function readSweepFolder(folder: string): Promise<StoredSweep> {
  const text = await readText(folder);
  if (text === null)
    throw new Failure("not-found", `${folder} is not the folder of a sweep: ${SWEEP} is missing.`, {
      folder,
    });
  const read = SweepJson.safeParse(jsonOrUndefined(text));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Failure(
    "data-malformed",
    `Cannot read ${SWEEP} in ${folder} as a sweep of format ${SWEEP_FORMAT}: \`${issue?.path.join(".")}\`: ${issue?.message}.`,
    { folder },
  );
}

/** Whether the run of a cell has started. */
export async function hasStarted(path: string): Promise<boolean> {
  try {
    await openRunLog(path).readHeader();
    return true;
  } catch (error) {
    if (isFailure(error, "not-found")) return false;
    throw error;
  }
}

/** The runs of the cells that have started, in the order of the sweep. */
export async function readSweepRuns(
  sweep: Sweep,
  folder: string,
  options: ReadOptions = {},
): Promise<Results[]> {
  const found: Results[] = [];
  for (const { name, arm, model } of sweep.cells) {
    const path = join(folder, name);
    if (!(await hasStarted(path))) continue;
    const results = await readResults(path, options);
    const { preset } = sweep;
    found.push({
      ...results,
      ...(model === undefined ? {} : { sweep_model: model }),
      ...(preset === undefined || arm === undefined
        ? {}
        : { cell: { sweep: resolve(folder), preset, arm } }),
    });
  }
  return found;
}

/** The results at a path: one run or response file, or all runs of a sweep. */
export interface NamedRuns {
  /** Name of the sweep's folder; null for a single run or response file. */
  sweep: string | null;
  runs: { path: string; results: Results }[];
  /** Number of runs of the sweep that have not started. */
  not_begun: number;
}

/**
 * Reads the run or response file at a path, or every started run of a sweep, in the order of the sweep.
 * Throws `Failure` as `readResults` and `readSweepFolder`, and `not-found` if no run of the sweep has started.
 */
export async function readNamedRuns(path: string, options: ReadOptions = {}): Promise<NamedRuns> {
  if (!(await isSweepFolder(path)))
    return {
      sweep: null,
      runs: [{ path, results: await readResults(path, options) }],
      not_begun: 0,
    };
  const sweep = await readSweepFolder(path);
  const found = await readSweepRuns(sweep, path, options);
  if (found.length === 0)
    throw new Failure(
      "not-found",
      `No run of the sweep in ${path} has started: start them with \`sweep --resume ${path}\`.`,
      { path },
    );
  return {
    sweep: basename(resolve(path)),
    runs: found.map((results) => ({ path: join(path, results.name), results })),
    not_begun: sweep.cells.length - found.length,
  };
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
