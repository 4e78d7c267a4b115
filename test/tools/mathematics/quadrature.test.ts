import fc from "fast-check";
import { expect, test } from "vitest";
import { integralOf } from "../../../tools/mathematics/quadrature.ts";

test.each<[string, (x: number) => number, number, number, number]>([
  ["a bell over the whole line", (x) => Math.exp(-x * x), -Infinity, Infinity, Math.sqrt(Math.PI)],
  ["a decay without an end", (x) => Math.exp(-x), 0, Infinity, 1],
  ["a tail without a beginning", (x) => 1 / (x * x), -Infinity, -1, 1],
  ["no value at an end", (x) => 1 / Math.sqrt(x), 0, 1, 2],
  ["no value at the other", (x) => Math.log(1 - x), 0, 1, -1],
  ["a range told backwards", (x) => x, 2, 1, -1.5],
])("%s", (_, f, a, b, value) => {
  expect(integralOf(f, a, b)).toBeCloseTo(value, 6);
});

test.each<[string, (x: number) => number | null, number, number]>([
  ["one that grows for ever", (x) => 1 / x, 1, Infinity],
  ["one without values in the middle", (x) => (Math.abs(x) < 0.5 ? null : x), -1, 1],
  ["waves that never end", Math.sin, 0, Infinity],
])("%s has none", (_, f, a, b) => {
  expect(integralOf(f, a, b)).toBeNull();
});

test("polynomials equal the values of their antiderivatives", () => {
  const coefficient = fc.integer({ min: -9, max: 9 });
  const end = fc.integer({ min: -5, max: 5 });
  fc.assert(
    fc.property(fc.array(coefficient, { minLength: 1, maxLength: 6 }), end, end, (of, a, b) => {
      const f = (x: number) => of.reduce((sum, c, n) => sum + c * x ** n, 0);
      const F = (x: number) => of.reduce((sum, c, n) => sum + (c * x ** (n + 1)) / (n + 1), 0);
      const value = F(b) - F(a);
      expect(Math.abs((integralOf(f, a, b) ?? Number.NaN) - value)).toBeLessThan(
        1e-5 * Math.max(1, Math.abs(value)),
      );
    }),
  );
});
