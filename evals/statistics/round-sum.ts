/**
 * Rounds to 12 decimal places. The last bits of a sum depend on the order of summation, so that equal means of equal scores
 * may differ in them. Rounded means can be compared.
 *
 * @example
 * roundSum(0.1 + 0.2) === roundSum(0.3); // true
 */
export function roundSum(value: number): number {
  return Math.round(value * 1e12) / 1e12;
}
