import fc from "fast-check";
import { expect, test } from "vitest";
import type { Sample } from "../../../evals/benchmarks/sample.ts";
import { exact } from "../../../evals/scorers/exact.ts";
import { includes } from "../../../evals/scorers/includes.ts";
import { normaliseText } from "../../../evals/scorers/normalise-text.ts";
import { number } from "../../../evals/scorers/number.ts";
import { readQuantity } from "../../../evals/scorers/read-quantity.ts";

const open = (answer: string, accepts?: string[]): Sample => ({
  id: "q",
  video: "v.mp4",
  hasVideo: true,
  question: "?",
  task: "open",
  options: [],
  answer,
  ...(accepts === undefined ? {} : { accepts }),
  row: {},
});

test.each([
  // SQuAD and Inspect ignore case, white space and final punctuation.
  ["Paris.", "paris", 1],
  ["  the\n  Red   car! ", "The red car", 1],
  ["“42”", "42", 1],
  ["ｆｕｌｌ　width", "full width", 1],
  ["ﬁve", "five", 1],
  // SQuAD also removes articles and inner punctuation; this scorer keeps them.
  ["the red car", "red car", 0],
  ["mother-in-law", "mother in law", 0],
  // Signs, decimal points and percentages are not punctuation.
  ["-3", "3", 0],
  ["-3.", "-3", 1],
  [".5", "5", 0],
  ["50%", "50", 0],
  ["C++", "C", 0],
  ["$5", "5", 0],
  ["...", "!!!", 0],
  ["?", "?", 1],
  ["", "?", 0],
])("exact: %j against %j is %d", (said, right, value) => {
  expect(exact.score(said, open(right), {}).value).toBe(value);
});

test("exact: one of several references suffices, and no answer is wrong", () => {
  expect(exact.score("four", open("4", ["Four", "quatre"]), {})).toMatchObject({
    value: 1,
    explanation: "right is 4 or Four or quatre",
  });
  expect(exact.score(null, open("4", ["Four"]), {}).value).toBe(0);
});

test("normalising any text twice changes nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 30 }), (text) => {
      const once = normaliseText(text);
      expect(normaliseText(once)).toBe(once);
      if (/[\p{L}\p{N}]/u.test(once)) expect(normaliseText(`  “${text}”. `)).toBe(once);
    }),
  );
});

test.each([
  ["It is a red car.", "red", 1],
  ["The speed is reduced.", "red", 0],
  ["RED", "red", 1],
  ["There are 14 of them", "4", 0],
  ["about 3.5 metres", "3", 0],
  ["about 3.5 metres", "5", 0],
  ["1, 2, 3", "2", 1],
  ["chapter 3.", "3", 1],
  ["the café's door", "café", 1],
  ["黒い犬がいます", "犬", 1],
  ["anything", "", 0],
  ["Not red.", "red", 1],
])("includes: %j contains %j: %d", (said, right, value) => {
  expect(includes.score(said, open(right), {}).value).toBe(value);
});

test.each([
  ["72", 72],
  // The last of several numbers, as lm-eval reads GSM8K.
  ["He has 48 + 24 = 72 clips. #### 72", 72],
  ["$1,234.50", 1234.5],
  ["1,234,567", 1234567],
  ["1.234,5", 1234.5],
  ["3,5 m", 3.5],
  ["12 000 people", 12000],
  ["-7", -7],
  ["−7 °C", -7],
  ["between 3-4", 4],
  ["2/3", 2 / 3],
  ["1 1/2 cups", 1.5],
  ["½", 0.5],
  ["\\frac{3}{4}", 0.75],
  ["\\(\\dfrac{3}{4}\\)", 0.75],
  ["The answer is \\boxed{12} for 3 people", 12],
  ["3 \\times 10^{4}", 30000],
  ["1.5e-3", 0.0015],
  ["2.5 million", 2.5e6],
  ["twelve", 12],
  ["minus five", -5],
  ["one hundred and five apples", 105],
  ["**4** people", 4],
  ["10\\%", 10],
  ["none", null],
  // A power of a unit, an index and the digits of a name are no numbers.
  ["25 cm²", 25],
  ["25 cm^2", 25],
  ["8 m³", 8],
  ["8 m^{3}", 8],
  ["40 g of CO2", 40],
  ["70 g of CO₂", 70],
  ["H2O", null],
  ["x_1 = 7", 7],
  ["x^2", null],
  ["7 (option B2)", 7],
  // Powers.
  ["10^6", 1e6],
  ["10^{6}", 1e6],
  ["\\boxed{10^{6}}", 1e6],
  ["3 × 10⁸", 3e8],
  ["3*10^8 m/s", 3e8],
  ["1.5 × 10⁻³", 0.0015],
  ["2x10^3", 2000],
  ["2^{10}", 1024],
  ["5 \\times 2^{3}", 40],
  // Vulgar and LaTeX fractions.
  ["2½", 2.5],
  ["2 ¾ cups", 2.75],
  ["\\frac12", 0.5],
  ["\\frac1{72}", 1 / 72],
  ["-\\frac{1}{2}", -0.5],
  ["2\\frac{1}{2}", 2.5],
  // Expressions have a value, or none.
  ["\\frac{\\sqrt{3}}{2}", Math.sqrt(3) / 2],
  ["\\boxed{\\frac{\\sqrt{5}}{2}}", Math.sqrt(5) / 2],
  ["\\frac{1+\\sqrt{5}}{2}", (1 + Math.sqrt(5)) / 2],
  ["2√3 cm", 2 * Math.sqrt(3)],
  ["25\\pi", 25 * Math.PI],
  ["\\log_2 8", 3],
  ["\\sin 30^\\circ", 0.5],
  ["\\frac{x}{2}", null],
  ["\\sqrt{x}", null],
  ["9 or \\sqrt{n}", null],
  ["\\pi r^2", null],
  ["\\sqrt{\\frac{\\frac{\\sqrt{9}}{3}}{4}}", 0.5],
  ["\\sqrt{\\sqrt{\\sqrt{\\sqrt{\\sqrt{\\sqrt{7}}}}}} 5", null],
  ["\\boxed{9^{9^{9}}}", null],
  // Unicode hyphens and minus signs.
  ["‐5", -5],
  ["‑5", -5],
  ["minus 5", -5],
  // Fractions and numbers in words.
  ["two thirds", 2 / 3],
  ["one half", 0.5],
  ["a third", 1 / 3],
  ["three-quarters", 0.75],
  ["seven tenths", 0.7],
  ["two and a half", 2.5],
  ["half a million", 5e5],
  ["Of the 12 eggs, two thirds", 2 / 3],
  ["the third person", 3],
  ["3 hundred", 300],
  // Parts of one quantity are added.
  ["1 hour 30 minutes", 1.5],
  ["1h30min", 1.5],
  ["2 h 15", 2.25],
  ["4 minutes and 30 seconds", 4.5],
  ["5 feet 3 inches", 5.25],
  ["5'3\"", 5.25],
  ["2 boys and 3 girls", 3],
  ["1:30", 90],
  ["1.000.000", 1e6],
  ["US$5", 5],
  ["1/0", null],
])("the number in %j is %d", (text, value) => {
  const read = readQuantity(text);
  if (value === null) expect(read).toBeNull();
  else expect(read?.value).toBeCloseTo(value, 9);
});

