import fc from "fast-check";
import { expect, test } from "vitest";
import {
  findArithmetic,
  OPEN,
  readEquation,
  readExpression,
  written,
} from "../../../tools/mathematics/parse-arithmetic.ts";
import {
  evaluateStated as evaluate,
  reopened,
  solveStated as solve,
} from "../../../tools/mathematics/stated-arithmetic.ts";

test.each([
  ["2x + 3 = 11", "x", 4],
  ["2x=8", "x", 4],
  ["3(y-2) = y/2 + 1", "y", 2.8],
  ["7 − t = 2t + 1", "t", 2],
  ["e + 1 = 3", "e", 2],
  ["Solve: 0.5n = 3", "n", 6],
  ["2 × k ÷ 4 = 1,000", "k", 2000],
])("%s is solved", async (line, unknown, value) => {
  const equation = readEquation(line);
  expect(equation?.unknown).toBe(unknown);
  expect(equation && (await solve(equation))).toBeCloseTo(value);
});

test.each(["x² = 9", "x = x", "x = x + 1", "3 = 4", "x^2 = -1"])(
  "%s has no unique solution",
  async (line) => {
    const equation = readEquation(line);
    expect(equation && (await solve(equation))).toBeNull();
  },
);

test.each([
  "hello = 3",
  "x + y = 3",
  "2x + = 3",
  "(x = 3",
  "1/2x = 3",
  "a = b = c",
  "x^n = 2",
  "((((9^9)^9)^9)^9)^9 = x",
  `${"1+".repeat(60)}1 = x`,
])("%s is not read: it is beyond small mathematics, or none", (line) => {
  expect(readEquation(line)).toBeNull();
});

test.each([
  ["We need 12 x 4 eggs", "12 × 4", 48, " eggs"],
  ["three plus four", "3 + 4", 7, ""],
  ["twenty-one times two", "21 × 2", 42, ""],
  ["It is (2+3)*4 in all.", "(2 + 3) × 4", 20, " in all."],
])("%s states arithmetic", async (text, expected, value, after) => {
  const [found] = findArithmetic(text);
  expect(found && written(found.expression)).toBe(expected);
  expect(found?.after).toBe(after);
  expect(found && (await evaluate(found.expression))).toBe(value);
});

test("a list, a version and a division by zero have no value", async () => {
  expect(findArithmetic("take 3, 4 and 5 of v1.2-3")).toEqual([]);
  const [zero] = findArithmetic("1/0");
  expect(zero && (await evaluate(zero.expression))).toBeNull();
});

test("a line with an integer solution is solved with any numbers", async () => {
  const small = fc.integer({ min: 1, max: 99 });
  await fc.assert(
    fc.asyncProperty(small, small, small, async (a, b, x) => {
      const equation = readEquation(`${a}x + ${b} = ${a * x + b}`);
      expect(equation && (await solve(equation))).toBeCloseTo(x);
    }),
    { numRuns: 40 },
  );
});

test("no text makes the reader throw, and its results can be written and read again", () => {
  fc.assert(
    fc.property(fc.string(), fc.stringMatching(/^[-+*/^()x0-9 ]{0,20}$/), (any, close) => {
      findArithmetic(any);
      readEquation(any);
      const expression = readExpression(close);
      if (expression !== null)
        expect(readExpression(written(expression).replaceAll("×", "*"))?.tokens).toEqual(
          expression.tokens,
        );
    }),
  );
});

test.each([
  ["x*x", "x × x"],
  ["x/9*x", "x / 9 × x"],
  ["3*x", "3x"],
])("%s is written as %s, which is read as the same", (given, shown) => {
  const read = readExpression(given);
  expect(read && written(read)).toBe(shown);
  expect(readExpression(shown.replaceAll("×", "*"))?.tokens).toEqual(read?.tokens);
});

test.each([
  ["13 + 9 = 7", 22],
  ["13 + 7 = 22", 9],
  ["12 x 4 = ?", 48],
])("%s has a blank", async (line, value) => {
  const equation = readEquation(line);
  const open = equation && ((await reopened(equation)) ?? equation);
  expect(open?.unknown).toBe(OPEN);
  expect(open && (await solve(open))).toBe(value);
});

test.each(["3 + 4 = 7", "7 + 7 = 9", "7x = 9"])("%s does not", async (line) => {
  const equation = readEquation(line);
  expect(equation && (await reopened(equation))).toBeNull();
});
