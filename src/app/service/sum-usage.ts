import type { ServiceStore } from "../../core/contracts.ts";
import { Failure } from "../../core/errors.ts";
import {
  NO_AMOUNTS,
  type UsageAmounts,
  type UsageGroup,
  type UsageSum,
} from "../../core/usage-ledger.ts";

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;

export interface UsageReport {
  /** UTC days, both included. */
  since: string;
  until: string;
  by: UsageGroup;
  items: (UsageAmounts & { key: string | null; group: string | null })[];
  total: UsageAmounts;
}

/** The usage of one owner, or of all (`owner` null), over days. Throws `Failure` `wrong-usage` for a wrong range. */
export async function sumUsage(
  store: Pick<ServiceStore, "usage">,
  owner: string | null,
  { by, ...given }: { since?: string | undefined; until?: string | undefined; by: UsageGroup },
): Promise<UsageReport> {
  const until = given.until ?? new Date().toISOString().slice(0, 10);
  const since =
    given.since ??
    new Date(Date.parse(until) - (DEFAULT_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  if (since > until)
    throw new Failure(
      "wrong-usage",
      `Invalid range of days: ${since} is after ${until}. Swap them.`,
      { since, until },
    );
  const sums = await store.usage({ owner, since, until }, by);
  return {
    ...{ since, until, by },
    items: sums.map(({ owner: of, group, ...amounts }) => ({
      key: of === "" ? null : of,
      group: group === "" ? null : group,
      ...amounts,
    })),
    total: sums.reduce<UsageAmounts>(addAmounts, NO_AMOUNTS),
  };
}

function addAmounts(sum: UsageAmounts, one: UsageSum): UsageAmounts {
  const names = Object.keys(NO_AMOUNTS) as (keyof UsageAmounts)[];
  return Object.fromEntries(
    names.map((name) => [name, sum[name] + one[name]]),
  ) as unknown as UsageAmounts;
}
