import { NO_USAGE, type Usage } from "../../core/shapes.ts";
import type { UsageEntry, UsageLedger } from "../../core/usage-ledger.ts";

/** Whose usage it is, and of what. */
type UsageOf = Pick<UsageEntry, "owner" | "strategy"> & { model: string | null };

/** Adds what questions use to the ledger. What the disk refuses is kept and written with the next entry. */
export function createUsageRecorder(ledger: UsageLedger) {
  const pending: UsageEntry[] = [];

  /** Throws `Failure` `disk-full`, `disk-unwritable`. */
  async function add(of: UsageOf, questions: number, usage: Usage): Promise<void> {
    const { calls, input, output, cost, paid } = usage;
    pending.push({
      ...of,
      ...{ questions, calls, input, output, cost: cost ?? 0, paid: paid ?? 0 },
      model: of.model ?? "",
      unpriced: cost === null ? calls : 0,
      day: new Date().toISOString().slice(0, 10),
    });
    await ledger.addUsage(pending);
    pending.length = 0;
  }

  return {
    question: (of: UsageOf): Promise<void> => add(of, 1, NO_USAGE),
    call: (of: UsageOf, usage: Usage): Promise<void> => add(of, 0, usage),
  };
}

export type UsageRecorder = ReturnType<typeof createUsageRecorder>;
