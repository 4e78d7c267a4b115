import type { ServiceStore } from "../../core/contracts.ts";
import { limitsOf } from "./auth.ts";
import { type CallerLimits, NO_LIMITS } from "./options.ts";

/** The limits of who asked a question that is continued: those of the key as they are now. */
export async function ownerLimits(
  service: Pick<ServiceStore, "keys">,
  owner: string,
): Promise<CallerLimits> {
  const key = (await service.keys()).find(({ name }) => name === owner);
  if (key !== undefined) return limitsOf(key);
  // The key was removed: no more calls are paid for it.
  return { ...NO_LIMITS, cost_a_day: owner === "" ? null : 0 };
}
