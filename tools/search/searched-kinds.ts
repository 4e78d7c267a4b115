import { SPOKEN_KINDS } from "../../src/core/evidence.ts";
import type { EvidenceKind } from "../../src/core/shapes.ts";

/** Kinds of evidence that a model can choose between. `subtitle` is everything that is said. */
export const CHOSEN_KINDS = ["caption", "text", "equation", "subtitle"] as const;

/** Kinds of evidence with text, which searches cover. */
export const SEARCHED_KINDS = kindsOf(CHOSEN_KINDS);

/** The kinds that a choice covers. */
export function kindsOf(chosen: readonly (typeof CHOSEN_KINDS)[number][]): EvidenceKind[] {
  return chosen.flatMap((kind) => (kind === "subtitle" ? SPOKEN_KINDS : kind));
}
