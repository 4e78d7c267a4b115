import { byTimeKindId } from "../../src/core/evidence.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import { share, stems, weigh, weighted } from "./word-weights.ts";

/** Items that share words with `text`, those with the rarest first. */
export function supporting(text: string, evidence: readonly Evidence[]): Evidence[] {
  const weighing = weigh(evidence);
  const words = weighted(stems(text), weighing);
  return evidence
    .map((item) => ({ item, weight: share(words, weighing.stemsOf(item)) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || byTimeKindId(a.item, b.item))
    .map(({ item }) => item);
}
