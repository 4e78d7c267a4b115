import { billedRoles } from "../../../graphs/check-models.ts";
import type { Settings } from "../../core/settings.ts";
import { unpricedModel } from "../../models/check-prices.ts";
import type { Caller } from "./auth.ts";
import type { Budgets } from "./budgets.ts";
import type { ServiceOptions } from "./options.ts";
import { httpProblem } from "./problems.ts";

/**
 * Checks that every model of a question has a price if a cost limit applies: a model without a price would count as free.
 * Throws a 422 problem.
 */
export async function checkPriced(
  settings: Settings,
  { limits }: Caller,
  options: Pick<ServiceOptions, "allow_unpriced">,
): Promise<void> {
  if (options.allow_unpriced) return;
  if (limits.cost_a_day === null && settings.budget.cost === null) return;
  const unpriced = await unpricedModel(settings, billedRoles(settings));
  if (unpriced === null) return;
  throw httpProblem(
    422,
    "unpriced-model",
    `${unpriced.name} has no price, so the cost limit cannot be enforced. Use another model, or ask the operator to set its price.`,
  );
}

/** Checks the limits of a caller who has `open` questions queued or running. Throws a 429 problem. */
export async function checkCallerLimits(
  { owner, limits }: Caller,
  open: number,
  budgets: Budgets,
): Promise<void> {
  if (limits.in_flight !== null && open >= limits.in_flight)
    throw httpProblem(
      429,
      "too-many-questions",
      `This key is limited to ${limits.in_flight} questions at once. Wait for one to end.`,
    );
  if ((await budgets.unspent(owner, limits.cost_a_day)) <= 0)
    throw httpProblem(
      429,
      "cost-limit",
      `This key has spent its limit of $${limits.cost_a_day} for today (UTC). Try again tomorrow.`,
    );
}
