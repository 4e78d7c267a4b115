import type { Sample } from "../benchmarks/sample.ts";

/** Whether the data name the step of each clip of the sample; released VCRBench does not. */
export function hasStepNames({ task, steps, answer }: Sample): boolean {
  return task === "order" && steps?.length === answer.length;
}
