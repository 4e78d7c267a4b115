import { type Command, Option } from "commander";
import { z } from "zod";
import { BUDGETS, type CostUnit } from "../../../evals/frontier/spending.ts";
import type { Results } from "../../../evals/score/read-results.ts";
import { withExamples } from "./example.ts";
import { print, printJson, run, say } from "./output.ts";
import { readRuns } from "./read-runs.ts";
import { renderFrontier } from "./render/frontier.ts";
import {
  addConnectionFlags,
  addResultsFlags,
  notStartedText,
  type ResultsFlags,
} from "./results-flags.ts";
import { formatOf, saveReport } from "./save-report.ts";
import { numberFlag } from "./setting-flags.ts";

interface Flags extends ResultsFlags {
  by: CostUnit;
  accuracy?: string;
  seed: string;
  out?: string;
  json?: boolean;
}

export function addStudyFrontier(study: Command): void {
  const command = study
    .command("frontier")
    .description("compare runs at what they spend: accuracy against frames, tokens or dollars")
    .argument("<runs...>", "folders of runs or sweeps over the same questions")
    .addOption(new Option("--by <budget>", "what is spent").choices(BUDGETS).default("frames"))
    .option("--accuracy <percent>", "name the cheapest run that reaches this accuracy")
    .option("--seed <n>", "seed of the bootstrap and of the halves", "0")
    .option("-o, --out <file>", "write a report with a plot as well: .html, .md, .tex or .json")
    .option("--json", "print one JSON value");
  addConnectionFlags(addResultsFlags(command));
  command.addHelpText(
    "after",
    "\nTo make the runs: `sweep --preset frontier ... --dry-run` shows the plan and the price.\n",
  );
  withExamples(
    command,
    "study frontier sweeps/frontier --by tokens -o frontier.html",
    "study frontier runs/direct-8 runs/direct-32 runs/rrd --by dollars --accuracy 60",
  );
  command.action((paths: string[], flags: Flags) =>
    run(async (signal) => {
      const { studyFrontier } = await import("../../../evals/frontier/frontier.ts");
      const percent = z.number().min(0).max(100);
      const target =
        flags.accuracy === undefined
          ? undefined
          : numberFlag("--accuracy", flags.accuracy, percent) / 100;
      const seed = numberFlag("--seed", flags.seed, z.int().min(0));
      const format = formatOf(flags);
      const results: Results[] = [];
      for (const path of paths) {
        const { runs, not_begun } = await readRuns(path, flags, command, signal);
        if (not_begun > 0) say(notStartedText(not_begun));
        results.push(...runs.map((one) => one.results));
      }
      const found = studyFrontier(results, { budget: flags.by, target, seed });
      if (flags.json) printJson(found);
      else print(renderFrontier(found));
      if (flags.out !== undefined) {
        const { frontierReport } = await import("../../../evals/frontier/report.ts");
        await saveReport(frontierReport(found), flags.out, format);
      }
      return undefined;
    }),
  );
}
