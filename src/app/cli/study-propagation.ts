import type { Command } from "commander";
import { z } from "zod";
import type { PropagationDemand } from "../../../evals/propagation/propagation.ts";
import type { PropagationStudy } from "../../../evals/propagation/summary.ts";
import { countOf } from "../../core/count-of.ts";
import { checkOutputFile } from "./check-output-file.ts";
import { withExamples } from "./example.ts";
import { EXIT, print, printJson, run, say } from "./output.ts";
import { errorKinds } from "./perturb.ts";
import { progressLine } from "./progress.ts";
import { renderPropagation } from "./render/propagation.ts";
import { checkResumeChanges } from "./resume-changes.ts";
import { formatOf, saveReport } from "./save-report.ts";
import {
  addSettingFlags,
  givenSettings,
  isForModelCalls,
  numberFlag,
  typedNumber,
} from "./setting-flags.ts";

interface Flags {
  errors: string[];
  rates: string[];
  seed: string;
  gold?: string;
  data?: string;
  totalCostLimit?: string;
  dryRun?: boolean;
  out?: string;
  json?: boolean;
}

export function addStudyPropagation(study: Command): void {
  const command = study
    .command("propagation")
    .description("measure how errors of recognition affect answers")
    .argument("<runs...>", "folders of finished runs whose strategy reasons over evidence")
    .option("--errors <names...>", "kinds of errors to inject", ["drop-captions"])
    .option("--rates <shares...>", "shares of damaged units; 0 is added", ["0.1", "0.2", "0.4"])
    .option("--seed <n>", "seed of what is damaged", "0")
    .option(
      "--gold <folder>",
      "sidecars to measure the evidence against, in addition to step names and subtitles of the data",
    )
    .option("--data <folder>", "the data of the benchmark, if it has moved")
    .option("--total-cost-limit <dollars>", "stop when a run, with this study, has cost this much")
    .option("--dry-run", "count the questions and calls, and send nothing")
    .option("-o, --out <file>", "write a report with plots as well: .html, .md, .tex or .json")
    .option("--json", "print one JSON value");
  addSettingFlags(command, isForModelCalls);
  command.addHelpText("after", `\nErrors:\n${errorKinds()}\n`);
  withExamples(
    command,
    "study propagation runs/rrd --errors drop-captions --rates 0.1 0.3 --dry-run",
    "study propagation runs/rrd runs/agent --errors swap-captions garble-text -o errors.html",
  );
  command.action((paths: string[], flags: Flags) =>
    run(async (signal) => {
      const { demandOfPropagation, studyPropagation } = await import(
        "../../../evals/propagation/propagation.ts"
      );
      const changes = checkResumeChanges(
        {
          data: flags.data,
          total_cost_limit: typedNumber(flags.totalCostLimit),
          ...givenSettings(command),
        },
        "a run",
      );
      const asked = {
        errors: flags.errors,
        rates: flags.rates.map((rate) => numberFlag("--rates", rate, z.number().min(0).max(1))),
        seed: numberFlag("--seed", flags.seed, z.int().min(0)),
      };
      const format = formatOf(flags);
      if (flags.dryRun) {
        const demands: PropagationDemand[] = [];
        for (const path of paths)
          demands.push(await demandOfPropagation(path, changes, { ...asked, signal }));
        if (flags.json) printJson(demands);
        else print(demands.map(demandText).join("\n"));
        return EXIT.ok;
      }
      if (flags.out !== undefined) await checkOutputFile(flags.out);
      const studies: PropagationStudy[] = [];
      for (const path of paths) {
        const line = progressLine(`Asking ${path} from perturbed evidence`);
        try {
          const found = await studyPropagation(path, changes, {
            ...asked,
            sidecars: flags.gold,
            signal,
            onPlanned: (demand) => say(demandText(demand)),
            onProgress: (done, total) => line.update(done, total, "questions"),
          });
          studies.push(found);
        } finally {
          line.done();
        }
      }
      if (flags.json) printJson(studies);
      else print(renderPropagation(studies));
      if (flags.out !== undefined) {
        const { propagationReport } = await import("../../../evals/propagation/report.ts");
        await saveReport(propagationReport(studies), flags.out, format);
      }
      const failed = studies.some(({ curves }) =>
        curves.some(({ points }) => points.some((point) => point.failed > 0)),
      );
      return failed ? EXIT.failed : EXIT.ok;
    }),
  );
}

function demandText(demand: PropagationDemand): string {
  const { run: name, samples, questions, open, calls, input, output } = demand;
  const needs =
    calls === 0
      ? "no model calls"
      : `about ${calls} calls with ${input} input and ${output} output tokens, as in the run; calls that equal stored ones are free`;
  return `${name}: ${countOf(questions, "question")} over ${countOf(samples, "sample")}, ${open} without an answer: ${needs}.`;
}
