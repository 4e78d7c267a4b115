import { expect, test } from "vitest";
import type { Sample } from "../../../evals/benchmarks/sample.ts";
import { number } from "../../../evals/scorers/number.ts";
import { readQuantity } from "../../../evals/scorers/read-quantity.ts";

const open = (answer: string): Sample => ({
  id: "q",
  video: "v.mp4",
  hasVideo: true,
  question: "?",
  task: "open",
  options: [],
  answer,
  row: {},
});

test.each([
  // Ordinal numbers of several words.
  ["the thirty-fifth floor", 35],
  ["twenty-first", 21],
  ["the one hundred and first", 101],
  ["two hundred and thirty-first", 231],
  ["the two hundredth", 200],
  ["two hundredths", 0.02],
  ["twenty third graders", 23],
  ["ten first graders", 10],
  ["the thirty-second floor", 32],
  ["a thirty-second clip", 30],
  // Powers with decimals, and of e.
  ["2^0.5", Math.SQRT2],
  ["10^1.5", 10 ** 1.5],
  ["4^(1/2)", 2],
  ["2^−3", 0.125],
  ["2e^{3}", 2 * Math.E ** 3],
  ["e^{2}", Math.E ** 2],
  ["\\frac{e}{2}", Math.E / 2],
  ["1.5e3", 1500],
  ["3e^{2x}", null],
  ["3e^(2x)", null],
  ["xe^{2}", null],
  ["1 - \\sqrt{2}", 1 - Math.SQRT2],
  ["(1+2)^10", 59049],
  // Angles in brackets.
  ["\\sin(30^\\circ)", 0.5],
  ["\\sin\\left(30^\\circ\\right)", 0.5],
  ["10\\cos(60^\\circ)", 5],
  ["\\cos 90^\\circ", 0],
  // Dashes and marks of lists are no signs.
  ["Answer — 12", 12],
  ["Final answer – 7 people", 7],
  ["Total — 5", 5],
  ["Total -- 5", 5],
  ["Count:\n- 12", 12],
  ["- 5 apples", 5],
  ["- **5** apples", 5],
  ["- \\frac{1}{2}", 0.5],
  ["**Answer** - 5", 5],
  ["frames 3 - 4", 4],
  ["x = - 5", -5],
  ["x = - \\frac{1}{2}", -0.5],
  ["Answer: - 5", -5],
  ["\\boxed{- 5}", -5],
  ["−5", -5],
  ["− 5", -5],
  ["(-5)", -5],
  ["minus 5", -5],
  ["temperature: –5", -5],
  ["\\pi - 3", Math.PI - 3],
  // Times of several units, in the unit of the first.
  ["2m30s", 2.5],
  ["2m 30s", 2.5],
  ["1h 30m", 1.5],
  ["100 m 10 s", 10],
  ["1 hr. 30 min.", 1.5],
  ["He ran 1 hour. 30 minutes later", 30],
  ["an hour and a half", 1.5],
  ["two hours and a half", 2.5],
  ["1 hour — 30 minutes", 30],
  ["1 hour/30 minutes", 30],
  // Commas.
  ["0,125", 0.125],
  ["100,125", 100125],
  ["₹1,00,000", 100000],
  ["العدد ١٬٢٣٤٫٥", 1234.5],
  ["१२ मीटर", 12],
  ["-۳۵", -35],
  ["1,23,456", 123456],
  ["1,00,00,000.5", 1e7 + 0.5],
  // Signs inside and outside of a fraction.
  ["-\\frac{-1}{2}", 0.5],
  ["−\\frac{-6}{2}", 3],
  ["\\frac{-1}{2}", -0.5],
  // Multiples.
  ["1 trillion", 1e12],
  ["$5M", 5e6],
  ["€2.5m", 2.5e6],
  ["£3bn", 3e9],
  ["$10K", 1e4],
  ["$5m$", 5],
  ["$5M and $3M", 3e6],
] as const)("the number in %j is %d", (text, value) => {
  const read = readQuantity(text);
  if (value === null) expect(read).toBeNull();
  else expect(read?.value).toBeCloseTo(value, 9);
});

