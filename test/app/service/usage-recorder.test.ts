import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { createUsageRecorder } from "../../../src/app/service/usage-recorder.ts";
import { Failure } from "../../../src/core/errors.ts";
import type { UsageEntry } from "../../../src/core/usage-ledger.ts";

const OF = { owner: "ann", strategy: "rrd", model: "m" };
const CALL = { calls: 1, frames: 2, input: 10, output: 3, cost: 0.5, paid: 0.25 };

/** A ledger that takes some time, as one in another process does, and refuses its first `refused` writes. */
function slowLedger(refused = 0) {
  const written: UsageEntry[] = [];
  const batches: string[] = [];
  let writes = 0;
  return {
    written,
    batches,
    async addUsage(entries: readonly UsageEntry[], batch: string): Promise<void> {
      batches.push(batch);
      const refuses = writes++ < refused;
      await wait(2);
      for (const entry of entries) {
        await wait(1);
        if (!refuses) written.push(entry);
      }
      await wait(2);
      if (refuses) throw new Failure("disk-full", "The disk is full.");
    },
  };
}

test("each call counts once, whatever is being written when it comes", async () => {
  const ledger = slowLedger();
  const recorder = createUsageRecorder(ledger);
  const added = [recorder.question(OF)];
  for (let n = 1; n <= 20; n++) {
    added.push(recorder.call({ ...OF, model: `m${n}` }, CALL));
    if (n % 4 === 0) await wait(1);
  }
  await Promise.all(added);
  expect(ledger.written.map(({ model }) => model)).toEqual([
    "m",
    ...Array.from({ length: 20 }, (_, n) => `m${n + 1}`),
  ]);
  expect(ledger.written[0]).toMatchObject({ owner: "ann", questions: 1, calls: 0 });
  const { frames: _frames, ...amounts } = CALL;
  expect(ledger.written[1]).toMatchObject({ ...amounts, questions: 0, unpriced: 0 });
});

test("what the ledger refuses is written with the next call, in order and once", async () => {
  const ledger = slowLedger(1);
  const recorder = createUsageRecorder(ledger);
  const first = recorder.call({ ...OF, model: "m1" }, CALL);
  await expect(first).rejects.toMatchObject({ kind: "disk-full" });
  expect(ledger.written).toEqual([]);
  await recorder.call({ ...OF, model: "m2" }, CALL);
  expect(ledger.written.map(({ model }) => model)).toEqual(["m1", "m2"]);
  // The ledger may have added what it refused: it is the same batch, without the next call.
  const [refused, again, next] = ledger.batches;
  expect([again === refused, next === refused]).toEqual([true, false]);
  await recorder.settle();
  expect(ledger.written).toHaveLength(2);
});

test("what was refused is written at the end", async () => {
  const ledger = slowLedger(1);
  const recorder = createUsageRecorder(ledger);
  await expect(recorder.call(OF, CALL)).rejects.toMatchObject({ kind: "disk-full" });
  await recorder.settle();
  expect(ledger.written).toHaveLength(1);
});
