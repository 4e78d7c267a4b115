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
  roles: readonly Role[] = rolesOf(settings),
): Promise<void> {
  const { cost } = settings.budget;
  if (cost === null && total === null) return;
  const prices = await readPrices(settings.runtime.prices);
  const unpriced = roles
    .map((role) => nameOf(settings, role))
    .find((name) => name !== null && prices[name] === undefined);
  if (unpriced == null) return;
  const flag = cost === null ? "--total-cost-limit" : "--cost-limit";
  throw new Failure(
    "wrong-setting",
    `Invalid ${flag} ${cost ?? total}: ${unpriced} has no price, so its cost cannot be limited. Give its price in a file with --prices, for example \`${unpriced}: { input: 0.5, output: 1.5 }\` (dollars per million tokens).`,
    { flag, model: unpriced },
  );
}

function rolesOf({ strategy }: Settings): Role[] {
  if (strategy === "extractive" || strategy === "random") return [];
  return ["recogniser", "reasoner", ...(strategy === "agent" ? (["verifier"] as const) : [])];
}
