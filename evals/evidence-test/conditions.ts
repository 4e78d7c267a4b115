import type { Evidence, EvidenceSet } from "../../src/core/shapes.ts";

/*
 * The evidence that a question is asked again from, after the faithfulness tests of rationales (ERASER: DeYoung et al.
 * 2020, section 4.2, sufficiency and comprehensiveness), here by whether the answer stays the same.
 *
 *   all    everything: how often the answer stays where nothing was taken away
 *   cited  only what the answer cites
 *   rest   everything but that, and but what was made from it
 */

export const CONDITIONS = ["all", "cited", "rest"] as const;
export type Condition = (typeof CONDITIONS)[number];

/** Items of a set under each condition, in the set's order. */
export function itemsUnder(
  { items }: EvidenceSet,
  cites: readonly string[],
): Record<Condition, Evidence[]> {
  const cited = new Set(cites);
  const touched = madeFrom(items, cited);
  return {
    all: [...items],
    cited: items.filter((item) => cited.has(item.id)),
    rest: items.filter((item) => !touched.has(item.id)),
  };
}

/** The ids given, and those of all that was made from them, however indirectly. */
function madeFrom(items: readonly Evidence[], ids: ReadonlySet<string>): Set<string> {
  const touched = new Set(ids);
  for (let before = -1; before < touched.size; ) {
    before = touched.size;
    for (const { id, from } of items)
      if (from.some((source) => touched.has(source))) touched.add(id);
  }
  return touched;
}
