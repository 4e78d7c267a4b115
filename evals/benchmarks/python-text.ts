import { westernDigits } from "../../src/core/western-digits.ts";

/*
 * The released scorers are Python. Its white space, words, digits and rounding differ from JavaScript's. `official`
 * follows Python, so that every letter and decimal is the same.
 */

/** What Python's `\s`, `str.split()` and `str.strip()` treat as white space. */
export const PYTHON_SPACE =
  "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";

/** `str.split()`: the words between runs of white space. */
export function pythonWords(text: string): string[] {
  return text.split(new RegExp(`${PYTHON_SPACE}+`, "u")).filter((word) => word !== "");
}

/** Without the condition before it, a run within the text would be tried from each of its characters. */
const ENDS = new RegExp(`^${PYTHON_SPACE}+|(?<!${PYTHON_SPACE})${PYTHON_SPACE}+$`, "gu");

/** `str.strip()`. */
export function pythonStrip(text: string): string {
  return text.replace(ENDS, "");
}

/** `re.findall(r"\b([letters])\b", text)`: in Python a letter of any script is part of a word. */
export function standaloneLetters(text: string, letters: string): string[] {
  const word = "[\\p{L}\\p{N}_]";
  return text.match(new RegExp(`(?<!${word})[${letters}](?!${word})`, "gu")) ?? [];
}

/** `int(re.search(r"\d+", text).group())`, or undefined without digits; digits of any script count. */
export function firstInteger(text: string): number | undefined {
  const digits = /\p{Nd}+/u.exec(text)?.[0];
  return digits === undefined ? undefined : Number(westernDigits(digits));
}

/**
 * `round(x, 2)` for x >= 0: the exact binary value to two decimals, a tie to the even digit. A double is exactly
 * between two hundredths only if it is an odd number of eighths.
 */
export function pythonRound(x: number): number {
  if ((x * 8) % 2 !== 1) return Number(x.toFixed(2));
  const low = Math.floor(x * 100);
  return (low % 2 === 0 ? low : low + 1) / 100;
}

/** `round(np.average(values), 2)`: numpy sums pairwise, scales, rounds half to even, and scales back. */
export function numpyRoundedMean(values: readonly number[]): number {
  const scaled = (pairwiseSum(values) / values.length) * 100;
  const low = Math.floor(scaled);
  const up = scaled - low > 0.5 || (scaled - low === 0.5 && low % 2 !== 0);
  return (up ? low + 1 : low) / 100;
}

/** numpy adds up to 128 numbers in eight running sums, and joins those as a tree. */
function pairwiseSum(values: readonly number[]): number {
  const n = values.length;
  if (n > 128) {
    const half = Math.floor(n / 2) - (Math.floor(n / 2) % 8);
    return pairwiseSum(values.slice(0, half)) + pairwiseSum(values.slice(half));
  }
  const whole = n < 8 ? 0 : n - (n % 8);
  const lanes = new Array<number>(8).fill(0);
  for (let i = 0; i < whole; i++) lanes[i % 8] = (lanes[i % 8] as number) + (values[i] as number);
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = lanes;
  let sum = a + b + (c + d) + (e + f + (g + h));
  for (let i = whole; i < n; i++) sum += values[i] as number;
  return sum;
}
