import { randomUUID } from "node:crypto";
import pLimit from "p-limit";
import { NO_USAGE, type Usage } from "../../core/shapes.ts";
import type { UsageEntry, UsageLedger } from "../../core/usage-ledger.ts";

/** Whose usage it is, and of what. */
type UsageOf = Pick<UsageEntry, "owner" | "strategy"> & { model: string | null };

/**
 * Adds what questions use to the ledger, each entry once. What the ledger refuses is kept and written before the next entry.
 */
export function createUsageRecorder(ledger: Pick<UsageLedger, "addUsage">) {
  const pending: UsageEntry[] = [];
  /** What is being written. After an error it stays the same batch: the ledger may have added it. */
  let batch: { id: string; entries: readonly UsageEntry[] } | undefined;
  /** Two writes at a time could both have an entry. */
  const oneByOne = pLimit(1);

  async function writePending(): Promise<void> {
    await writeBatch();
    // The write before has taken all.
    if (pending.length === 0) return;
    batch = { id: randomUUID(), entries: pending.splice(0) };
    await writeBatch();
  }

  async function writeBatch(): Promise<void> {
    if (batch === undefined) return;
    await ledger.addUsage(batch.entries, batch.id);
    batch = undefined;
  }

  /** Throws `Failure` `disk-full`, `disk-unwritable`, `store-unreachable`. */
  async function add(of: UsageOf, questions: number, usage: Usage): Promise<void> {
    const { calls, input, output, cost, paid } = usage;
    pending.push({
      ...of,
      ...{ questions, calls, input, output, cost: cost ?? 0, paid: paid ?? 0 },
      model: of.model ?? "",
      unpriced: cost === null ? calls : 0,
      day: new Date().toISOString().slice(0, 10),
    });
    await oneByOne(writePending);
  }

  return {
    question: (of: UsageOf): Promise<void> => add(of, 1, NO_USAGE),
    call: (of: UsageOf, usage: Usage): Promise<void> => add(of, 0, usage),
    /** Writes what is left; throws as the others do. */
    settle: (): Promise<void> => oneByOne(writePending),
  };
}

export type UsageRecorder = ReturnType<typeof createUsageRecorder>;
