import { expect, test } from "vitest";
import { createSpendingCap } from "../../src/core/spending-cap.ts";

test("A cap counts earlier payments, reserves calls in flight, and reports every payment", async () => {
  const told: number[] = [];
  const cap = createSpendingCap(1, 0.4, (dollars) => told.push(dollars));
  const first = await cap.reserve(0.3);
  const second = await cap.reserve(0.3);
  await expect(cap.reserve(0.1)).rejects.toThrow(/limit of \$1 .*\$0\.4000 is paid/);
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
