import { resolve } from "node:path";
import type { Command } from "commander";
import type { AttributionResult } from "../../../evals/attribution/attribution.ts";
import { benchmarks } from "../../../evals/benchmarks/define-benchmark.ts";
import type { RunProgress } from "../../../evals/run/run-progress.ts";
import type { SweepCell } from "../../../evals/sweep/sweep-settings.ts";
import { type Failure, isFailure } from "../../core/errors.ts";
import { oneOf } from "../../core/one-of.ts";
import { defaultStrategy } from "../../core/settings.ts";
import type { ReportData } from "../../pages/report-data.ts";
import {
  addGoldFlags,
  attributeByGold,
  type GoldFlags,
  goldSources,
  showGold,
} from "./attribute-gold.ts";
import { dataFileHelp, readBenchmarkArgument } from "./benchmark-argument.ts";
import { checkOutputFile } from "./check-output-file.ts";
import { withExamples } from "./example.ts";
import { EXIT, print, printable, printJson, run, say, table } from "./output.ts";
import { progressLine } from "./progress.ts";
import { renderSweepPlan } from "./render/sweep-plan.ts";
import { addMetricFlag } from "./results-flags.ts";
import { checkResumeChanges } from "./resume-changes.ts";
import { addRunFlags, parseRunFlags } from "./run-flags.ts";
import { writeReport } from "./save-report.ts";
import { addSettingFlags, givenSettings, isForQuestions } from "./setting-flags.ts";

interface Flags extends GoldFlags {
  otherModel?: string;
  out?: string;
  resume?: string;
  html?: string;
}

export function configureAttribute(command: Command): void {
  command.argument(
    "[benchmark]",
    `${oneOf(benchmarks.names())}, or ${dataFileHelp()} (default: VCRBench)`,
  );
  addGoldFlags(command);
  command
    .option(
      "--other-model <name>",
      "ordering sets: a second provider:model to swap with the first in both roles; needs no gold",
    )
    .option("--out <folder>", "folder for the runs and the results")
    .option("--resume <folder>", "continue an attribution: run missing and failed samples")
    .option("--html <file>", "write the tables and the plot to an HTML page")
    .option("--json", "print one JSON value");
  addMetricFlag(command);
  addRunFlags(command);
  addSettingFlags(command, isForQuestions);
  withExamples(
    command,
    "attribute mmr-v --data MMR-V --model openai:gpt-4.1 --gold sidecars --dry-run",
    "attribute mmr-v --data MMR-V --model openai:gpt-4.1 --gold sidecars --out attributions/mine",
    "attribute questions.jsonl --strategy agent --model openai:gpt-4.1 --gold sidecars --stages text search",
    "attribute mmr-v --data MMR-V --model openai:gpt-4.1-mini --oracle-model openai:gpt-4.1",
    "attribute --data my-set --model openai:gpt-4.1",
    "attribute --data vcrbench --model openai:gpt-4.1 --other-model google-genai:gemini-2.5-flash",
    "attribute --resume attributions/mine",
  );
  command.action((benchmark: string | undefined, flags: Flags) =>
    run(async (signal) => {
      const { closeOcr } = await import("../../../tools/text/close-ocr.ts");
      try {
        return await attribute(command, benchmark, flags, signal);
      } catch (error) {
        if (flags.json && isFailure(error) && isStop(error))
          printJson({ error: { kind: error.kind, message: error.message, ...error.facts } });
        throw error;
      } finally {
        await closeOcr();
      }
    }),
  );
}

/** Whether a limit left no result to print. */
function isStop({ kind, facts }: Failure): boolean {
  return kind === "limit-met" || Object.keys(facts.stopped ?? {}).length > 0;
}

