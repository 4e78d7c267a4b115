import type { Command } from "commander";
import type { CalibrationStudy } from "../../../evals/calibration/calibration-study.ts";
import { withExamples } from "./example.ts";
import { print, printJson, run } from "./output.ts";
import { runReader } from "./read-runs.ts";
import { renderCalibration } from "./render/calibration.ts";
import { addConnectionFlags, addResultsFlags, type ResultsFlags } from "./results-flags.ts";
import { formatOf, saveReport } from "./save-report.ts";
import { wholeNumber } from "./setting-flags.ts";

interface Flags extends ResultsFlags {
  out?: string;
  seed: string;
  json?: boolean;
}

export function addStudyCalibration(study: Command): void {
  const command = study
    .command("calibration")
    .description("compare the confidences of answers with whether they are right")
    .argument("<runs...>", "folders of runs")
    .option("-o, --out <file>", "write a report with plots as well: .html, .md, .tex or .json")
    .option("--seed <n>", "seed of the parts and of the simulated errors", "0")
    .option("--json", "print one JSON value");
  addConnectionFlags(addResultsFlags(command));
  withExamples(
    command,
    "study calibration runs/agent",
    "study calibration runs/direct-5-epochs runs/agent -o confidence.html",
  );
  command.action((paths: string[], flags: Flags) =>
    run(async (signal) => {
      const { studyCalibration } = await import("../../../evals/calibration/calibration-study.ts");
      const seed = wholeNumber("--seed", flags.seed);
      const format = formatOf(flags);
      const studies: CalibrationStudy[] = [];
      const { read } = runReader(flags, command, signal);
      for (const path of paths) studies.push(studyCalibration(await read(path), { seed }));
      if (flags.json) printJson(studies);
      else print(studies.map(renderCalibration).join("\n\n"));
      if (flags.out !== undefined) {
        const { calibrationReport } = await import("../../../evals/calibration/report.ts");
        await saveReport(calibrationReport(studies), flags.out, format);
      }
      return undefined;
    }),
  );
}
