import pLimit from "p-limit";
import type { ServiceStore } from "../../core/contracts.ts";

/**
 * What owners may still spend today (UTC), in dollars. A question books its share before it begins, so that questions
 * that run together cannot overshoot the day's limit; a booking shrinks by what its question pays.
 */
export function createBudgets(serviceStore: ServiceStore) {
  const booked = new Map<string, { owner: string; dollars: number }>();
  /** One at a time: what is kept as spent and what is booked belong together. */
  const oneByOne = pLimit(1);

  /** Spent, and not yet kept because the disk took no writes: it counts as what is kept does. */
  const unkept: { owner: string; day: string; dollars: number }[] = [];

  async function unspent(owner: string, limit: number | null): Promise<number> {
    if (limit === null) return Infinity;
    const day = today();
    const mine = unkept.filter((one) => one.owner === owner && one.day === day);
    return (
      limit -
      (await serviceStore.spent(owner, day)) -
      mine.reduce((sum, { dollars }) => sum + dollars, 0)
    );
  }

  /** Throws `Failure` `disk-full`, `disk-unwritable`: what is left is tried again with the next. */
  async function keepSpending(): Promise<void> {
    for (let one = unkept[0]; one !== undefined; one = unkept[0]) {
      await serviceStore.spend(one.owner, one.day, one.dollars);
      unkept.shift();
    }
  }

  return {
    /** What the day's limit leaves, booked or not; at most 0 where all of it is spent. */
    unspent,
    /**
     * Dollars for one question of an owner who runs at most `at_once` of them: of what is neither spent nor booked, an
     * equal share for it and for each that may still begin beside it. Null where there is no limit.
     */
    async book(
      owner: string,
      id: string,
      limit: number | null,
      at_once: number,
    ): Promise<number | null> {
      if (limit === null) return null;
      return oneByOne(async () => {
        const left = await unspent(owner, limit);
        const others = [...booked.values()].filter((one) => one.owner === owner);
        const free = left - others.reduce((sum, one) => sum + one.dollars, 0);
        const dollars = Math.max(0, free) / Math.max(1, at_once - others.length);
        booked.set(id, { owner, dollars });
        return dollars;
      });
    },
    /** After all that the question spent is noted. */
    release: (id: string): Promise<void> =>
      oneByOne(async () => {
        booked.delete(id);
        // Told already when it was spent.
        await keepSpending().catch(() => undefined);
      }),
    async spend(owner: string, id: string, dollars: number): Promise<void> {
      if (dollars <= 0) return;
      await oneByOne(async () => {
        unkept.push({ owner, day: today(), dollars });
        const one = booked.get(id);
        if (one !== undefined) one.dollars = Math.max(0, one.dollars - dollars);
        await keepSpending();
      });
    },
  };
}

export type Budgets = ReturnType<typeof createBudgets>;

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