test.each([
  // Micro is written with the sign U+00B5 or the letter U+03BC.
  ["5 \u00b5m", "5 m", 0],
  ["5 \u03bcm", "5 m", 0],
  ["20 µs", "20 s", 0],
  ["3 µg", "3 g", 0],
  ["1 \u00b5m", "1e-6 m", 1],
  ["1 \u03bcm", "0.001 mm", 1],
  ["5\\,\\mu\\text{m}", "5 µm", 1],
  ["2e^{3}", "2e^{5}", 0],
  // Products and powers of units in words.
  ["9.8 meters per second squared", "9.8 m/s^2", 1],
  ["9.8 meters per second squared", "9.8 m/s", 0],
  ["15 cm squared", "15 cm^2", 1],
  ["15 meters squared", "15 m", 0],
  ["15 metres cubed", "15 m³", 1],
  ["15 kg m/s", "15 kg·m/s", 1],
  ["15 kg m^2", "15 kg*m^2", 1],
  ["5 kg m/s", "5 kg", 0],
  ["12 m in the pool", "1200 cm", 1],
  ["5 kg apples", "5000 g", 1],
  ["The mass is 5 kg\nm is the mass", "5 kg", 1],
  // Times.
  ["2m30s", "150 s", 1],
  ["2m30s", "30 s", 0],
  ["a quarter of an hour", "15 minutes", 1],
  ["three quarters of an hour", "45 minutes", 1],
  ["an hour and a half", "90 min", 1],
  ["1 hr. 30 min.", "30 min", 0],
  ["90 seconds", "1:30", 1],
  ["1 minute 30 seconds", "1:30", 1],
  ["90", "1:30", 1],
  ["1:30:00", "90 minutes", 1],
  ["01:30", "1:30", 1],
  ["2:30", "1:15", 0],
  // A ratio that is no clock equals ratios only.
  ["2:3", "1:3", 0],
  ["16:9", "21:9", 0],
  ["10:1", "100:1", 0],
  ["The ratio is 2:3", "2:3", 1],
  ["4 : 6", "2:3", 1],
  ["2:4:6", "1:2:3", 1],
  ["2:3", "3", 0],
  ["The ratio is 2 to 3", "2:3", 1],
  ["2:3", "2 to 3", 1],
  ["from 2 to 3 minutes", "3 minutes", 1],
  ["1:50", "110", 1],
  ["1:50", "1:40", 0],
  ["Step 1: 5", "5", 1],
  ["$5M", "$5 million", 1],
] as const)("number: %j against %j is %d", (said, right, value) => {
  expect(number.score(said, open(right), {}).value).toBe(value);
});

test.each([
  ["It was 1999-12-05", "2024-01-05"],
  ["0-2", "3-2"],
  ["12", "10 to 12"],
  ["12 cm", "10–12 cm"],
  ["31 March 2024", "5 January 2024"],
  ["2024", "March 5th, 2024"],
  ["2020", "5.12.2020"],
])("number: %j is not %j, of which no single number is right", (said, right) => {
  const { value, explanation } = number.score(said, open(right), {});
  expect([value, explanation]).toEqual([
    0,
    expect.stringContaining(`right is ${right}, which is a date or a range and not one number`),
  ]);
  expect(number.score(`${right}.`, open(right), {}).value).toBe(1);
});

test.each(["-5", "1e-5", "2 to the 3", "12 cm", "1/2", "COVID-19", "Maybe 5"])(
  "number: %j is one number",
  (right) => {
    expect(number.score(right, open(right), {}).value).toBe(1);
  },
);

test("number: tells the ratio that it read", () => {
  expect(number.score("It is 2:3.", open("1:3"), {}).explanation).toBe("read as 2:3, right is 1:3");
});

test.each([
  ["5 m/s", "18 km/h", true],
  ["5 m/s", "5 km/h", false],
  ["1 hour", "60 minutes", true],
  ["1:30", "90 s", true],
  ["50%", "0.5", true],
  ["50%", "50", false],
  ["5", "five", true],
  ["5 m", "5 s", false],
  ["0.1 m", "10 cm", true],
  ["1/3", "0.33333333333333331", true],
  ["2:3", "4:6", true],
  ["2:3", "1:3", false],
  ["0", "-0", true],
  ["No idea.", "no idea", true],
] as const)("number: %j and %j are one answer in a majority vote: %s", (one, other, isSame) => {
  expect(number.key?.(one) === number.key?.(other)).toBe(isSame);
});

test("number: a long text is read in time", () => {
  readQuantity("\\sqrt{2}");
  for (const part of ["$1m", "- ", "1 : ", "5 km m^", "2e^{3}", "an hour and ", "1,00", "2m30s"]) {
    const start = performance.now();
    readQuantity(part.repeat(20_000 / part.length));
    expect(performance.now() - start, part).toBeLessThan(10_000);
  }
});
