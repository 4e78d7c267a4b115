import { z } from "zod";

/**
 * How consistent the judgements behind an order were: `diagnostics.ordering` of an answer.
 * `matrix[i][j]` is the weight, 0 to 1, that `clips[i]` comes before `clips[j]`, from the judgement that showed
 * `clips[i]` first; null if that pair was not judged or the reply was unreadable.
 */
export const OrderingDiagnostics = z.object({
  method: z.string(),
  /** Clip numbers, rising: the names of rows and columns. */
  clips: z.array(z.int().positive()),
  matrix: z.array(z.array(z.number().min(0).max(1).nullable())),
  /** Judgements weighted by the server's log-probabilities; the others weigh 0 or 1. */
  weighed: z.int().nonnegative(),
  pairs_both_ways: z.int().nonnegative(),
  contradictions: z.int().nonnegative(),
  cycles: z.int().nonnegative(),
  margin: z.number().nullable(),
  agreement: z.number().min(0).max(1).nullable(),
  invalid: z.int().nonnegative(),
});
export type OrderingDiagnostics = z.infer<typeof OrderingDiagnostics>;

/**
 * A clip that an order leaves out: `diagnostics.unplaced` of an answer. `rejected`: its description was rejected, so
 * nothing is known about it; `left-out`: the reply did not name it.
 */
export const UnplacedClip = z.object({
  clip: z.int().positive(),
  why: z.enum(["rejected", "left-out"]),
});
export type UnplacedClip = z.infer<typeof UnplacedClip>;

/** Reads the ordering from an answer's diagnostics; null if the clips were not ranked or the record has another shape. */
export function orderingOf(
  diagnostics: Record<string, unknown> | undefined,
): OrderingDiagnostics | null {
  const read = OrderingDiagnostics.safeParse(diagnostics?.ordering);
  return read.success ? read.data : null;
}
