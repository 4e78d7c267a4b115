import fc from "fast-check";
import { expect, test } from "vitest";
import { findQuantities, sameQuantity } from "../../../tools/mathematics/quantities.ts";
import { sayNumber } from "../../support/unseen/say-number.ts";

const read = (text: string) => findQuantities(text).map(({ base, dimension }) => [base, dimension]);

test.each([
  ["8 hundred students", [[800, null]]],
  ["2 thousand 40", [[2040, null]]],
  ["one thousand two hundred grams", [[1.2, "mass"]]],
  [
    "1,200 or 1.2e3 or 1.2 x 10^3",
    [
      [1200, null],
      [1200, null],
      [1200, null],
    ],
  ],
  ["1 234 567", [[1234567, null]]],
  ["two and a half kilometres", [[2500, "length"]]],
  ["an hour and a half", [[5400, "time"]]],
  ["a quarter of an hour", [[900, "time"]]],
  ["2 hours 30 minutes", [[9000, "time"]]],
  [
    "three quarters, two thirds, 1 1/2, ½",
    [
      [0.75, null],
      [2 / 3, null],
      [1.5, null],
      [0.5, null],
    ],
  ],
  [
    "the twenty-first of May, the 3rd",
    [
      [21, null],
      [3, null],
    ],
  ],
  [
    "25 per cent, 6.5 %",
    [
      [25, "percent"],
      [6.5, "percent"],
    ],
  ],
  [
    "nineteen eighty-four, eighteen oh five, 1990s",
    [
      [1984, null],
      [1805, null],
      [1990, null],
    ],
  ],
  [
    "half past seven, 7:30 pm, quarter to nine",
    [
      [450, "clock"],
      [1170, "clock"],
      [525, "clock"],
    ],
  ],
  [
    "minus forty degrees, -39 °C",
    [
      [-40, "temperature"],
      [-39, "temperature"],
    ],
  ],
  [
    "pages 10-15",
    [
      [10, null],
      [15, null],
    ],
  ],
  [
    "$5.50, 3.5 million euros, 50k",
    [
      [5.5, "money"],
      [3.5e6, "money"],
      [50_000, null],
    ],
  ],
  ["two litres a day", [[0.002, "volume"]]],
  ["H2O, version 1.2.3, A4", []],
] as const)("%s", (text, expected) => {
  const found = read(text);
  expect(found.map(([, dimension]) => dimension)).toEqual(
    expected.map(([, dimension]) => dimension),
  );
  for (const [place, [base]] of expected.entries()) expect(found[place]?.[0]).toBeCloseTo(base, 9);
});

test("quantities are compared with their units", () => {
  const same = (a: string, b: string) => {
    const [[one], [other]] = [findQuantities(a), findQuantities(b)];
    return one !== undefined && other !== undefined && sameQuantity(one, other);
  };
  expect(same("1.5 km", "1500 metres")).toBe(true);
  expect(same("90 minutes", "an hour and a half")).toBe(true);
  expect(same("75 %", "three quarters")).toBe(true);
  expect(same("5 kg", "5 cm")).toBe(false);
  expect(same("£5", "five pounds")).toBe(true);
  expect(same("800", "8 hundred students")).toBe(true);
  expect(same("5,200,000", "5,200,001")).toBe(false);
});

test("a number is read as it is said", () => {
  const number = fc.oneof(
    fc.integer({ min: 0, max: 9_999_999 }),
    fc.integer({ min: 2, max: 900 }).map((n) => n + 0.5),
    fc.integer({ min: 2, max: 9_999 }).map((n) => n / 100),
  );
  fc.assert(
    fc.property(
      number,
      fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
      (n, draws) => {
        const said = sayNumber(n, () => draws.next().value ?? 0);
        const [found, ...more] = findQuantities(`There are ${said} trees`);
        expect(more, said).toEqual([]);
        expect(found?.value, said).toBeCloseTo(n, 6);
      },
    ),
  );
});

const PIECES = "1|2,|000|.5|/4| |half|and a |-|km|°|hundred |€|é|½|e3|a |to |:30|pm|\n|\ud800";
const piece = fc.constantFrom(...PIECES.split("|"));

test("any text is read without an error, and quantities do not overlap", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join("");
      let end = 0;
      for (const quantity of findQuantities(text)) {
        expect(quantity.start).toBeGreaterThanOrEqual(end);
        expect(quantity.end).toBeGreaterThan(quantity.start);
        end = quantity.end;
      }
    }),
  );
});
