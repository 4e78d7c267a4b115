import fc from "fast-check";
import { expect, test } from "vitest";
import { assignRaters } from "../../../evals/human-study/assign.ts";

const study = fc
  .tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 40 }), fc.nat())
  .chain(([raters, items, seed]) =>
    fc.record({
      raters: fc.constant(raters),
      per_item: fc.integer({ min: 1, max: raters }),
      seed: fc.constant(seed),
      options: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: items, maxLength: items }),
    }),
  );

test("every question has its number of different raters, and raters have equally many questions", () => {
  fc.assert(
    fc.property(study, ({ options, ...given }) => {
      const all = assignRaters(options, given);
      expect(all).toHaveLength(options.length * given.per_item);
      const loads = Array.from({ length: given.raters }, (_, rater) =>
        all.filter((one) => one.rater === rater),
      );
      const counts = loads.map((own) => own.length);
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      for (const own of loads) expect(new Set(own.map(({ item }) => item)).size).toBe(own.length);
      for (const [item, count] of options.entries()) {
        const of = all.filter((one) => one.item === item);
        expect(of).toHaveLength(given.per_item);
        // Different orders of the options, as far as there are enough.
        const orders = new Set(of.map(({ shift }) => shift));
        expect(orders.size).toBe(count < 2 ? 1 : Math.min(count, given.per_item));
        expect(of.every(({ shift }) => shift >= 0 && shift < Math.max(1, count))).toBe(true);
      }
      expect(assignRaters(options, given)).toEqual(all);
    }),
    { numRuns: 60 },
  );
});

test("pairs of raters share questions equally often, and orders differ between raters and seeds", () => {
  const options = new Array<number>(30).fill(4);
  const all = assignRaters(options, { raters: 4, per_item: 2, seed: 1 });
  const together = new Map<string, number>();
  for (const item of options.keys()) {
    const pair = all.filter((one) => one.item === item).map(({ rater }) => rater);
    const name = pair.sort().join(" ");
    together.set(name, (together.get(name) ?? 0) + 1);
  }
  expect([...together.values()].sort()).toEqual([5, 5, 5, 5, 5, 5]);
  const items = (rater: number) => all.filter((one) => one.rater === rater).map((one) => one.item);
  expect(items(0)).not.toEqual([...items(0)].sort((a, b) => a - b));
  expect(assignRaters(options, { raters: 4, per_item: 2, seed: 2 })).not.toEqual(all);
  expect(() => assignRaters(options, { raters: 1, per_item: 2, seed: 0 })).toThrow(/--per-item/);
});
