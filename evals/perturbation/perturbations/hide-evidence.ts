import type { Evidence } from "../../../src/core/shapes.ts";
import { wholeItems } from "../change-items.ts";
import { definePerturbation, type PerturbationContext } from "../define-perturbation.ts";

/** For sets that know where the evidence is; samples without `evidence_s` have no units. */
export const hideEvidence = definePerturbation({
  name: "hide-evidence",
  summary: "removes evidence within the annotated evidence spans",
  unit: "items of evidence",
  ...wholeItems(
    (item, context) => liesInSpan(item, context),
    () => null,
  ),
});

function liesInSpan({ start_s, end_s }: Evidence, { sample }: PerturbationContext): boolean {
  return (sample.evidence_s ?? []).some(([from_s, to_s]) => start_s <= to_s && end_s >= from_s);
}
