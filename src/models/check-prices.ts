import { Failure } from "../core/errors.ts";
import type { Role } from "../core/events.ts";
import type { Settings } from "../core/settings.ts";
import { nameOf } from "./name.ts";
import { readPrices } from "./prices.ts";

/**
 * Throws `Failure` `wrong-setting` if dollars are limited, for each question or (`total`) for all of them, but a model of
 * these roles has no price: its calls would be counted as free.
 */
export async function checkPrices(
  settings: Settings,
  total: number | null,
  roles: readonly Role[],
): Promise<void> {
  const { cost } = settings.budget;
  if (cost === null && total === null) return;
  const unpriced = await unpricedModel(settings, roles);
  if (unpriced === null) return;
  const flag = cost === null ? "--total-cost-limit" : "--cost-limit";
  throw new Failure(
    "wrong-setting",
    `Invalid ${flag} ${cost ?? total}: ${unpriced.name} has no price, so its cost cannot be limited. Give its price in a file with --prices, for example \`${unpriced.name}: ${
      unpriced.role === "transcriber"
        ? "{ minute: 0.006 }` (dollars per minute of sound)"
        : "{ input: 0.5, output: 1.5 }` (dollars per million tokens)"
    }.`,
    { flag, model: unpriced.name },
  );
}

/** The first model of these roles that has no price, so that its cost cannot be limited; null: all have one. */
export async function unpricedModel(
  settings: Settings,
  roles: readonly Role[],
): Promise<{ name: string; role: Role } | null> {
  const prices = await readPrices(settings.runtime.prices);
  for (const role of roles) {
    const name = nameOf(settings, role);
    if (name === null) continue;
    const price = prices[name];
    if ((role === "transcriber" ? price?.minute : price) === undefined) return { name, role };
  }
  return null;
}
