import type { Sample } from "../benchmarks/sample.ts";

/** How many samples accept every order that respects their partial order. */
export interface PartialOrders {
  samples: number;
  /** All samples that ask for an order. */
  of: number;
}

/** Null if no sample has a partial order. */
export function partialOrders(
  samples: readonly Pick<Sample, "task" | "partial_order">[],
): PartialOrders | null {
  const partial = samples.filter(({ partial_order }) => partial_order !== undefined).length;
  const of = samples.filter(({ task }) => task === "order").length;
  return partial === 0 ? null : { samples: partial, of };
}

/** One line for a person. */
export function partialOrdersText({ samples, of }: PartialOrders): string {
  return `scored as a partial order: ${samples} of ${of} samples (released scores accept only the order of the data)`;
}
