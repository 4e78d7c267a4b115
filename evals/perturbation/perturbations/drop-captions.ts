import { wholeItems } from "../change-items.ts";
import { definePerturbation } from "../define-perturbation.ts";

export const dropCaptions = definePerturbation({
  name: "drop-captions",
  summary: "removes captions",
  unit: "captions",
  ...wholeItems(
    ({ kind }) => kind === "caption",
    () => null,
  ),
});
