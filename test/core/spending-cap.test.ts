import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createSpendingCap } from "../../src/core/spending-cap.ts";

test("A cap counts earlier payments, reserves calls in flight, and reports every payment", async () => {
  const told: number[] = [];
  const cap = createSpendingCap(1, 0.4, (dollars) => told.push(dollars));
  const first = await cap.reserve(0.3);
  const second = await cap.reserve(0.3);
  const refused = cap.reserve(0.1, { waits: false });
  await expect(refused).rejects.toThrow(/limit of \$1 .*\$0\.4000 is paid/);
  expect(cap.met()).toBe(true);
  await first.settle(0.1);
  await second.settle(0);
  expect(cap.paid()).toBeCloseTo(0.5, 12);
  expect(told).toEqual([0.1]);
  await (await cap.reserve(0.5)).settle(0.7);
  // More than was reserved: the overshoot is what was in flight.
  expect(cap.paid()).toBeCloseTo(1.2, 12);
  await expect(cap.reserve(0.001)).rejects.toThrow(/limit/);
});

test("A run above its limit sends nothing, and a run without a limit is never refused", async () => {
  await expect(createSpendingCap(1, 3).reserve(0.01)).rejects.toThrow(/limit/);
  const free = createSpendingCap(null, 3);
  await (await free.reserve(1e9)).settle(2);
  expect([free.paid(), free.met()]).toEqual([5, false]);
});

test("A call that fits without what is reserved waits for calls in flight, in turn", async () => {
  const cap = createSpendingCap(1);
  const order: string[] = [];
  const [first, second] = [await cap.reserve(0.6), await cap.reserve(0.4)];
  const waiting = ["third", "fourth"].map(async (name) => {
    const reserved = await cap.reserve(0.5);
    order.push(name);
    return reserved;
  });
  const never = cap.reserve(1.1);
  await expect(never).rejects.toMatchObject({ kind: "limit-met" });
  await first.settle(0.1);
  const third = await waiting[0];
  expect(order).toEqual(["third"]);
  await second.settle(0.1);
  await third?.settle(0.2);
  await (await waiting[1])?.settle(0.5);
  expect([cap.paid(), order]).toEqual([0.9, ["third", "fourth"]]);
  // Nothing is in flight that could leave room.
  await expect(cap.reserve(0.5)).rejects.toMatchObject({ kind: "limit-met" });
});

test("Calls that begin in the same tick wait for each other, also within the cap of a sweep", async () => {
  const sweep = createSpendingCap(1);
  const runs = [1, 2].map(() => createSpendingCap(0.9, 0, undefined, sweep));
  const calls = Array.from({ length: 12 }, async (_, index) => {
    const reserved = await runs[index % 2]?.reserve(0.6);
    await sleep(2);
    await reserved?.settle(0.01);
  });
  await Promise.all(calls);
  expect(runs.map((cap) => cap.paid().toFixed(2))).toEqual(["0.06", "0.06"]);
  expect(sweep.paid()).toBeCloseTo(0.12, 12);
  expect(runs.map((cap) => cap.met())).toEqual([false, false]);
});

test("A call that its sweep refuses frees what it had reserved for others of its run", async () => {
  const sweep = createSpendingCap(0.5);
  const run = createSpendingCap(1, 0, undefined, sweep);
  const tried = await Promise.allSettled([run.reserve(0.6), run.reserve(0.45)]);
  expect(tried.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
});

test("An abort ends the waiting, and reserves nothing", async () => {
  const cap = createSpendingCap(1);
  const first = await cap.reserve(0.9);
  const abort = new AbortController();
  const waiting = cap.reserve(0.5, { signal: abort.signal });
  abort.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow("stopped");
  await first.settle(0);
  await (await cap.reserve(1)).settle(1);
  expect([cap.paid(), cap.met()]).toEqual([1, false]);
});