async function attribute(
  command: Command,
  benchmark: string | undefined,
  flags: Flags,
  signal: AbortSignal,
): Promise<number> {
  const { otherModel: other, out, resume } = flags;
  const { readMetric } = await import("../../../evals/score/metrics.ts");
  const own = parseRunFlags(command);
  const settings = givenSettings(command);
  const sources = goldSources(flags);
  if (flags.html !== undefined && !flags.dryRun) await checkOutputFile(flags.html);
  const line = progressLine("attribute");
  const options = {
    signal,
    progress: line.update,
    onProgress: ({ name }: SweepCell, { done, total }: RunProgress) =>
      line.update(done, total, `samples of ${name}`),
  };
  const byGold = { ...options, metric: readMetric(flags.metric), onNote: say };
  if (resume !== undefined) {
    const { readGold } = await import("../../../evals/run/gold-file.ts");
    const { resumeGoldAttribution } = await import(
      "../../../evals/attribution/gold-attribution.ts"
    );
    const given = {
      ...own,
      ...settings,
      "--gold": flags.gold,
      "--oracle-model": flags.oracleModel,
      "--stages": flags.stages,
      "--other-model": other,
      "--out": out,
      "--dry-run": flags.dryRun,
      [benchmark ?? ""]: benchmark,
    };
    const changes = checkResumeChanges(given, "an attribution");
    if ((await readGold(resume)) !== null) {
      const found = await resumeGoldAttribution(resume, changes, byGold).finally(line.done);
      return showGold(found, resume, flags, inWords);
    }
    const { resumeAttribution } = await import("../../../evals/attribution/folder.ts");
    return show(await resumeAttribution(resume, changes, options).finally(line.done), flags);
  }
  const ordering = benchmarks.all().find(({ tasks }) => tasks.includes("order"));
  const input = {
    benchmark: ordering?.name,
    strategy: defaultStrategy("with-model"),
    ...own,
    ...readBenchmarkArgument(benchmark, command.opts<{ data?: string }>().data),
    ...settings,
  };
  const { isByGold } = await import("../../../evals/attribution/choose-attribution.ts");
  if (await isByGold(input, sources, other)) {
    const ended = await attributeByGold(input, sources, out, flags, byGold).finally(line.done);
    return ended === null ? EXIT.ok : showGold(ended.found, ended.folder, flags, inWords);
  }
  if (flags.dryRun) {
    const { planAttribution } = await import("../../../evals/attribution/folder.ts");
    const planned = await planAttribution(input, { signal, other });
    if (flags.json) printJson(planned);
    else print(`${renderSweepPlan(planned)} Nothing was sent.`);
    return EXIT.ok;
  }
  if (out !== undefined) {
    const { startAttribution } = await import("../../../evals/attribution/folder.ts");
    return show(
      await startAttribution(input, out, { ...options, other }).finally(line.done),
      flags,
    );
  }
  const { attributeStages } = await import("../../../evals/attribution/attribution.ts");
  return show(await attributeStages(input, { ...options, other }).finally(line.done), flags);
}

async function show(found: AttributionResult, flags: Flags): Promise<number> {
  const { attributionReport } = await import("../../../evals/attribution/report.ts");
  const data = attributionReport(found);
  if (flags.json) printJson(found);
  else print(printable(inWords(data)));
  if (flags.html !== undefined) await writePage(flags.html, data);
  const folder = flags.resume ?? flags.out;
  if (folder !== undefined)
    say(`Arms: ${resolve(folder)}. Create a page with \`report ${folder}\`.`);
  const { failed, stopped, stages } = found;
  for (const { sample, message } of failed) say(printable(`${sample}: ${message}`));
  for (const { sample, by } of stopped)
    say(printable(`${sample}: stopped by the budget of ${by}.`));
  const { recognition = [], told_apart } = stages?.tests ?? {};
  const isCut = [...recognition, told_apart].some(
    (tests) => Object.keys(tests?.stopped ?? {}).length > 0,
  );
  return failed.length + stopped.length > 0 || isCut ? EXIT.failed : EXIT.ok;
}

async function writePage(file: string, data: ReportData): Promise<void> {
  const { reportPage } = await import("../../pages/report.ts");
  await writeReport(file, reportPage(data));
  say(`Page: ${resolve(file)}`);
}

function inWords({ parts }: ReportData): string {
  return parts
    .flatMap(({ summary = [], about, warnings, tables }) => [
      [...summary, ...about, ...warnings].join("\n"),
      ...tables.map(
        ({ title, about: note, head, rows }) =>
          `${title}\n${table([head, ...rows])}${note === undefined ? "" : `\n${note}`}`,
      ),
    ])
    .join("\n\n");
}
