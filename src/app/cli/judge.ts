import { type Command, Option } from "commander";
import { judges } from "../../../evals/judges/define-judge.ts";
import type { JudgeInput } from "../../../evals/judges/judge-settings.ts";
import { limitedBy, remainingDollars } from "../../../evals/run/remaining-dollars.ts";
import { Failure } from "../../core/errors.ts";
import { batchText } from "./eval-progress.ts";
import { withExamples } from "./example.ts";
import { addJudgeFlags } from "./judge-flags.ts";
import { EXIT, print, printJson, run, say } from "./output.ts";
import { progressLine } from "./progress.ts";
import { readRuns } from "./read-runs.ts";
import { failedText, renderJudging, renderJudgingPlan, unusableText } from "./render/judging.ts";
import { addResultsFlags, notStartedText, type ResultsFlags } from "./results-flags.ts";
import { BATCH, dollars, givenSettings, typedNumber } from "./setting-flags.ts";

interface Flags extends ResultsFlags {
  kind: string;
  judgeModel: string;
  judgeRuns?: string;
  limit?: string;
  totalCostLimit?: string;
  textOnly?: boolean;
  out?: string;
  dryRun?: boolean;
  json?: boolean;
}

/** The judge of the extractor `model-letter`, which is asked by scoring. */
const LETTER = "letter";

function severalRuns(): string {
  return judges
    .all()
    .flatMap(({ name, runs }) =>
      runs === undefined ? [] : [`--kind ${name} only; default: ${runs}`],
    )
    .join("; ");
}

export function configureJudge(command: Command): void {
  command
    .argument("<run>", "the folder of a run or sweep, or a response file of MMR-V or VideoMathQA")
    .addOption(
      new Option(
        "--kind <name>",
        judges
          .all()
          .map(({ name, summary }) => `${name} (${summary})`)
          .join("; "),
      ).makeOptionMandatory(),
    )
    .option("--judge-runs <n>", `how often each reply is judged (${severalRuns()})`);
  command.option("--dry-run", "print the number of calls and the maximum cost; send nothing");
  addJudgeFlags(command, (path) => path === BATCH);
  addResultsFlags(command);
  withExamples(
    command,
    "judge runs/videomathqa-direct-20260801-093000 --kind steps --judge-model openai:gpt-4.1",
    "judge runs/mmr-v-direct-20260801-093000 --kind cot --judge-model google-genai:gemini-2.5-flash --frames 8 --dry-run",
    "judge sweeps/frames --kind steps --judge-model openai:gpt-4.1 --dry-run",
    "judge runs/videomathqa-direct-20260801-093000 --kind steps --judge-model openai:gpt-4.1 --batch",
    "judge responses.jsonl --kind steps --judge-model openai:qwen3 --base-url http://localhost:8000/v1 --json",
  );
  command.action((path: string, flags: Flags) =>
    run(async (signal) => {
      const { judgedFolder } = await import("../../../evals/judges/judging.ts");
      const { judgeResults } = await import("../../../evals/judges/judge-run.ts");
      const { summarise } = await import("../../../evals/judges/summary.ts");
      const { sweep, not_begun, runs } = await readRuns(path, flags, command, signal);
      if (sweep !== null && flags.out !== undefined)
        throw new Failure(
          "wrong-usage",
          `--out is not allowed for a sweep: the judgements of each run of ${path} go into the folder of the run.`,
          { path },
        );
      if (not_begun > 0) say(notStartedText(not_begun));
      if (flags.kind === LETTER)
        throw new Failure(
          "wrong-usage",
          `Invalid --kind letter: an extractor names letters. Run \`score ${path} --extractor model-letter --extractor-model ${flags.judgeModel}\`.`,
          { kind: flags.kind },
        );
      const input = {
        kind: flags.kind,
        judge_model: flags.judgeModel,
        judge_runs: typedNumber(flags.judgeRuns),
        text_only: flags.textOnly,
        limit: typedNumber(flags.limit),
        settings: givenSettings(command),
      } as JudgeInput;
      const titled = (name: string, text: string) => (sweep === null ? text : `${name}: ${text}`);
      const values: { run: string; value: object }[] = [];
      const printValues = () => {
        const named = values.map(({ run: name, value }) => ({ run: name, ...value }));
        printJson(sweep === null ? values[0]?.value : { sweep, not_begun, runs: named });
      };
      if (flags.dryRun) {
        const { planJudging } = await import("../../../evals/judges/plan-judging.ts");
        for (const { results } of runs) {
          const plan = await planJudging(results, input);
          values.push({ run: results.name, value: plan });
          if (!flags.json) print(titled(results.name, renderJudgingPlan(plan)));
        }
        if (flags.json) printValues();
        return EXIT.ok;
      }
      const left = remainingDollars(dollars("--total-cost-limit", flags.totalCostLimit));
      let failed = 0;
      let judged = 0;
      let unusable = 0;
      for (const { path: of, results } of runs) {
        const line = progressLine(titled(results.name, "Judging"));
        const judging = await judgeResults(results, input, {
          folder: flags.out ?? (await judgedFolder(of)),
          data: flags.data,
          ...limitedBy(left),
          signal,
          onNote: say,
          onBatches: (batches) => line.note(batchText(batches, Date.now())),
          onProgress: (judged, total) => line.update(judged, total, "judgements"),
        }).finally(line.done);
        const summary = summarise(results, judging, {});
        values.push({ run: results.name, value: summary });
        failed += summary.failed;
        judged += summary.judged;
        unusable += summary.not_judged;
        if (!flags.json) print(titled(results.name, renderJudging(summary)));
      }
      if (flags.json) printValues();
      if (failed > 0) say(failedText(failed));
      const isUseless = judged === 0 && unusable > 0;
      if (isUseless) say(unusableText(unusable));
      return failed > 0 || isUseless ? EXIT.failed : EXIT.ok;
    }),
  );
}
