import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createMemoryTable } from "../../../src/models/rate-limit/memory-table.ts";
import { createRateLimiter } from "../../../src/models/rate-limit/rate-limiter.ts";
import { rateTableContract } from "../../storage/contracts/rate-table.ts";

rateTableContract("memory", async () => {
  const table = createMemoryTable();
  return { one: table, other: table, async close() {} };
});

test("the turn of a call that is cancelled while it waits goes to the next one", async () => {
  const limiter = createRateLimiter(createMemoryTable(), "endpoint");
  const limits = { requests: 60, tokens: 600 };
  const stop = new AbortController();
  const began = performance.now();
  const start = (signal: AbortSignal) => limiter.start(10, limits, signal);
  const { signal } = new AbortController();
  (await start(signal)).begun();
  const cancelled = [start(stop.signal), start(stop.signal)];
  const last = start(signal);
  await sleep(20);
  stop.abort();
  await Promise.allSettled(cancelled);
  (await last).begun();
  // One request a second: the fourth in order, but the second that is sent.
  expect(performance.now() - began).toBeGreaterThan(900);
  expect(performance.now() - began).toBeLessThan(1_900);
});
