import type { Store } from "../../src/core/contracts.ts";
import { createSpendingCap, type SpendingCap } from "../../src/core/spending-cap.ts";
import type { EvalHeader } from "../run/run-header.ts";

/** The cap of a run's payments for a worker. Every model call of the run's samples reserves its price there. */
export async function openRunCap(
  _store: Store,
  _header: Pick<EvalHeader, "run" | "total_cost_limit">,
): Promise<SpendingCap> {
  return createSpendingCap(null);
}
