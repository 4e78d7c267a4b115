import { z } from "zod";

/**
 * Where the evidence of a question lies, a field of our own that no released data has: spans as [start, end] seconds,
 * or moments as single seconds, which are spans of no length.
 */
export const EvidenceSpans = z.array(
  z.union([
    z.tuple([z.number().min(0), z.number().min(0)]),
    z
      .number()
      .min(0)
      .transform((at_s): [number, number] => [at_s, at_s]),
  ]),
);

/** Whether an item of evidence lies at least partly in one of the spans; both ends belong to a span. */
export function overlapsSpan(
  { start_s, end_s }: { start_s: number; end_s: number },
  spans: readonly (readonly [number, number])[],
): boolean {
  return spans.some(([from_s, to_s]) => start_s <= to_s && end_s >= from_s);
}
