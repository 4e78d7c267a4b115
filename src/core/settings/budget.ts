import { z } from "zod";
import { CALLS, leaf } from "./leaf.ts";

const ceiling = (flag: string, what: string) =>
  z
    .number()
    .nonnegative()
    .nullable()
    .default(null)
    .describe(what)
    .meta(leaf({ flag, strategies: CALLS }));

/** Ceilings of one question. */
export const BudgetSettings = z.strictObject({
  calls: ceiling(
    "call-limit",
    "model calls a question may make; not given: 8 for `agent`, else no limit",
  ),
  frames: ceiling(
    "frame-limit",
    "frames a question may send; not given: 40 for `agent`, else no limit",
  ),
  tokens: ceiling("token-limit", "tokens a question may use; null: no limit"),
  seconds: ceiling(
    "time-limit",
    "seconds a question may take before no new call is made; null: no limit",
  ),
  cost: ceiling("cost-limit", "dollars a question may cost; null: no limit"),
});
