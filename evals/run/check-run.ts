import { billedRoles, checkModels, rolesOf, rolesOverEvidence } from "../../graphs/check-models.ts";
import { checkPrices } from "../../src/models/check-prices.ts";
import { findTarget } from "../../src/models/target.ts";
import type { EvalSettings } from "./eval-settings.ts";
import { isOverEvidence } from "./gold-arm.ts";
import { checkRunBatches } from "./run-batches.ts";

/**
 * Checks the models of a run without sending a request: those that answer, the one of the extractor if it needs one, and
 * their prices if there is a limit in dollars. Call it before a store or a folder is opened.
 * Throws as `checkModels` and `checkPrices`.
 */
export async function checkRun(
  {
    settings,
    descriptions,
    gold = null,
    extractor_model = null,
  }: Pick<EvalSettings, "settings" | "descriptions"> &
    Partial<Pick<EvalSettings, "gold" | "extractor_model">>,
  total_cost_limit: number | null,
): Promise<void> {
  // With gold descriptions or given evidence there is no recognition.
  const given = descriptions === "gold" || isOverEvidence(gold);
  const roles = given ? rolesOverEvidence(settings) : rolesOf(settings);
  checkModels(settings, roles);
  checkRunBatches(settings, roles);
  if (extractor_model !== null) findTarget(extractor_model, settings.runtime);
  await checkPrices(settings, total_cost_limit, billedRoles(settings));
}
