import { benchmarkNamed } from "../../../evals/benchmarks/define-benchmark.ts";
import { judgeFor } from "../../../evals/judges/define-judge.ts";
import type { JudgeOptions } from "../../../evals/judges/judge-run.ts";
import type { JudgeInput } from "../../../evals/judges/judge-settings.ts";
import type { Results } from "../../../evals/score/read-results.ts";
import { Failure } from "../../core/errors.ts";
import { print, say } from "./output.ts";
import { progressLine } from "./progress.ts";
import { failedText, renderJudging } from "./render/judging.ts";

/** `--judge` and `--judge-model` of `eval`. */
export interface EvalJudgeFlags {
  judge?: string;
  judgeModel?: string;
}

/** Checks `--judge` before a run. Throws `Failure` `wrong-usage` for a judge that does not fit, or without a model. */
export function checkEvalJudge({ judge, judgeModel }: EvalJudgeFlags, benchmark: string): void {
  if (judge === undefined) return;
  judgeFor(judge, benchmarkNamed(benchmark));
  if (judgeModel === undefined)
    throw new Failure(
      "wrong-usage",
      "Missing --judge-model for --judge: name the model, such as openai:gpt-4.1.",
    );
}

/** Judges the replies of a finished run, as `judge` does. Returns the summary and the number of failed judgements. */
export async function judgeRun(
  results: Results,
  folder: string,
  { judge, judgeModel, json }: EvalJudgeFlags & { json?: boolean },
  {
    runtime,
    ...options
  }: { runtime: unknown } & Pick<JudgeOptions, "total_cost_limit" | "onPaid" | "resume" | "signal">,
): Promise<{ summary: object; failed: number }> {
  const { judgeResults } = await import("../../../evals/judges/judge-run.ts");
  const { summarise } = await import("../../../evals/judges/summary.ts");
  const input = { kind: judge, judge_model: judgeModel, settings: { runtime } } as JudgeInput;
  const line = progressLine("Judging");
  const judging = await judgeResults(results, input, {
    ...options,
    folder,
    onProgress: (judged, total) => line.update(judged, total, "judgements"),
  }).finally(line.done);
  const summary = summarise(results, judging, {});
  if (!json) print(`\n${renderJudging(summary)}`);
  if (summary.failed > 0) say(failedText(summary.failed));
  return { summary, failed: summary.failed };
}
