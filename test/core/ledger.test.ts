import fc from "fast-check";
import { expect, test } from "vitest";
import { createLedger, NO_BUDGET, type Reservation, type Spend } from "../../src/core/ledger.ts";

const ONE: Spend = { calls: 1, frames: 4, tokens: 100, cost: 0.1 };

function reserved(result: Reservation | { refused: string }): Reservation {
  if ("refused" in result) throw new Error(`refused: ${result.refused}`);
  return result;
}

test("calls in flight count before they are settled", () => {
  const ledger = createLedger({ ...NO_BUDGET, calls: 2 });
  const first = reserved(ledger.reserve(ONE));
  reserved(ledger.reserve(ONE));
  expect(ledger.reserve(ONE)).toEqual({ refused: "calls" });
  expect(ledger.spent()).toMatchObject({ calls: 0, frames: 0 });
  first.release();
  expect(ledger.left().calls).toBe(1);
  reserved(ledger.reserve(ONE));
  expect(ledger.met()).toEqual(["calls"]);
});

test.each([
  ["calls", { calls: 1 }],
  ["frames", { frames: 7 }],
  ["tokens", { tokens: 199 }],
  ["cost", { cost: 0.19 }],
] as const)("the second call is refused by the limit on %s", (limit, ceiling) => {
  const ledger = createLedger({ ...NO_BUDGET, ...ceiling });
  reserved(ledger.reserve(ONE)).settle(ONE);
  expect(ledger.reserve(ONE)).toEqual({ refused: limit });
  expect(ledger.met()).toEqual([limit]);
});

test("a limit of seconds refuses new calls and lets running ones finish", () => {
  let now = 1_000;
  const ledger = createLedger({ ...NO_BUDGET, seconds: 5 }, () => now);
  const running = reserved(ledger.reserve(ONE));
  now = 6_000;
  expect(ledger.reserve(ONE)).toEqual({ refused: "seconds" });
  running.settle(ONE);
  expect(ledger.spent()).toEqual({ ...ONE, seconds: 5 });
  expect(ledger.left().seconds).toBe(0);
});

test("a reservation is settled or released once", () => {
  const ledger = createLedger({ ...NO_BUDGET, calls: 3 });
  const only = reserved(ledger.reserve(ONE));
  only.settle({ ...ONE, tokens: 70 });
  only.settle(ONE);
  only.release();
  expect(ledger.spent()).toMatchObject({ calls: 1, tokens: 70 });
  expect(ledger.left().calls).toBe(2);
});

test("ten calls of ten cents fit into a dollar", () => {
  const ledger = createLedger({ ...NO_BUDGET, cost: 1 });
  for (let i = 0; i < 10; i++) reserved(ledger.reserve(ONE)).settle(ONE);
  expect(ledger.reserve(ONE)).toEqual({ refused: "cost" });
});

test("a call without a price makes the total unknown, not the spending of priced calls", () => {
  const ledger = createLedger({ ...NO_BUDGET, cost: 0.25 });
  reserved(ledger.reserve(ONE)).settle(ONE);
  const unpriced = { ...ONE, cost: null };
  reserved(ledger.reserve(unpriced)).settle(unpriced);
  expect(ledger.spent().cost).toBeNull();
  reserved(ledger.reserve(ONE)).settle(ONE);
  expect(ledger.reserve(ONE)).toEqual({ refused: "cost" });
});

test("no interleaving of calls within their estimates exceeds a limit", () => {
  const spend = fc.record({
    calls: fc.integer({ min: 0, max: 3 }),
    frames: fc.integer({ min: 0, max: 40 }),
    tokens: fc.integer({ min: 0, max: 5_000 }),
    cost: fc.option(fc.double({ min: 0, max: 2, noNaN: true }), { nil: null }),
  });
  const ceiling = (max: number) => fc.option(fc.integer({ min: 0, max }), { nil: null });
  const budget = fc.record({
    calls: ceiling(8),
    frames: ceiling(100),
    tokens: ceiling(20_000),
    seconds: fc.constant(null),
    cost: ceiling(5),
  });
  const steps = fc.array(
    fc.record({ spend, what: fc.constantFrom("reserve", "settle", "release"), which: fc.nat() }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(
      budget,
      steps,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (limits, moves, part) => {
        const ledger = createLedger(limits);
        const open: { foreseen: Spend; reservation: Reservation }[] = [];
        let known = 0;
        for (const { spend: foreseen, what, which } of moves) {
          if (what === "reserve") {
            const result = ledger.reserve(foreseen);
            if (!("refused" in result)) open.push({ foreseen, reservation: result });
            continue;
          }
          const [taken] = open.length > 0 ? open.splice(which % open.length, 1) : [];
          if (taken === undefined) continue;
          if (what === "release") taken.reservation.release();
          else {
            const cost = taken.foreseen.cost === null ? null : taken.foreseen.cost * part;
            known += cost ?? 0;
            taken.reservation.settle({
              calls: taken.foreseen.calls,
              frames: Math.floor(taken.foreseen.frames * part),
              tokens: Math.floor(taken.foreseen.tokens * part),
              cost,
            });
          }
          const spent = ledger.spent();
          expect(spent.calls).toBeLessThanOrEqual(limits.calls ?? Number.POSITIVE_INFINITY);
          expect(spent.frames).toBeLessThanOrEqual(limits.frames ?? Number.POSITIVE_INFINITY);
          expect(spent.tokens).toBeLessThanOrEqual(limits.tokens ?? Number.POSITIVE_INFINITY);
          expect(known).toBeLessThanOrEqual((limits.cost ?? Number.POSITIVE_INFINITY) + 1e-6);
        }
      },
    ),
  );
});
