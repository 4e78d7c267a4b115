import { NO_AMOUNTS, type UsageAmounts, type UsageSum } from "../../core/usage-ledger.ts";

/** The columns of the table `usage` that are summed. */
export const AMOUNTS = Object.keys(NO_AMOUNTS) as (keyof UsageAmounts)[];

/** A row of a query that sums the table `usage`. */
export function usageSum(row: Record<string, unknown>): UsageSum {
  const amounts = Object.fromEntries(AMOUNTS.map((name) => [name, Number(row[name])]));
  return {
    owner: String(row.owner),
    group: String(row.group),
    ...(amounts as unknown as UsageAmounts),
  };
}
