import { appendFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Store } from "../../src/core/contracts.ts";
import { readTextIfPresent } from "../../src/core/read-text.ts";
import { openSharedCap } from "../../src/core/shared-cap.ts";
import { createSpendingCap, type SpendingCap } from "../../src/core/spending-cap.ts";

/*
 * `paid.jsonl` in a run's folder: one line for every payment, written at once. A limit therefore also counts payments of
 * samples that were interrupted before they had a result.
 */

const FILE = "paid.jsonl";
const Payment = z.object({ paid: z.number() });

/** Dollars paid in a folder so far; null if the file is missing, as in runs of earlier versions. */
export async function readPaid(folder: string): Promise<number | null> {
  const text = await readTextIfPresent(join(folder, FILE));
  if (text === null) return null;
  return text.split("\n").reduce((sum, line) => sum + (payment(line) ?? 0), 0);
}

/** Dollars paid in a folder so far, given those of its results: other processes write no payments into it. */
export async function paidIn(folder: string, ofResults: readonly number[]): Promise<number> {
  const known = ofResults.reduce((sum, dollars) => sum + dollars, 0);
  return Math.max((await readPaid(folder)) ?? 0, known);
}

/** The dollars of a line; null for an empty line, and for one that was truncated by a crash. */
function payment(line: string): number | null {
  try {
    return Payment.parse(JSON.parse(line)).paid;
  } catch {
    return null;
  }
}

/** Adds a payment to the file of a run. */
export function notePaid(folder: string, dollars: number): void {
  try {
    appendFileSync(join(folder, FILE), `${JSON.stringify({ paid: dollars })}\n`);
  } catch {
    // On a full disk, keep the reply that was paid for; its result also has the sum.
  }
}

/** Who shares a cap: the processes of a store that work on the run, and the sweep that contains it. */
interface CapSharing {
  account?: { store: Pick<Store, "spending">; run: string };
  within?: SpendingCap | undefined;
  /** Dollars that count for the limit and are noted elsewhere, such as those of judgements. Default: 0. */
  besides?: number;
}

/**
 * Opens the spending cap of the run in `folder`, which is created if needed. `known`: dollars in the stored results, for
 * folders without the file. With an account and a limit, the limit holds for all processes of a store that has accounts.
 */
export async function openCap(
  folder: string,
  limit: number | null,
  known: number,
  { account, within, besides = 0 }: CapSharing = {},
): Promise<SpendingCap> {
  await mkdir(folder, { recursive: true });
  const before = await readPaid(folder);
  const write = (dollars: number) => notePaid(folder, dollars);
  if (before === null && known > 0) write(known);
  const isLimited = limit !== null || within?.limit != null;
  // An account that an earlier limit opened has to hear that there is none any more.
  if (account === undefined || !(isLimited || (await account.store.spending?.read(account.run))))
    return createSpendingCap(limit, (before ?? known) + besides, write, within);
  // Results of other processes have paid too, which this folder's file does not know.
  const paid = Math.max(before ?? 0, known) + besides;
  return openSharedCap(account.store, account.run, limit, paid, { onPaid: write, within });
}
