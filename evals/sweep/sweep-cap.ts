import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Store } from "../../src/core/contracts.ts";
import { openSharedCap } from "../../src/core/shared-cap.ts";
import { createSpendingCap, type SpendingCap } from "../../src/core/spending-cap.ts";
import { openStore } from "../../src/storage/open.ts";
import { openRunLog } from "../../src/storage/run-log.ts";
import { judgedDollars } from "../judges/judged-dollars.ts";
import { merged, readEvalSettings } from "../run/eval-settings.ts";
import { readPaid } from "../run/paid-log.ts";
import type { ResumeChanges } from "../run/prepare-run.ts";
import { readEvalHeader } from "../run/run-header.ts";
import { readResults } from "../score/read-results.ts";
import { hasStarted } from "./sweep-folder.ts";
import type { Sweep } from "./sweep-settings.ts";

/** What all runs of a sweep may pay together; `close` ends its use of the store. */
export interface SweepCap {
  cap: SpendingCap;
  /** Dollars of earlier judgements, which `cap` counts as paid. A judge counts its own, too. */
  judged: number;
  close(): Promise<void>;
}

/**
 * Opens the cap of a sweep. With a limit, it holds for all processes of a store that has accounts. The account is a new one
 * each time: it begins with what the runs have paid so far.
 */
export async function openSweepCap(
  sweep: Sweep,
  folder: string,
  changes: ResumeChanges,
  given: Store | undefined,
): Promise<SweepCap> {
  const [first] = sweep.cells;
  const limit = sweep.total_cost_limit;
  const close = async () => {};
  const judged = await judgedBefore(sweep, folder, limit);
  if (limit === null || first === undefined) {
    const before = (await paidBefore(sweep, folder)) + judged;
    return { cap: createSpendingCap(limit, before), judged, close };
  }
  const { runtime } = readEvalSettings(merged(first.input, changes)).settings;
  const store = given ?? (await openStore(runtime.data));
  const end = given === undefined ? store.close : close;
  try {
    const before = (await paidBefore(sweep, folder, store)) + judged;
    const cap = await openSharedCap(store, `sweep ${randomUUID()}`, limit, before);
    return { cap, judged, close: end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Dollars that the runs of a sweep have paid so far. */
async function paidBefore(
  { cells }: Sweep,
  folder: string,
  store?: Pick<Store, "spending">,
): Promise<number> {
  let paid = 0;
  for (const { name } of cells) {
    const path = join(folder, name);
    if (!(await hasStarted(path))) continue;
    const { run } = await readEvalHeader(openRunLog(path));
    const known = (await readPaid(path)) ?? (await paidByLines(path));
    paid += Math.max(known, (await store?.spending?.read(run))?.spent ?? 0);
  }
  return paid;
}

/** `judgedDollars` of all runs of a sweep. */
export async function judgedBefore(
  { cells }: Pick<Sweep, "cells">,
  folder: string,
  limit: number | null,
): Promise<number> {
  const paid = await Promise.all(cells.map(({ name }) => judgedDollars(join(folder, name), limit)));
  return paid.reduce((sum, dollars) => sum + dollars, 0);
}

async function paidByLines(path: string): Promise<number> {
  const { said } = await readResults(path);
  return said.reduce((sum, { line }) => sum + (line?.usage.paid ?? 0), 0);
}
