import { overlapsSpan } from "../../benchmarks/evidence-spans.ts";
import { wholeItems } from "../change-items.ts";
import { definePerturbation } from "../define-perturbation.ts";

/** For sets that know where the evidence is; samples without `evidence_s` have no units. */
export const hideEvidence = definePerturbation({
  name: "hide-evidence",
  summary: "removes evidence within the annotated evidence spans",
  unit: "items of evidence",
  ...wholeItems(
    (item, { sample }) => overlapsSpan(item, sample.evidence_s ?? []),
    () => null,
  ),
});
