import type { Command } from "commander";
import type { AgreementInput } from "../../../evals/judges/agreement.ts";
import { withExamples } from "./example.ts";
import { addJudgeFlags } from "./judge-flags.ts";
import { EXIT, print, printJson, run, say } from "./output.ts";
import { progressLine } from "./progress.ts";
import { failedText, renderAgreement } from "./render/judging.ts";
import { dollars, givenSettings, typedNumber, wholeNumber } from "./setting-flags.ts";

interface Flags {
  data: string;
  videos?: string;
  model?: string;
  judgeModel: string;
  limit?: string;
  totalCostLimit?: string;
  textOnly?: boolean;
  out?: string;
  seed: string;
  json?: boolean;
}

export function addEvalJudge(program: Command): void {
  const command = program
    .command("eval-judge")
    .description(
      "measure how well a judge agrees with human error types of MMR-V answers (Cohen's kappa, confusion matrix)",
    )
    .requiredOption("--data <file>", "MMR-V response file with human error types")
    .option("--videos <folder>", "MMR-V as downloaded, so that the judge gets frames")
    .option("--model <name>", "the model to judge, for a file with responses of several models")
    .option("--seed <n>", "seed of the bootstrap", "0");
  addJudgeFlags(command);
  withExamples(
    command,
    "eval-judge --data questions_with_gpt-4o_responses.json --judge-model openai:gpt-4.1",
  );
  command.action((flags: Flags) =>
    run(async (signal) => {
      const { judgedFolder } = await import("../../../evals/judges/judging.ts");
      const { judgeAgreement } = await import("../../../evals/judges/agreement.ts");
      const line = progressLine("Judging");
      const input = {
        file: flags.data,
        judge_model: flags.judgeModel,
        text_only: flags.textOnly,
        limit: typedNumber(flags.limit),
        settings: givenSettings(command),
        seed: wholeNumber("--seed", flags.seed),
      } as AgreementInput;
      const found = await judgeAgreement(
        input,
        {
          folder: flags.out ?? (await judgedFolder(flags.data)),
          data: flags.videos,
          total_cost_limit: dollars("--total-cost-limit", flags.totalCostLimit),
          signal,
          onProgress: (done, total) => line.update(done, total, "judgements"),
        },
        flags.model,
      ).finally(line.done);
      if (flags.json) printJson(found);
      else print(renderAgreement(found));
      if (found.judged.failed === 0) return EXIT.ok;
      say(failedText(found.judged.failed));
      return EXIT.failed;
    }),
  );
}
