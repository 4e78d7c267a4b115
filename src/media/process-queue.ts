import { AsyncLocalStorage } from "node:async_hooks";
import { availableParallelism } from "node:os";
import { createFairQueue } from "../core/fair-queue.ts";

/** Concurrent processes of one owner: one per core, because more do not help. */
const OWN_PLACES = availableParallelism();
/** Additional places, so that a video that takes hours does not block the videos of other owners. */
const OTHER_PLACES = OWN_PLACES;

const queue = createFairQueue(OWN_PLACES + OTHER_PLACES, OWN_PLACES);
queue.start();
let unended = 0;
const owners = new AsyncLocalStorage<string>();

/** Runs `work` so that its processes count as those of this owner, such as a key of the service. Default: one owner for all. */
export function forOwner<T>(owner: string, work: () => T): T {
  return owners.run(owner, work);
}

/** Starts a process when its owner has a free place; owners take turns. */
export async function runInQueue<T>(start: () => Promise<T>): Promise<T> {
  unended++;
  try {
    return await new Promise<T>((resolve, reject) => {
      queue.add(owners.getStore() ?? "", () => start().then(resolve, reject)).catch(reject);
    });
  } finally {
    unended--;
  }
}

/** Whether a process runs or waits for its place. */
export function isMediaWorking(): boolean {
  return unended > 0;
}
