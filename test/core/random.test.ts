import fc from "fast-check";
import { expect, test } from "vitest";
import { seeded, shuffle } from "../../src/core/random.ts";

const draw = (random: () => number, count: number) => Array.from({ length: count }, random);

test("a stream depends only on its seed", () => {
  expect(draw(seeded("a", 1), 5)).toEqual(draw(seeded("a", 1), 5));
  expect(draw(seeded("a", 1), 5)).not.toEqual(draw(seeded("a", 2), 5));
  expect(draw(seeded("a1"), 5)).not.toEqual(draw(seeded("a", 1), 5));
});

test("numbers fill [0, 1) evenly", () => {
  const bins = new Array<number>(10).fill(0);
  for (const number of draw(seeded("even"), 100_000)) {
    expect(number >= 0 && number < 1).toBe(true);
    bins[Math.floor(number * 10)] = (bins[Math.floor(number * 10)] ?? 0) + 1;
  }
  // Six standard deviations of a binomial count.
  for (const count of bins) expect(Math.abs(count - 10_000)).toBeLessThan(570);
});

test("shuffling keeps the items and does not change the original", () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer(), (items, seed) => {
      const before = [...items];
      const after = shuffle(items, seeded(seed));
      expect(items).toEqual(before);
      expect(after.sort((a, b) => a - b)).toEqual(before.sort((a, b) => a - b));
    }),
  );
});

test("every order of three is equally likely", () => {
  const random = seeded("orders");
  const counts = new Map<string, number>();
  for (let i = 0; i < 60_000; i++) {
    const order = shuffle([1, 2, 3], random).join("");
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  expect([...counts.keys()].sort()).toEqual(["123", "132", "213", "231", "312", "321"]);
  for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(550);
});