test.each([
  ["4", "4", undefined, 1],
  ["4.0", "4", undefined, 1],
  ["4.01", "4", undefined, 0],
  ["4.01", "4", 0.01, 1],
  ["4.011", "4", 0.01, 0],
  ["101", "100", "1%", 1],
  ["101.1", "100", "1%", 0],
  ["-101", "-100", "1%", 1],
  ["0.1", "0", "5%", 0],
  ["50%", "50", undefined, 1],
  ["50%", "0.5", undefined, 1],
  ["0.5", "50 %", undefined, 1],
  ["0.5%", "50%", undefined, 0],
  ["120 cm", "1.2 m", undefined, 1],
  ["12 cm", "12 m", undefined, 0],
  ["12", "12 m", undefined, 1],
  ["12 s", "12 m", undefined, 0],
  ["90 seconds", "1.5 minutes", undefined, 1],
  ["12 apples", "12 pears", undefined, 1],
  ["36 cm²", "25 cm²", undefined, 0],
  ["100 cm^2", "25 cm^2", undefined, 0],
  ["25 cm", "25 cm²", undefined, 0],
  ["0.0025 m²", "25 cm^2", undefined, 1],
  ["27 m³", "8 m³", undefined, 0],
  ["1000 cm³", "1 litre", undefined, 1],
  ["5 km/s", "5 km/h", undefined, 0],
  ["5 km per hour", "5 km/h", undefined, 1],
  ["5 kilometres an hour", "5 km/h", undefined, 1],
  ["10 m/s", "36 km/h", undefined, 1],
  ["$5$ km/s", "\\(5\\) km/h", undefined, 0],
  ["9.8 m s^{-2}", "9.8 \\text{m/s}^2", undefined, 1],
  ["30 minutes", "1 hour 30 minutes", undefined, 0],
  ["90 minutes", "1 hour 30 minutes", undefined, 1],
  ["half an hour", "30 min", undefined, 1],
  ["five minutes", "5 hours", undefined, 0],
  ["63 inches", "5 feet 3 inches", undefined, 1],
  ["There are 7 in the box", "7 kg", undefined, 1],
  ["\\boxed{\\frac{\\sqrt{5}}{2}}", "\\frac{\\sqrt{3}}{2}", undefined, 0],
  ["√3/2", "\\frac{\\sqrt{3}}{2}", undefined, 1],
  ["0.866", "\\frac{\\sqrt{3}}{2}", "1%", 1],
  ["2:30", "1:30", undefined, 0],
  ["two thirds", "2/3", undefined, 1],
  ["70 g of CO2", "40 g of CO2", undefined, 0],
  ["no idea", "4", undefined, 0],
  ["4", "many", undefined, 0],
] as const)("number: %j against %j with tolerance %s is %d", (said, right, tolerance, value) => {
  const settings = tolerance === undefined ? {} : { tolerance };
  expect(number.score(said, open(right), settings).value).toBe(value);
});

test("number: says if no number can be read", () => {
  expect(number.score("\\sqrt{n}", open("\\sqrt{m}"), {})).toEqual({
    value: 0,
    answer: "\\sqrt{n}",
    explanation:
      "no number could be read in the answer, right is \\sqrt{m}, in which no number could be read",
  });
});

test("number: any number that JavaScript prints is read back", () => {
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
      fc.constantFrom("It is %.", "%", "The answer is **%**", "\\boxed{%}", "x = %"),
      (value, sentence) => {
        const text = sentence.replace("%", String(value));
        expect(number.score(text, open(String(value)), {}).value).toBe(1);
      },
    ),
  );
});

test.each(["* ", "_", "```", "[", "\n-"])(
  "a text with a long run of %j is stripped in little time",
  (piece) => {
    const began = performance.now();
    const text = `x${piece.repeat(100_000 / piece.length)}y`;
    expect(normaliseText(text).endsWith("y")).toBe(true);
    expect(performance.now() - began).toBeLessThan(2000);
  },
);
