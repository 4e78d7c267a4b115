/** A share as `12.50 %`, or `none`. */
export function percent(value: number | null): string {
  return value === null ? "none" : `${(100 * value).toFixed(2)} %`;
}
