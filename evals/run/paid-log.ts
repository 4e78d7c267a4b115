import { appendFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readTextIfPresent } from "../../src/core/read-text.ts";
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

/** The dollars of a line; null for an empty line, and for one that was truncated by a crash. */
function payment(line: string): number | null {
  try {
    return Payment.parse(JSON.parse(line)).paid;
  } catch {
    return null;
  }
}

/**
 * Opens the spending cap of the run in `folder`, which is created if needed. `known`: dollars in the stored results, for
 * folders without the file. `within`: the cap of the sweep that contains the run.
 */
export async function openCap(
  folder: string,
  limit: number | null,
  known: number,
  within?: SpendingCap,
): Promise<SpendingCap> {
  await mkdir(folder, { recursive: true });
  const before = await readPaid(folder);
  const write = (dollars: number) => {
    try {
      appendFileSync(join(folder, FILE), `${JSON.stringify({ paid: dollars })}\n`);
    } catch {
      // On a full disk, keep the reply that was paid for; its result also has the sum.
    }
  };
  if (before === null && known > 0) write(known);
  return createSpendingCap(limit, before ?? known, write, within);
}
