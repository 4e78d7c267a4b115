import pLimit from "p-limit";
import { Failure } from "../../core/errors.ts";

/** Calls of one client that run or wait. More are refused. */
export const MOST_CALLS = 32;
/** Calls of one client that decode or read videos at once. */
const MOST_HEAVY = 3;

/** Limits the concurrent calls of one client. */
export interface CallGate {
  /** Throws `Failure` `limit-met` if too many calls are open. */
  run<T>(work: () => Promise<T>, given: { heavy: boolean; signal: AbortSignal }): Promise<T>;
  open(): number;
}

export function createCallGate(): CallGate {
  const heavyCalls = pLimit(MOST_HEAVY);
  let open = 0;
  return {
    open: () => open,
    async run(work, { heavy, signal }) {
      if (open >= MOST_CALLS)
        throw new Failure(
          "limit-met",
          `Too many calls at once: ${open} are running or waiting, which is the limit. Wait for their results.`,
          { most: MOST_CALLS },
        );
      open++;
      const begin = () => {
        signal.throwIfAborted();
        return work();
      };
      try {
        return await (heavy ? heavyCalls(begin) : begin());
      } finally {
        open--;
      }
    },
  };
}
