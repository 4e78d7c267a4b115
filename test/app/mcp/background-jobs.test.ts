import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createBackgroundJobs } from "../../../src/app/mcp/background-jobs.ts";

const call = (signal = new AbortController().signal) => ({ signal, progress: () => undefined });

test("a call right after a cancelled one starts the work again, and joins no work that stops", async () => {
  const jobs = createBackgroundJobs();
  let begun = 0;
  const work = async ({ signal }: { signal: AbortSignal }) => {
    const number = ++begun;
    // Work that takes a while to stop.
    await sleep(50);
    signal.throwIfAborted();
    return number;
  };
  const abort = new AbortController();
  const first = jobs.run("a", 1000, call(abort.signal), work);
  abort.abort(new Error("cancelled"));
  first.catch(() => undefined);
  await sleep(5);
  expect(await jobs.run("a", 1000, call(), work)).toBe(2);
  await expect(first).rejects.toThrow("cancelled");
  // The end of the first has not removed the second: a further call would have joined it.
  const joined = [jobs.run("a", 1000, call(), work), jobs.run("a", 1000, call(), work)];
  expect(await Promise.all(joined)).toEqual([3, 3]);
  await jobs.close();
});
