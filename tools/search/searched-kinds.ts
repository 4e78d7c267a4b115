import { SPOKEN_KINDS } from "../../src/core/evidence.ts";
import type { Evidence, EvidenceKind } from "../../src/core/shapes.ts";

/** Kinds of evidence that a model can choose between. `subtitle` is everything that is said. */
export const CHOSEN_KINDS = ["caption", "text", "equation", "subtitle"] as const;

/** Kinds of evidence with text, which searches cover. */
export const SEARCHED_KINDS = kindsOf(CHOSEN_KINDS);

/** Whether searches cover an item. */
export function isSearched({ kind, text }: Pick<Evidence, "kind" | "text">): boolean {
  return text !== "" && SEARCHED_KINDS.includes(kind);
}

/** The kinds that a choice covers. */
export function kindsOf(chosen: readonly (typeof CHOSEN_KINDS)[number][]): EvidenceKind[] {
  return chosen.flatMap((kind) => (kind === "subtitle" ? SPOKEN_KINDS : kind));
}
