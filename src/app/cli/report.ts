import { writeFile } from "node:fs/promises";
import { dirname, extname, resolve } from "node:path";
import { type Command, Option } from "commander";
import type { Results } from "../../../evals/score/read-results.ts";
import { Failure, toFailure } from "../../core/errors.ts";
import type { ReportData } from "../../pages/report-data.ts";
import { makeFolder } from "../../storage/make-folder.ts";
import { withExamples } from "./example.ts";
import { print, run, say } from "./output.ts";
import { applyExtractor } from "./read-runs.ts";
import {
  addConnectionFlags,
  addMetricFlag,
  addResultsFlags,
  type ResultsFlags,
} from "./results-flags.ts";

const FORMATS = ["html", "markdown", "latex", "json"] as const;
type Format = (typeof FORMATS)[number];
const EXTENSIONS: Record<string, Format> = {
  ".html": "html",
  ".htm": "html",
  ".md": "markdown",
  ".tex": "latex",
  ".json": "json",
};

interface Flags extends ResultsFlags {
  out?: string;
  format?: Format;
  seed: string;
  metric: string;
}

export function addReport(program: Command): void {
  const command = program
    .command("report")
    .description("write tables, plots and samples of runs to one self-contained page")
    .argument(
      "<runs...>",
      "folders of runs or sweeps, or response files; all others are compared with the first",
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
      const { results, paths: folders, ...context } = await readForReport(paths, flags);
      const read: Results[] = [];
      for (const [place, one] of results.entries())
        read.push(await applyExtractor(one, folders[place] ?? "", flags, command, signal));
      const data = makeReport(read, {
        ...context,
        metric,
        seed: wholeNumber("--seed", flags.seed),
      });
      const format = formatOf(flags);
      const file = flags.out ?? (format === "html" ? "report.html" : null);
      const text = await render(data, format);
      if (file === null) print(text.trimEnd());
      else {
        await writeReport(file, text);
        say(`Report: ${resolve(file)}`);
      }
      return undefined;
    }),
  );
}

function formatOf({ format, out }: Flags): Format {
  if (format !== undefined) return format;
  if (out === undefined) return "html";
  const known = EXTENSIONS[extname(out).toLowerCase()];
  if (known !== undefined) return known;
  throw new Failure(
    "wrong-usage",
    `Invalid --out ${JSON.stringify(out)}: use a name that ends in ${Object.keys(EXTENSIONS).join(", ")}, or pass --format.`,
    { out },
  );
}

async function render(data: ReportData, format: Format): Promise<string> {
  if (format === "html") return (await import("../../pages/report.ts")).reportPage(data);
  const { reportJson, reportLatex, reportMarkdown } = await import("../../pages/report-text.ts");
  if (format === "json") return reportJson(data);
  return format === "latex" ? reportLatex(data) : reportMarkdown(data);
}

/** Writes a report and creates its folder. Throws `Failure` `disk-full`, `file-unreadable`. */
export async function writeReport(file: string, text: string): Promise<void> {
  try {
    await makeFolder(dirname(file));
    await writeFile(file, text);
  } catch (error) {
    throw toFailure(error, "file-unreadable", `writing ${file}`);
  }
}
