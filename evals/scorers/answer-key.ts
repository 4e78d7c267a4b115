import type { Sample } from "../benchmarks/sample.ts";
import type { Scorers } from "./choose-scorers.ts";
import { scorers } from "./define-scorer.ts";
import { normaliseText } from "./normalise-text.ts";

/** Answers with equal keys are the same answer: letters and orders if they are equal, open answers by their scorer. */
export function answerKey(
  { scorers: chosen }: { scorers: Scorers },
  { task }: Pick<Sample, "task">,
  answer: string | readonly number[],
): string {
  if (task !== "open" || typeof answer !== "string") return JSON.stringify(answer);
  const scorer = chosen[task];
  const key = scorer === undefined ? undefined : scorers.find(scorer.name)?.key;
  return (key ?? normaliseText)(answer);
}
