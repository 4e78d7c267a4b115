import { type Command, Option } from "commander";
import type { Results } from "../../../evals/score/read-results.ts";
import { withExamples } from "./example.ts";
import { print, run } from "./output.ts";
import { runReader } from "./read-runs.ts";
import {
  addConnectionFlags,
  addMetricFlag,
  addResultsFlags,
  type ResultsFlags,
  readingOptions,
} from "./results-flags.ts";
import { FORMATS, formatOf, type ReportFormat, renderReport, saveReport } from "./save-report.ts";

interface Flags extends ResultsFlags {
  out?: string;
  format?: ReportFormat;
  seed: string;
  metric: string;
}

export function configureReport(command: Command): void {
  command
    .argument(
      "<runs...>",
      "folders of runs, sweeps or attributions, or response files; all others are compared with the first",
    )
    .option("-o, --out <file>", "output file (default: report.html; other formats are printed)")
    .addOption(
      new Option("--format <name>", "default: by the extension of --out, or html").choices(FORMATS),
    )
    .option("--seed <n>", "seed of the bootstrap", "0");
  addMetricFlag(addConnectionFlags(addResultsFlags(command)));
  withExamples(
    command,
    "report runs/direct runs/rrd -o report.html",
    "report sweeps/ladder -o ladder.html",
    "report runs/direct --format latex",
    "report runs/a runs/b --metric step-accuracy --format json",
  );
  command.action((paths: string[], flags: Flags) =>
    run(async (signal) => {
      const { readForReport } = await import("../../../evals/report/input.ts");
      const { makeReport } = await import("../../../evals/report/report.ts");
      const { readMetric } = await import("../../../evals/score/metrics.ts");
      const { wholeNumber } = await import("./setting-flags.ts");
      const metric = readMetric(flags.metric);
      const {
        results,
        paths: folders,
        ...context
      } = await readForReport(paths, readingOptions(flags, command));
      const read: Results[] = [];
      const { apply } = runReader(flags, command, signal);
      for (const [place, one] of results.entries())
        read.push(await apply(one, folders[place] ?? ""));
      const { attributionParts } = await import("../../../evals/attribution/read-attribution.ts");
      const made = makeReport(read, {
        ...context,
        metric,
        seed: wholeNumber("--seed", flags.seed),
      });
      const data = { ...made, parts: [...(await attributionParts(paths)), ...made.parts] };
      const format = formatOf(flags);
      const file = flags.out ?? (format === "html" ? "report.html" : null);
      if (file === null) print((await renderReport(data, format)).trimEnd());
      else await saveReport(data, file, format);
      return undefined;
    }),
  );
}
