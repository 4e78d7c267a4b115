import { resolve } from "node:path";
import type { Command } from "commander";
import { z } from "zod";
import { perturbations } from "../../../evals/perturbation/define-perturbation.ts";
import { countOf } from "../../core/count-of.ts";
import { withExamples } from "./example.ts";
import { print, printJson, run } from "./output.ts";
import { checkResumeChanges } from "./resume-changes.ts";
import { addSettingFlags, givenSettings, isForModelCalls, numberFlag } from "./setting-flags.ts";

interface Flags {
  error: string;
  rate: string;
  seed: string;
  data?: string;
  out?: string;
  json?: boolean;
}

export function configurePerturb(command: Command): void {
  command
    .argument("<run>", "folder of a finished run whose strategy reasons over evidence")
    .requiredOption("--error <name>", "kind of error")
    .option("--rate <share>", "share of damaged units", "0.2")
    .option("--seed <n>", "seed of what is damaged", "0")
    .option("--data <folder>", "the data of the benchmark, if it has moved")
    .option("-o, --out <file>", "write the sets as JSON lines, one for each sample")
    .option("--json", "print one JSON value");
  addSettingFlags(command, isForModelCalls);
  command.addHelpText("after", `\nErrors:\n${errorKinds()}\n`);
  withExamples(
    command,
    "perturb runs/rrd --error swap-objects --rate 0.3 -o damaged.jsonl",
    "perturb runs/rrd --error garble-text --json",
  );
  command.action((path: string, flags: Flags) =>
    run(async () => {
      const { perturbRun } = await import("../../../evals/propagation/perturb-run.ts");
      const changes = checkResumeChanges({ data: flags.data, ...givenSettings(command) }, "a run");
      const rate = numberFlag("--rate", flags.rate, z.number().min(0).max(1));
      const seed = numberFlag("--seed", flags.seed, z.int().min(0));
      const samples = await perturbRun(path, changes, { error: flags.error, rate, seed });
      if (flags.out !== undefined) {
        const { writeReport } = await import("./save-report.ts");
        const lines = samples.map((sample) => `${JSON.stringify(sample)}\n`);
        await writeReport(flags.out, lines.join(""));
      }
      const units = samples.reduce((sum, one) => sum + one.units, 0);
      const damaged = samples.reduce((sum, one) => sum + one.damaged, 0);
      const { unit } = perturbations.get(flags.error);
      if (flags.json) printJson(samples);
      else
        print(
          `${damaged} of ${units} ${unit} damaged, in ${samples.filter((one) => one.damaged > 0).length} of ${countOf(samples.length, "sample")}.${flags.out === undefined ? "" : ` Sets: ${resolve(flags.out)}`}`,
        );
      return undefined;
    }),
  );
}

/** The kinds of errors, one a line, for help. */
export function errorKinds(): string {
  return perturbations
    .all()
    .map(({ name, summary }) => `  ${name.padEnd(18)}${summary}`)
    .join("\n");
}
