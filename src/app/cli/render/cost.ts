import { money } from "../../../core/money.ts";
import type { Usage } from "../../../core/shapes.ts";

/** What calls cost, and what was paid if that differs: `$0.8388 ($0.4194 paid)`. Cached and shared replies are not paid again. */
export function costText({ cost, paid }: Pick<Usage, "cost" | "paid">): string {
  if (cost === null) return "cost not known";
  // Sums of equal amounts in another order may differ in their last digits.
  return money(paid) === money(cost) ? money(cost) : `${money(cost)} (${money(paid)} paid)`;
}
