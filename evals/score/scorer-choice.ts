import type { Task } from "../../src/core/shapes.ts";
import type { Benchmark } from "../benchmarks/define-benchmark.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { chooseScorers, type ScorersAsked, scorersFor } from "../scorers/choose-scorers.ts";
import { hasScorer } from "./metrics.ts";

/** The same results with the scorers asked for; those that are not named stay. Throws as `chooseScorers`. */
export function withScorersAsked<R extends { benchmark: Benchmark }>(
  results: R,
  asked: ScorersAsked,
): R {
  if (asked.scorer.length === 0 && Object.keys(asked.settings).length === 0) return results;
  const { benchmark } = results;
  return { ...results, benchmark: { ...benchmark, scorers: chooseScorers(benchmark, asked) } };
}

/** Samples whose answers no scorer scores, by task. They are in no accuracy. */
export interface Unscored {
  task: Task;
  samples: number;
}

export function unscoredTasks(
  benchmark: Pick<Benchmark, "scorers">,
  samples: readonly Pick<Sample, "task">[],
): Unscored[] {
  const without = samples.filter((sample) => !hasScorer(benchmark, sample));
  return [...Map.groupBy(without, ({ task }) => task)].map(([task, of]) => ({
    task,
    samples: of.length,
  }));
}

/** What to tell a person about them, one sentence for each task. */
export function unscoredText({ task, samples }: Unscored): string {
  return `${samples} ${task} ${samples === 1 ? "question has" : "questions have"} no scorer, so ${samples === 1 ? "its answer is" : "their answers are"} not in the accuracy: name one of ${scorersFor(task).join(", ")} with --scorer; \`score RUN --scorer NAME\` does so later, without model calls.`;
}
