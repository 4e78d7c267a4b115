import { expect, test } from "vitest";
import { evaluateConstant } from "../../../tools/mathematics/evaluate-constant.ts";

test.each<[string, number | null]>([
  ["\\frac{\\sqrt{3}}{2}", Math.sqrt(3) / 2],
  ["\\sqrt[3]{8}", 2],
  ["2^{-\\frac{1}{2}}", null],
  ["2^{1/2}", Math.SQRT2],
  ["\\binom{5}{2}", 10],
  ["\\cos(60^{\\circ})", 0.5],
  ["2e^{3}", 2 * Math.E ** 3],
  ["\\frac{e}{2}", Math.E / 2],
  ["2e3", null],
  ["\\sqrt{-1}", null],
  ["\\frac{1}{0}", null],
  ["\\sqrt{x}", null],
  ["x:=5", null],
  ["9^{9^{9}}", null],
  ["2^{99999}", null],
  ["\\sum_{i=1}^{3}", null],
  ["1+".repeat(200), null],
])("the value of %j is %d", (latex, value) => {
  const found = evaluateConstant(latex);
  if (value === null) expect(found).toBeNull();
  else expect(found).toBeCloseTo(value, 12);
});
