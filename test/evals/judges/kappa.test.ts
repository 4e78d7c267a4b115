import fc from "fast-check";
import { expect, test } from "vitest";
import {
  cohenKappa,
  confusion,
  kappaBootstrap,
  type RatedPair,
} from "../../../evals/judges/kappa.ts";
import { seeded } from "../../../src/core/random.ts";

test("kappa by hand: 35 of 50 equal where chance gives 25", () => {
  // Rows 25/25, columns 30/20: expected (25*30 + 25*20) / 2500 = 0.5; (0.7 - 0.5) / 0.5.
  const { n, observed, expected, kappa } = cohenKappa([
    [20, 5],
    [10, 15],
  ]);
  expect([n, observed, expected, kappa].map((value) => Number(value?.toFixed(12)))).toEqual([
    50, 0.7, 0.5, 0.4,
  ]);
});

test("kappa by hand, three categories used unequally", () => {
  // Rows 80, 10, 10, columns 80, 5, 15 of 100: expected 0.64 + 0.005 + 0.015 = 0.66; (0.89 - 0.66) / 0.34.
  const { kappa } = cohenKappa([
    [75, 1, 4],
    [5, 4, 1],
    [0, 0, 10],
  ]);
  expect(kappa).toBeCloseTo(23 / 34, 12);
});

const table = fc
  .integer({ min: 2, max: 6 })
  .chain((k) =>
    fc.array(fc.array(fc.nat(12), { minLength: k, maxLength: k }), { minLength: k, maxLength: k }),
  )
  .filter((counts) => counts.flat().some((count) => count > 0));

test("the standard error is the delta method's for any table", () => {
  fc.assert(
    fc.property(table, (counts) => {
      const n = counts.flat().reduce((sum, count) => sum + count, 0);
      const { kappa, se, expected } = cohenKappa(counts);
      if (kappa === null || se === null || expected > 0.99) return;
      // Gradient of kappa in each share by central differences, and the variance of a multinomial through it.
      const step = 1e-6;
      const moved = (i: number, j: number, by: number) =>
        unnormalised(
          counts.map((row, a) => row.map((count, b) => count / n + (a === i && b === j ? by : 0))),
        );
      let first = 0;
      let second = 0;
      for (const [i, row] of counts.entries())
        for (const [j, count] of row.entries()) {
          const gradient = (moved(i, j, step) - moved(i, j, -step)) / (2 * step);
          first += (count / n) * gradient ** 2;
          second += (count / n) * gradient;
        }
      expect(se).toBeCloseTo(Math.sqrt(Math.max(0, first - second ** 2) / n), 3);
    }),
    { numRuns: 200 },
  );
});

/** Kappa as a function of free shares, which need not add up to 1. */
function unnormalised(p: number[][]): number {
  const rows = p.map((row) => row.reduce((sum, share) => sum + share, 0));
  const columns = p.map((_, j) => p.reduce((sum, row) => sum + (row[j] ?? 0), 0));
  const observed = p.reduce((sum, row, i) => sum + (row[i] ?? 0), 0);
  const expected = rows.reduce((sum, share, i) => sum + share * (columns[i] ?? 0), 0);
  return (observed - expected) / (1 - expected);
}

test("raters can be swapped and categories renamed; full agreement is 1; a single category has no kappa", () => {
  fc.assert(
    fc.property(table, (counts) => {
      const found = cohenKappa(counts);
      const swapped = cohenKappa(counts.map((_, i) => counts.map((row) => row[i] ?? 0)));
      const renamed = cohenKappa(counts.toReversed().map((row) => row.toReversed()));
      for (const other of [swapped, renamed])
        if (found.kappa === null) expect(other.kappa).toBeNull();
        else {
          expect(other.kappa).toBeCloseTo(found.kappa, 9);
          expect(other.se).toBeCloseTo(found.se ?? Number.NaN, 6);
        }
      if (found.kappa !== null) {
        expect(found.kappa).toBeGreaterThanOrEqual(-1);
        expect(found.kappa).toBeLessThanOrEqual(1 + 1e-12);
      }
      const diagonal = counts.map((row, i) => row.map((_, j) => (i === j ? i + 1 : 0)));
      expect(cohenKappa(diagonal).kappa).toBeCloseTo(1, 12);
    }),
  );
  expect(
    cohenKappa([
      [7, 0],
      [0, 0],
    ]),
  ).toMatchObject({ kappa: null, se: null, low: null, high: null });
  expect(() => cohenKappa([[1, 2]])).toThrow(expect.objectContaining({ kind: "wrong-usage" }));
  expect(() =>
    cohenKappa([
      [0, 0],
      [0, 0],
    ]),
  ).toThrow(expect.objectContaining({ kind: "wrong-usage" }));
});

const TYPES = ["x", "y", "z"] as const;
type Type = (typeof TYPES)[number];

/** Two raters who agree on a share of the items and else draw for themselves: kappa is that share. */
function drawn(seed: string, items: number, share: number): RatedPair<Type>[] {
  const random = seeded("raters", seed);
  const draw = () => TYPES[Math.floor(random() * TYPES.length)] as Type;
  return Array.from({ length: items }, (_, index) => {
    const a = draw();
    return { a, b: random() < share ? a : draw(), cluster: String(index) };
  });
}

test("simulation: both intervals contain the true kappa as often as stated", () => {
  const truth = 0.5;
  const runs = 300;
  const held = { bootstrap: 0, asymptotic: 0 };
  for (let run = 0; run < runs; run++) {
    const pairs = drawn(String(run), 60, truth);
    const { low, high } = cohenKappa(confusion(pairs, TYPES));
    const resampled = kappaBootstrap(pairs, TYPES, { seed: run, draws: 300 });
    const holds = (from: number | null, to: number | null) =>
      Number(from !== null && to !== null && from <= truth && truth <= to);
    held.asymptotic += holds(low, high);
    held.bootstrap += holds(resampled.low, resampled.high);
  }
  for (const count of Object.values(held)) {
    expect(count / runs).toBeGreaterThan(0.9);
    expect(count / runs).toBeLessThan(0.99);
  }
});

test("the bootstrap resamples whole videos, is repeatable by seed, and counts draws without a kappa", () => {
  const pairs = drawn("fixed", 40, 0.6);
  const once = kappaBootstrap(pairs, TYPES, { seed: 3, draws: 500 });
  expect(kappaBootstrap(pairs, TYPES, { seed: 3, draws: 500 })).toEqual(once);
  expect(kappaBootstrap(pairs, TYPES, { seed: 4, draws: 500 })).not.toEqual(once);
  // Each item four times in its own video: no more is known than from the items once.
  const repeated = pairs.flatMap((pair) => [pair, pair, pair, pair]);
  const same = kappaBootstrap(repeated, TYPES, { seed: 3, draws: 500 });
  expect([same.low, same.high]).toEqual(
    [once.low, once.high].map((bound) => expect.closeTo(bound ?? 0, 9)),
  );
  const one = pairs.map((pair) => ({ ...pair, cluster: "one" }));
  expect(kappaBootstrap(one, TYPES, { seed: 3, draws: 10 })).toMatchObject({
    low: null,
    high: null,
  });
  const alike: RatedPair<Type>[] = [
    { a: "x", b: "x", cluster: "1" },
    { a: "y", b: "y", cluster: "2" },
  ];
  const few = kappaBootstrap(alike, TYPES, { seed: 1, draws: 400 });
  // Two of four draws hold one video twice, and so one category alone.
  expect(few.undefined_draws / few.draws).toBeCloseTo(0.5, 1);
  expect([few.low, few.high]).toEqual([1, 1]);
});
