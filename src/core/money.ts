/** Dollars, or a dash where no price is known. */
export function money(dollars: number | null): string {
  return dollars === null ? "–" : `$${dollars.toFixed(4)}`;
}
