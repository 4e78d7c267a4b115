import { startSlowModel, worker } from "./eval-data.ts";
import { median } from "./measured.ts";
import { REPLY_S } from "./text-run.ts";

/** CPU time of a plain `fetch` call, in milliseconds, on the machine for which limits in seconds were chosen. */
const CALL_MS = 1;
const CALLS = 1000;

/** How fast the machine is that a bench runs on. */
export interface Machine {
  /** CPU time of a plain `fetch` call, its process included, in milliseconds. */
  call_ms: number;
  /** Factor for limits in seconds: above 1 on a slower machine than the one for which they were chosen, else 1. */
  slower: number;
}

/**
 * Runs `rounds` and measures the machine before each and after the last, because the speed of a shared machine changes
 * within minutes: 1,000 calls of a model without a framework, 200 ms each, in a process of their own. The machine is as
 * fast as the median says.
 */
export async function besideRounds(
  rounds: number,
  round: (index: number) => Promise<void>,
): Promise<Machine> {
  const server = await startSlowModel(REPLY_S);
  const times_s: number[] = [];
  const measure = async () =>
    times_s.push((await worker("fetch", server.url, String(CALLS))).cpu_s);
  try {
    for (let index = 0; index < rounds; index++) {
      await measure();
      await round(index);
    }
    await measure();
  } finally {
    server.stop();
  }
  const call_ms = (median(times_s) * 1000) / CALLS;
  return { call_ms, slower: Math.max(1, call_ms / CALL_MS) };
}
