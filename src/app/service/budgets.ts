import { randomUUID } from "node:crypto";
import pLimit from "p-limit";
import type { ServiceStore } from "../../core/contracts.ts";

/**
 * What owners may still spend today (UTC), in dollars. A question reserves its share before it starts, so that
 * concurrent questions cannot exceed the daily limit. A reservation shrinks by what its question pays.
 */
export function createBudgets(serviceStore: ServiceStore) {
  const reserved = new Map<string, { owner: string; dollars: number }>();
  /** Serialises changes: stored spending and reservations must agree. */
  const oneByOne = pLimit(1);

  /** Spending that is not stored yet because the disk accepts no writes. It counts like stored spending. */
  const pending: { owner: string; day: string; dollars: number; batch: string }[] = [];

  async function unspent(owner: string, limit: number | null): Promise<number> {
    if (limit === null) return Infinity;
    const day = today();
    const mine = pending.filter((one) => one.owner === owner && one.day === day);
    return (
      limit -
      (await serviceStore.spent(owner, day)) -
      mine.reduce((sum, { dollars }) => sum + dollars, 0)
    );
  }

  /** Throws `Failure` `disk-full`, `disk-unwritable`; the next call retries what is left. */
  async function storePending(): Promise<void> {
    for (let one = pending[0]; one !== undefined; one = pending[0]) {
      await serviceStore.spend(one.owner, one.day, one.dollars, one.batch);
      pending.shift();
    }
  }

  return {
    /** Dollars left of the daily limit, including reservations; 0 or less if it is spent, Infinity without a limit. */
    unspent,
    /**
     * Reserves dollars for one question of an owner who runs at most `concurrency` questions: an equal share of what is
     * neither spent nor reserved, for this question and each further one that may start. Null without a limit.
     */
    async reserve(
      owner: string,
      id: string,
      limit: number | null,
      concurrency: number,
    ): Promise<number | null> {
      if (limit === null) return null;
      return oneByOne(async () => {
        const left = await unspent(owner, limit);
        const others = [...reserved.values()].filter((one) => one.owner === owner);
        const free = left - others.reduce((sum, one) => sum + one.dollars, 0);
        const dollars = Math.max(0, free) / Math.max(1, concurrency - others.length);
        reserved.set(id, { owner, dollars });
        return dollars;
      });
    },
    /** Call it after the last `spend` of the question. */
    release: (id: string): Promise<void> =>
      oneByOne(async () => {
        reserved.delete(id);
        // `spend` reported this error already.
        await storePending().catch(() => undefined);
      }),
    async spend(owner: string, id: string, dollars: number): Promise<void> {
      if (dollars <= 0) return;
      await oneByOne(async () => {
        pending.push({ owner, day: today(), dollars, batch: randomUUID() });
        const one = reserved.get(id);
        if (one !== undefined) one.dollars = Math.max(0, one.dollars - dollars);
        await storePending();
      });
    },
  };
}

export type Budgets = ReturnType<typeof createBudgets>;

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
