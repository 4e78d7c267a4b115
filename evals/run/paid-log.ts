import { appendFileSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { systemCode, toFailure } from "../../src/core/errors.ts";
import { createSpendingCap, type SpendingCap } from "../../src/core/spending-cap.ts";

/*
 * `paid.jsonl` of a run's folder: one line for every payment, written when it is made. So what samples paid that were cut
 * off before they had a result counts for a limit as well.
 */

const FILE = "paid.jsonl";
const Payment = z.object({ paid: z.number() });

/** Dollars paid in a folder so far; null without such a file, as in runs of earlier versions. */
export async function readPaid(folder: string): Promise<number | null> {
  const path = join(folder, FILE);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw toFailure(error, "file-unreadable", `reading ${path}`);
  }
  return text.split("\n").reduce((sum, line) => sum + (payment(line) ?? 0), 0);
}

/** Null for an empty line, and for one that was cut off when the machine stopped. */
function payment(line: string): number | null {
  try {
    return Payment.parse(JSON.parse(line)).paid;
  } catch {
    return null;
  }
}

/**
 * The cap of a run that is kept in `folder`, made if needed. `known`: dollars that the results name, for folders without
 * the file. `within`: the cap of the sweep that the run is part of.
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
      // On a full disk the reply that was paid for counts more; its result names the sum too.
    }
  };
  if (before === null && known > 0) write(known);
  return createSpendingCap(limit, before ?? known, write, within);
}
