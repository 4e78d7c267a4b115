import type { Desk } from "../core/contracts.ts";

/**
 * What owners may still spend today (UTC), in dollars. A question books its share before it begins, so that questions
 * that run together cannot overshoot the day's limit.
 */
export function createBudgets(desk: Desk) {
  const booked = new Map<string, { owner: string; dollars: number }>();

  const bookedBy = (owner: string) => [...booked.values()].filter((one) => one.owner === owner);

  async function left(owner: string, limit: number | null): Promise<number> {
    if (limit === null) return Infinity;
    const held = bookedBy(owner).reduce((sum, one) => sum + one.dollars, 0);
    return limit - (await desk.spent(owner, today())) - held;
  }

  return {
    left,
    /** The share of one of `open` questions of the owner; null where there is no limit. */
    async book(
      owner: string,
      id: string,
      limit: number | null,
      open: number,
    ): Promise<number | null> {
      if (limit === null) return null;
      const waiting = Math.max(1, open - bookedBy(owner).length);
      const dollars = Math.max(0, await left(owner, limit)) / waiting;
      booked.set(id, { owner, dollars });
      return dollars;
    },
    release(id: string): void {
      booked.delete(id);
    },
    async spend(owner: string, dollars: number): Promise<void> {
      if (dollars > 0) await desk.spend(owner, today(), dollars);
    },
  };
}

export type Budgets = ReturnType<typeof createBudgets>;

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
