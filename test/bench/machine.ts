import { startSlowModel, worker } from "./eval-data.ts";
import { median } from "./measured.ts";
import { REPLY_S } from "./text-run.ts";

/** CPU time of a plain `fetch` call, in milliseconds, on the machine for which limits in seconds were chosen. */
const CALL_MS = 1;
const CALLS = 1000;
const ROUNDS = 3;

/** How fast the machine is that a bench runs on. */
export interface Machine {
  /** CPU time of a plain `fetch` call, its process included, in milliseconds. */
  call_ms: number;
  /** Factor for limits in seconds: above 1 on a slower machine than the one for which they were chosen, else 1. */
  slower: number;
}

/** Measures 1,000 calls of a model without a framework, 200 ms each, in a process of their own, three times. */
export async function measureMachine(): Promise<Machine> {
  const server = await startSlowModel(REPLY_S);
  const times: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round++)
      times.push((await worker("fetch", server.url, String(CALLS))).cpu_s);
  } finally {
    server.stop();
  }
  const call_ms = (median(times) * 1000) / CALLS;
  return { call_ms, slower: Math.max(1, call_ms / CALL_MS) };
}
