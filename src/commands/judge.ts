import { type Command, Option } from "commander";
import type { JudgeInput } from "../../evals/judges/judge-settings.ts";
import { withExamples } from "./example.ts";
import { addJudgeFlags } from "./judge-flags.ts";
import { EXIT, print, printJson, run, say } from "./output.ts";
import { progressLine } from "./progress.ts";
import { failedText, renderJudging, renderJudgingPlan } from "./render-judging.ts";
import { addResultsFlags, type ResultsFlags } from "./results-flags.ts";
import { givenSettings, typedNumber } from "./setting-flags.ts";

interface Flags extends ResultsFlags {
  kind: string;
  judgeModel: string;
  judgeRuns?: string;
  limit?: string;
  textOnly?: boolean;
  out?: string;
  dryRun?: boolean;
  json?: boolean;
}

export function addJudge(program: Command): void {
  const command = program
    .command("judge")
    .description(
      "have a model judge the replies of a run; stopped at any time, the same command goes on",
    )
    .argument("<run>", "a run's folder, or a response file of MMR-V or VideoMathQA")
    .addOption(
      new Option(
        "--kind <name>",
        "VideoMathQA: letter, steps (0 to 10), errors; MMR-V: errors of wrong answers, cot (what each tenth does)",
      ).makeOptionMandatory(),
    )
    .option("--judge-runs <n>", "how often each reply is graded by steps (default: 3)");
  command.option("--dry-run", "say how many calls it would take, and at most what cost");
  addJudgeFlags(command);
  addResultsFlags(command);
  withExamples(
    command,
    "judge runs/videomathqa-direct-20260801-093000 --kind steps --judge-model openai:gpt-4.1",
    "judge runs/mmr-v-direct-20260801-093000 --kind cot --judge-model google-genai:gemini-2.5-flash --frames 8 --dry-run",
    "judge responses.jsonl --kind letter --judge-model openai:qwen3 --base-url http://localhost:8000/v1 --json",
  );
  command.action((path: string, flags: Flags) =>
    run(async (signal) => {
      const { readResults } = await import("../../evals/read-results.ts");
      const { judgedFolder } = await import("../../evals/judges/judging.ts");
      const { judgeResults } = await import("../../evals/judges/judge-run.ts");
      const { summarise } = await import("../../evals/judges/summary.ts");
      const results = await readResults(path, flags);
      const input = {
        kind: flags.kind,
        judge_model: flags.judgeModel,
        judge_runs: typedNumber(flags.judgeRuns),
        extractor: flags.extractor,
        text_only: flags.textOnly,
        limit: typedNumber(flags.limit),
        settings: givenSettings(command),
      } as JudgeInput;
      if (flags.dryRun) {
        const { planJudging } = await import("../../evals/judges/plan-judging.ts");
        const plan = await planJudging(results, input);
        if (flags.json) printJson(plan);
        else print(renderJudgingPlan(plan));
        return EXIT.ok;
      }
      const line = progressLine("Judging");
      const folder = flags.out ?? (await judgedFolder(path));
      const judging = await judgeResults(results, input, {
        folder,
        data: flags.data,
        signal,
        onProgress: (done, total) => line.update(done, total, "judgements"),
      }).finally(line.done);
      const summary = summarise(results, judging, { extractor: flags.extractor });
      if (flags.json) printJson(summary);
      else print(renderJudging(summary));
      if (summary.failed === 0) return EXIT.ok;
      say(failedText(summary.failed));
      return EXIT.failed;
    }),
  );
}
