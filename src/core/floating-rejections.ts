import { AsyncLocalStorage } from "node:async_hooks";

/*
 * Promises that a user's code did not await and that were rejected. Node ends the process at such a rejection. Here it
 * fails only the work that made the promise.
 */

interface Work {
  /** What promises were rejected with, without those that were handled later. */
  rejected: Map<Promise<unknown>, unknown>;
  onLate: (reason: unknown) => void;
  ended: boolean;
}

const current = new AsyncLocalStorage<Work>();
/** Node reports outside of all work that a rejected promise was handled after all. */
const works = new WeakMap<Promise<unknown>, Work>();

/**
 * Runs code of a user. If a promise that it made is rejected and never handled, this throws `toError(reason)` once the
 * work has ended. `onLate` is told of later rejections.
 */
export async function withFloatingRejections<T>(
  work: () => Promise<T>,
  toError: (reason: unknown) => unknown,
  onLate: (reason: unknown) => void,
): Promise<T> {
  listen();
  const own: Work = { rejected: new Map(), onLate, ended: false };
  try {
    const result = await current.run(own, work);
    // Node reports a rejection after the microtasks of its tick.
    await new Promise((resolve) => setImmediate(resolve));
    for (const reason of own.rejected.values()) throw toError(reason);
    return result;
  } finally {
    own.ended = true;
  }
}

let listens = false;

function listen(): void {
  if (listens) return;
  listens = true;
  process.on("unhandledRejection", (reason, promise) => {
    const work = current.getStore();
    if (work === undefined) {
      // As Node does without a listener.
      if (process.listenerCount("unhandledRejection") === 1) throw reason;
    } else if (work.ended) work.onLate(reason);
    else {
      work.rejected.set(promise, reason);
      works.set(promise, work);
    }
  });
  process.on("rejectionHandled", (promise) => works.get(promise)?.rejected.delete(promise));
}
