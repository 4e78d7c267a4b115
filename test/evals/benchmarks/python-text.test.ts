import { expect, test } from "vitest";
import {
  firstInteger,
  numpyRoundedMean,
  pythonRound,
  pythonStrip,
  pythonWords,
  standaloneLetters,
} from "../../../evals/benchmarks/python-text.ts";

test("rounds to two decimals as Python does: binary value, ties to even", () => {
  // Values printed by Python 3.11's round(x, 2).
  expect([3.125, 9.375, 2.675, 1.005, 0.125, 33.333333, 100, 0].map(pythonRound)).toEqual([
    3.12, 9.38, 2.67, 1.0, 0.12, 33.33, 100, 0,
  ]);
});

test("rounds a mean as numpy does: summed pairwise, scaled, rounded to even", () => {
  // Values printed by round(np.average(x), 2) of numpy 2.4.
  expect(numpyRoundedMean([0.01, 0.02])).toBe(0.02);
  expect(numpyRoundedMean([0.02, 0.03])).toBe(0.02);
  expect(numpyRoundedMean([0.03, 0.04])).toBe(0.04);
  expect(numpyRoundedMean([23.33, 5.71, 13.33, 0, 3.12, 0, 13.79, 0, 30, 6.45, 0, 0])).toBe(7.98);
});

test("finds standalone letters by Python's word boundaries", () => {
  expect(standaloneLetters("I THINK (B), NOT C", "A-L")).toEqual(["I", "B", "C"]);
  expect(standaloneLetters("I'M SURE", "A-L")).toEqual(["I"]);
  expect(standaloneLetters("选B", "A-L")).toEqual([]);
  expect(standaloneLetters("选 B。", "A-L")).toEqual(["B"]);
  expect(standaloneLetters("A_B C2", "A-L")).toEqual([]);
});

test("accepts digits and white space of every script", () => {
  expect(firstInteger("clip ３１ of 4")).toBe(31);
  expect(firstInteger("٣")).toBe(3);
  expect(firstInteger("none")).toBeUndefined();
  expect(pythonWords(" a\u3000b\u001cc \n")).toEqual(["a", "b", "c"]);
});

test.each(["\n", " ", "\u3000"])(
  "a text with a long run of %j is stripped in little time",
  (piece) => {
    const began = performance.now();
    const text = `x${piece.repeat(100_000 / piece.length)}y`;
    expect(pythonStrip(text).endsWith("y")).toBe(true);
    expect(performance.now() - began).toBeLessThan(2000);
  },
);
