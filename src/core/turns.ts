import { setTimeout as sleep } from "node:timers/promises";
import type { Claims } from "./contracts.ts";

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 200;

/** Runs work on the same thing one after the other. */
export type Turns = <T>(id: string, work: () => Promise<T>) => Promise<T>;

/**
 * Runs work on the same thing one after the other, so that none is based on a state that another one replaces.
 *
 * @example
 * const inTurn = createTurns();
 * await inTurn(question.id, () => edit(question));
 */
export function createTurns(claims: Claims | null = null): Turns {
  return claims === null ? localTurns() : sharedTurns(localTurns(), claims);
}

/** The same across all processes of a store. */
function sharedTurns(local: Turns, claims: Claims): Turns {
  return (id, work) =>
    local(id, async () => {
      let release = await claims.take(`turn ${id}`);
      for (let pause = FIRST_PAUSE_MS; release === null; ) {
        await sleep(pause * (0.5 + Math.random() / 2));
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
        release = await claims.take(`turn ${id}`);
      }
      try {
        return await work();
      } finally {
        await release();
      }
    });
}

function localTurns(): Turns {
  const turns = new Map<string, Promise<unknown>>();
  return (id, work) => {
    const before = turns.get(id) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine
      .catch(() => undefined)
      .then(() => {
        if (turns.get(id) === settled) turns.delete(id);
      });
    turns.set(id, settled);
    return mine;
  };
}
