/**
 * Dollars with four decimals, or a dash where no price is known. An amount that would be shown as 0 is `< $0.0001`.
 *
 * @example money(0.00002) // "< $0.0001"
 */
export function money(dollars: number | null): string {
  if (dollars === null) return "–";
  return dollars > 0 && dollars < 0.00005 ? "< $0.0001" : `$${dollars.toFixed(4)}`;
}
