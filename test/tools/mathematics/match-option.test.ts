import { afterAll, beforeAll, expect, test } from "vitest";
import { calculateInThread, closeEngine, warmEngine } from "../../../tools/mathematics/engine.ts";
import { formsOf, matchOption } from "../../../tools/mathematics/match-option.ts";

beforeAll(warmEngine);
afterAll(closeEngine);

/** The text of the option that equals the result of an expression; null if none or several do. */
async function matchOf(expression: string, texts: readonly string[]): Promise<string | null> {
  const options = texts.map((text, place) => ({ letter: "ABCDE"[place] ?? "", text }));
  const task = { do: "calculate", latex: expression, bindings: {} } as const;
  const matched = await matchOption(await calculateInThread(task), options);
  if (matched.letter === null) return null;
  expect(matched.how).toBe("equal");
  return options.find(({ letter }) => letter === matched.letter)?.text ?? null;
}

test.each([
  ["-1.5", ["-1 1/2", "-2 1/2", "1 1/2", "-1/2"], "-1 1/2"],
  ["-1.5", ["−1 1/2 m", "−2 1/2 m", "1 1/2 m"], "−1 1/2 m"],
  ["-5", ["−5", "5", "−5 1/2"], "−5"],
  ["4.5", ["4 and a half", "4", "5"], "4 and a half"],
  ["5000000", ["5 million", "5 thousand", "5"], "5 million"],
  ["60", ["5 dozen eggs", "6 dozen eggs"], "5 dozen eggs"],
  ["8\\pi", ["16 pi", "8 pi", "8"], "8 pi"],
  ["16\\pi", ["16π cm^2", "8π cm^2", "16 cm^2"], "16π cm^2"],
  ["25", ["5^2", "5", "2^5"], "5^2"],
  ["5", ["5 million", "5 and a half", "5 tenths", "5"], "5"],
  ["5", ["5 m/s^2", "6 m/s^2"], "5 m/s^2"],
  ["3", ["3 red apples", "4 red apples"], "3 red apples"],
  ["200", ["200 J", "20 J"], "200 J"],
  ["1200", ["1,200 people", "120 people"], "1,200 people"],
  ["20", ["20°C", "25°C"], "20°C"],
])("%s is one of the options %j", async (expression, texts, text) => {
  expect(await matchOf(expression, texts)).toBe(text);
});

test.each([
  ["\\frac{d}{dx} x^3", ["x^2", "3x^2", "2x^3"], "3x^2"],
  ["\\frac{d}{dx} 4 x^3", ["$12x^2$", "$12x^3$", "12"], "$12x^2$"],
  ["2 x \\cdot 3 y", ["6xy", "6", "5xy"], "6xy"],
  ["4 m^2", ["4 m^2", "4 m^3"], "4 m^2"],
])("the formula %s is one of the options %j", async (expression, texts, text) => {
  expect(await matchOf(expression, texts)).toBe(text);
});

test.each([
  ["2", ["2x^2", "3x^2"]],
  ["8", ["8 pi", "16 pi"]],
  ["2", ["2 sin x", "2 theta", "2 halves"]],
  ["1", ["1/x", "1/s", "1/2 at^2"]],
  ["3", ["3abc", "3 ln 2", "3X"]],
])("%s equals no option of %j", async (expression, texts) => {
  expect(await matchOf(expression, texts)).toBeNull();
});

test("a percentage is read in both meanings, without the commas of its thousands", () => {
  expect(formsOf("−1,200%")).toEqual(["-1200", "\\frac{-1200}{100}"]);
});
