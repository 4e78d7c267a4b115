import { resolve } from "node:path";
import type { Command } from "commander";
import type { AttributionResult } from "../../../evals/attribution/attribution.ts";
import type { AttributionFolderOptions } from "../../../evals/attribution/folder.ts";
import { benchmarks } from "../../../evals/benchmarks/define-benchmark.ts";
import { defaultStrategy } from "../../core/settings.ts";
import type { ReportData } from "../../pages/report-data.ts";
import { dataFileHelp, readBenchmarkArgument } from "./benchmark-argument.ts";
import { withExamples } from "./example.ts";
import { EXIT, print, printable, printJson, run, say, table } from "./output.ts";
import { progressLine } from "./progress.ts";
import { checkResumeChanges } from "./resume-changes.ts";
import { addRunFlags, parseRunFlags } from "./run-flags.ts";
import { writeReport } from "./save-report.ts";
import { addSettingFlags, givenSettings } from "./setting-flags.ts";

interface Flags {
  otherModel?: string;
  out?: string;
  resume?: string;
  html?: string;
  json?: boolean;
}

export function addAttribute(program: Command): void {
  const command = program
    .command("attribute")
    .description(
      "attribute errors of rrd to recognition or reasoning, on a dataset in the layout of VCRBench",
    )
    .argument("[benchmark]", `default: VCRBench; or ${dataFileHelp()} of ordering questions`)
    .option(
      "--other-model <name>",
      "a second provider:model to swap with the first in both roles; needs no step names",
    )
    .option("--out <folder>", "folder for the arms (one run each) and the results")
    .option("--resume <folder>", "continue an attribution: run missing and failed samples")
    .option("--html <file>", "write the tables and the plot to an HTML page")
    .option("--json", "print one JSON value");
  addRunFlags(command);
  addSettingFlags(command, () => true);
  withExamples(
    command,
    "attribute --data my-set --model openai:gpt-4.1",
    "attribute --data my-set --model openai:gpt-4.1 --out attributions/mine",
    "attribute --data vcrbench --model openai:gpt-4.1 --other-model google-genai:gemini-2.5-flash",
  );
  command.action((benchmark: string | undefined, flags: Flags) =>
    run(async (signal) => {
      const { attributionReport } = await import("../../../evals/attribution/report.ts");
      const { closeOcr } = await import("../../../tools/text/ocr.ts");
      const line = progressLine("attribute");
      const found = await attributed(command, benchmark, flags, {
        signal,
        progress: line.update,
        onProgress: ({ name }, { done, total }) => line.update(done, total, `samples of ${name}`),
      }).finally(async () => {
        line.done();
        await closeOcr();
      });
      const data = attributionReport(found);
      if (flags.html !== undefined) await writePage(flags.html, data);
      if (flags.json) printJson(found);
      else print(printable(inWords(data)));
      const folder = flags.resume ?? flags.out;
      if (folder !== undefined)
        say(`Arms: ${resolve(folder)}. Create a page with \`report ${folder}\`.`);
      for (const { sample, message } of found.failed) say(printable(`${sample}: ${message}`));
      return found.failed.length > 0 ? EXIT.failed : EXIT.ok;
    }),
  );
}

async function attributed(
  command: Command,
  benchmark: string | undefined,
  { otherModel: other, out, resume }: Flags,
  options: AttributionFolderOptions,
): Promise<AttributionResult> {
  const own = parseRunFlags(command);
  const settings = givenSettings(command);
  const { resumeAttribution, startAttribution } = await import(
    "../../../evals/attribution/folder.ts"
  );
  if (resume !== undefined) {
    const fixed = { ...own, ...settings, other, out, [benchmark ?? ""]: benchmark };
    return resumeAttribution(resume, checkResumeChanges(fixed, "an attribution"), options);
  }
  const ordering = benchmarks.all().find(({ tasks }) => tasks.includes("order"));
  const input = {
    benchmark: ordering?.name,
    strategy: defaultStrategy("with-model"),
    ...own,
    ...readBenchmarkArgument(benchmark, command.opts<{ data?: string }>().data),
    ...settings,
  };
  if (out !== undefined) return startAttribution(input, out, { ...options, other });
  const { attributeStages } = await import("../../../evals/attribution/attribution.ts");
  return attributeStages(input, { ...options, other });
}

async function writePage(file: string, data: ReportData): Promise<void> {
  const { reportPage } = await import("../../pages/report.ts");
  await writeReport(file, reportPage(data));
  say(`Page: ${resolve(file)}`);
}

function inWords({ parts }: ReportData): string {
  return parts
    .flatMap(({ about, warnings, tables }) => [
      [...about, ...warnings].join("\n"),
      ...tables.map(({ title, head, rows }) => `${title}\n${table([head, ...rows])}`),
    ])
    .join("\n\n");
}
