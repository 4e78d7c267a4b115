import { type Command, Option } from "commander";
import type { AgreementInput } from "../../../evals/judges/agreement.ts";
import { judges } from "../../../evals/judges/define-judge.ts";
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
  kind?: string;
  judgeModel: string;
  limit?: string;
  totalCostLimit?: string;
  textOnly?: boolean;
  out?: string;
  seed: string;
  json?: boolean;
}

export function configureEvalJudge(command: Command): void {
  const comparedKinds = judges
    .all()
    .filter((kind) => kind.judges.some(({ people }) => people !== undefined))
    .map(({ name }) => name);
  command
    .requiredOption(
      "--data <path>",
      "MMR-V response file with human error types; for grades a run whose data have the column human_grade (right, wrong, or a number from 0 to 1)",
    )
    .addOption(
      new Option("--kind <name>", "kind of judge (default: the first)").choices(comparedKinds),
    )
    .option("--videos <folder>", "MMR-V as downloaded, so that the judge gets frames")
    .option("--model <name>", "the model to judge, for a file with responses of several models")
    .option("--seed <n>", "seed of the bootstrap", "0");
  addJudgeFlags(command);
  withExamples(
    command,
    "eval-judge --data questions_with_gpt-4o_responses.json --judge-model openai:gpt-4.1",
    "eval-judge --kind grade --data runs/dataset-direct-20260801-093000 --judge-model openai:gpt-4.1",
  );
  command.action((flags: Flags) =>
    run(async (signal) => {
      const { judgedFolder } = await import("../../../evals/judges/judging.ts");
      const { judgeAgreement } = await import("../../../evals/judges/agreement.ts");
      const line = progressLine("Judging");
      const input = {
        file: flags.data,
        kind: flags.kind,
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
