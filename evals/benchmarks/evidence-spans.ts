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
