import type { ResumeChanges } from "../../../evals/run/prepare-run.ts";
import { Failure } from "../../core/errors.ts";
import { WORKERS } from "../../core/shared-runs.ts";

/**
 * Checks the flags given with --resume: only those that do not change results are allowed; undefined means not given.
 * Throws `Failure` `wrong-usage`, `wrong-setting`.
 */
export function checkResumeChanges(given: Record<string, unknown>, what: string): ResumeChanges {
  const { data, runtime, max_samples, fail_on_error, total_cost_limit, workers, ...other } = given;
  const fixed = Object.keys(other).filter((name) => other[name] !== undefined);
  if (fixed.length > 0)
    throw new Failure(
      "wrong-usage",
      `--resume does not allow ${fixed.join(", ")}: ${what} keeps the settings that it started with.`,
      { given: fixed },
    );
  for (const [name, value] of Object.entries({ max_samples, fail_on_error }))
    if (value !== undefined && !(Number.isInteger(value) && (value as number) >= 1))
      throw new Failure(
        "wrong-setting",
        `Invalid --${name.replaceAll("_", "-")} ${JSON.stringify(value)}: use a whole number from 1.`,
        { name, value },
      );
  if (
    total_cost_limit !== undefined &&
    !(typeof total_cost_limit === "number" && total_cost_limit >= 0)
  )
    throw new Failure(
      "wrong-setting",
      `Invalid --total-cost-limit ${JSON.stringify(total_cost_limit)}: use dollars from 0, for example 20.`,
      { name: "total_cost_limit", value: total_cost_limit },
    );
  if (workers !== undefined && !WORKERS.some((one) => one === workers))
    throw new Failure(
      "wrong-setting",
      `Invalid --workers ${JSON.stringify(workers)}: use one of ${WORKERS.join(", ")}.`,
      { name: "workers", value: workers },
    );
  return { data, runtime, max_samples, fail_on_error, total_cost_limit, workers } as ResumeChanges;
}
