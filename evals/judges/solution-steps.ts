import type { Sample } from "../benchmarks/sample.ts";

/* What judges of solutions by annotated steps need of samples. */

/** Why a sample without annotated steps is not judged; null for one that has them. */
export function leavesOutWithoutSteps({ steps = [] }: Sample): string | null {
  return steps.length === 0 ? "samples without annotated steps" : null;
}

/** Steps are annotated for questions with several options, not for their pairs. */
export function refusesPairs(samples: readonly Sample[]): string | null {
  return samples.length > 0 && samples.every(({ options }) => options.length === 2)
    ? "the answers are to pairs of options, and solutions are judged on five options (the set mcq)."
    : null;
}
