import { AsyncLocalStorage } from "node:async_hooks";
import { availableParallelism } from "node:os";
import { createFairQueue } from "../core/fair-queue.ts";

/** Processes of one owner at once: one a core, which is as many as help. */
const OWN_PLACES = availableParallelism();
/** Beyond those of one owner, so that a video that takes hours does not keep the videos of others waiting. */
const OTHER_PLACES = OWN_PLACES;

const queue = createFairQueue(OWN_PLACES + OTHER_PLACES, OWN_PLACES);
queue.start();
const owners = new AsyncLocalStorage<string>();

/** Does work whose processes count as those of this owner, such as a key of the service. Default: one owner for all. */
export function forOwner<T>(owner: string, work: () => T): T {
  return owners.run(owner, work);
}

/** Starts a process once its owner has a place for it; owners take turns. */
export function inPlace<T>(start: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    queue.add(owners.getStore() ?? "", () => start().then(resolve, reject)).catch(reject);
  });
}
