import type { OrderingDiagnostics } from "../../src/core/ordering.ts";

/** All pairs of `clips` both ways; what is asked against the order of the numbers is answered as if it were in it. */
export function madeOrdering(clips: number): OrderingDiagnostics {
  const numbers = Array.from({ length: clips }, (_, index) => index + 1);
  return {
    method: "tournament",
    clips: numbers,
    matrix: numbers.map((row) => numbers.map((column) => (row === column ? null : 0.75))),
    weighed: clips * (clips - 1),
    pairs_both_ways: (clips * (clips - 1)) / 2,
    contradictions: (clips * (clips - 1)) / 2,
    cycles: 0,
    margin: 0,
    agreement: 0.5,
    invalid: 0,
  };
}
