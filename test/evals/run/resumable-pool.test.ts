import fc from "fast-check";
import { expect, test } from "vitest";
import { openTasks, runPool } from "../../../evals/run/resumable-pool.ts";
import { Failure } from "../../../src/core/errors.ts";

interface Result {
  attempt: number;
  error?: string;
}

/** Runs tasks with stored results until all are done; some attempts fail, and some end the pool. */
async function runToEnd(items: readonly number[], fails: ReadonlySet<string>, width: number) {
  const stored = new Map<number, Result>();
  const begun: string[] = [];
  let most = 0;
  let running = 0;
  for (let round = 0; round < 100; round++) {
    const { open, total } = openTasks(items, (item) => stored.get(item));
    expect(total).toBe(items.length);
    if (open.length === 0) return { stored, begun, most, rounds: round };
    await runPool({
      tasks: open,
      width,
      doing: ({ item }) => `doing ${item}`,
      async run({ item, attempt }, signal) {
        begun.push(`${item} ${attempt}`);
        most = Math.max(most, ++running);
        await Promise.resolve();
        running--;
        signal.throwIfAborted();
        const failed = fails.has(`${item} ${attempt}`);
        stored.set(item, failed ? { attempt, error: "failed" } : { attempt });
      },
    });
  }
  throw new Error("the pool never ended");
}

test("after repeated runs every item has one good result, and no good result is repeated", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.nat(50), { maxLength: 20 }),
      fc.array(fc.tuple(fc.nat(50), fc.nat(2)), { maxLength: 30 }),
      fc.integer({ min: 1, max: 6 }),
      async (items, failing, width) => {
        const fails = new Set(failing.map(([item, attempt]) => `${item} ${attempt}`));
        const { stored, begun, most } = await runToEnd(items, fails, width);
        expect([...stored.keys()].toSorted()).toEqual([...items].toSorted());
        expect(new Set(begun).size).toBe(begun.length);
        for (const item of items) {
          const attempts = begun.filter((one) => one.startsWith(`${item} `)).length;
          const attempt = stored.get(item)?.attempt;
          expect(attempts).toBe((attempt ?? -1) + 1);
          for (let before = 0; before < attempts - 1; before++)
            expect(fails.has(`${item} ${before}`)).toBe(true);
        }
        expect(most).toBeLessThanOrEqual(width);
      },
    ),
    { numRuns: 60 },
  );
});

test("a failure of a task aborts the others and is returned; no further task begins", async () => {
  const begun: number[] = [];
  const aborted: number[] = [];
  const end = await runPool({
    tasks: [1, 2, 3, 4],
    width: 2,
    doing: (task) => `doing ${task}`,
    async run(task, signal) {
      begun.push(task);
      if (task === 2) throw new Failure("disk-full", "The disk is full.");
      await new Promise<void>((done) => signal.addEventListener("abort", () => done()));
      aborted.push(task);
    },
  });
  expect(begun).toEqual([1, 2]);
  expect(aborted).toEqual([1]);
  expect(end).toMatchObject({ fatal: { kind: "disk-full" }, capped: false, cancelled: false });
});

test("after the cap refuses a call, running tasks finish and none begins", async () => {
  const finished: number[] = [];
  const release = Promise.withResolvers<void>();
  let met = false;
  const end = await runPool({
    tasks: [1, 2, 3],
    width: 2,
    cap: { met: () => met } as never,
    doing: (task) => `doing ${task}`,
    async run(task) {
      if (task === 1) {
        await release.promise;
        finished.push(task);
        return;
      }
      met = true;
      setImmediate(release.resolve);
      throw new Failure("limit-met", "The limit is met.");
    },
  });
  expect(finished).toEqual([1]);
  expect(end).toEqual({ fatal: null, capped: true, cancelled: false });
});

test("the caller's signal ends the pool, and an error that is not a Failure names what was done", async () => {
  const controller = new AbortController();
  const cancelled = await runPool({
    tasks: [1, 2],
    width: 1,
    signal: controller.signal,
    doing: String,
    run: async () => controller.abort(),
  });
  expect(cancelled).toEqual({ fatal: null, capped: false, cancelled: true });
  const broken = await runPool({
    tasks: [1],
    width: 1,
    doing: (task) => `asking sample q${task}`,
    run: () => Promise.reject(new TypeError("x is not a function")),
  });
  expect(broken.fatal?.message).toContain("asking sample q1: x is not a function");
});
