const OTHER_DIGITS = /(?![0-9])\p{Nd}/gu;

/**
 * The text with decimal digits of other scripts as 0 to 9, and nothing else changed.
 *
 * @example westernDigits("٣, ١") // "3, 1"
 */
export function westernDigits(text: string): string {
  return text.replace(OTHER_DIGITS, (digit) => String(digitValue(digit)));
}

/** Unicode keeps the ten digits of a script together, so a digit's value is its distance from their zero. */
function digitValue(digit: string): number {
  let first = digit.codePointAt(0) ?? 0;
  const code = first;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
  return (code - first) % 10;
}
