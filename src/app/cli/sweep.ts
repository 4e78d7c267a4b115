import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { benchmarks } from "../../../evals/benchmarks/define-benchmark.ts";
import type { Grader } from "../../../evals/graders/define-grader.ts";
import type { HoursAsked } from "../../../evals/run/hours-basis.ts";
import type { ResumeChanges } from "../../../evals/run/prepare-run.ts";
import { limitedBy, remainingDollars } from "../../../evals/run/remaining-dollars.ts";
import { resumeCommand } from "../../../evals/run/resume-command.ts";
import { PRESETS } from "../../../evals/sweep/presets/presets.ts";
import type { PresetOptions } from "../../../evals/sweep/read-preset.ts";
import type { SweepEnd, SweepOptions, SweepPlan } from "../../../evals/sweep/sweep.ts";
import type { Sweep } from "../../../evals/sweep/sweep-settings.ts";
import { countOf } from "../../core/count-of.ts";
import { Failure } from "../../core/errors.ts";
import { oneOf } from "../../core/one-of.ts";
import { dataFileHelp, readBenchmarkArgument } from "./benchmark-argument.ts";
import { evalProgress } from "./eval-progress.ts";
import { withExamples } from "./example.ts";
import { namesInYaml } from "./module-settings.ts";
import { EXIT, print, printJson, run, say } from "./output.ts";
import { progressLine } from "./progress.ts";
import { readYaml } from "./read-yaml.ts";
import { renderSweep } from "./render/sweep.ts";
import { renderSweepPlan } from "./render/sweep-plan.ts";
import { addMetricFlag } from "./results-flags.ts";
import { checkResumeChanges } from "./resume-changes.ts";
import { addHoursFlags, addRunFlags, parseHoursFlags, parseRunFlags } from "./run-flags.ts";
import { addSettingFlags, givenSettings } from "./setting-flags.ts";

const NAMES = PRESETS.map(({ name }) => name);

interface Flags {
  preset?: string;
  benchmark?: string;
  out?: string;
  resume?: string;
  dryRun?: boolean;
  metric: string;
  json?: boolean;
}

export function configureSweep(command: Command): void {
  command
    .argument("[file]", "YAML: base, axes and arms of settings, total_cost_limit")
    .addOption(new Option("--preset <name>", "a built-in sweep; listed below").choices(NAMES))
    .option("--benchmark <name>", `${oneOf(benchmarks.names())}, or ${dataFileHelp()}`)
    .option("--out <folder>", "folder of the sweep (default: a new one under sweeps/)")
    .option("--resume <sweep>", "continue a sweep: run missing and failed samples")
    .option("--dry-run", "count calls and frames, estimate the cost, and send nothing")
    .option("--json", "print one JSON value");
  addMetricFlag(command);
  addRunFlags(command);
  addHoursFlags(command);
  addSettingFlags(command, () => true);
  repeatModel(command);
  command.addHelpText("after", presetHelp());
  withExamples(
    command,
    "sweep grid.yaml --data VCRBench --total-cost-limit 20",
    "sweep --preset rrd --data VCRBench --model openai:gpt-4.1 --limit 50 --dry-run",
    "sweep --preset vcrbench-table-1 --data VCRBench --model openai:gpt-4.1 --model google-genai:gemini-2.5-flash --dry-run",
    "sweep --preset ladder --benchmark vcrbench --data VCRBench --model openai:gpt-4.1",
    "sweep --resume sweeps/ladder-20260801-093000",
  );
  command.action((file: string | undefined, flags: Flags) =>
    run(async (signal) => {
      const { resumeSweep, startSweep } = await import("../../../evals/sweep/sweep.ts");
      const { readMetric } = await import("../../../evals/score/metrics.ts");
      readMetric(flags.metric);
      const hours = parseHoursFlags(command);
      const { resume } = flags;
      if (resume !== undefined) {
        const changes = readChanges(command, file, flags);
        return runWithProgress(resume, flags, signal, ["model"], (callbacks) =>
          resumeSweep(resume, changes, { signal, ...callbacks, onNote: say }),
        );
      }
      const sweep = await readInput(command, file, flags);
      if (flags.dryRun) return plan(sweep, flags, hours, signal);
      const folder = flags.out ?? newSweepFolder(sweep.name);
      return runWithProgress(folder, flags, signal, ["model", "program"], (callbacks) =>
        startSweep(sweep, folder, { signal, ...callbacks, onNote: say }),
      );
    }),
  );
}

/** The changes that are allowed when a sweep is resumed. Throws as `checkResumeChanges`. */
function readChanges(command: Command, file: string | undefined, flags: Flags): ResumeChanges {
  const given = {
    ...(file === undefined ? {} : { [file]: file }),
    "--preset": flags.preset,
    "--benchmark": flags.benchmark,
    "--out": flags.out,
    "--dry-run": flags.dryRun,
    ...parseRunFlags(command),
    ...givenSettings(command),
  };
  return checkResumeChanges(given, "a sweep");
}

/** The sweep of the file or preset; flags override its base settings. */
async function readInput(command: Command, file: string | undefined, flags: Flags): Promise<Sweep> {
  const { preset, benchmark } = flags;
  if ((file === undefined) === (preset === undefined))
    throw new Failure(
      "wrong-usage",
      `${file === undefined ? "No sweep given" : "A YAML file and --preset exclude each other"}. Pass either a YAML file or --preset; \`video-rrd sweep --help\` lists the presets.`,
    );
  const { total_cost_limit, judge_model, ...own } = parseRunFlags(command);
  const { model, ...settings } = givenSettings(command);
  const models = model === undefined ? [] : (model as string[]);
  const typed = {
    ...own,
    ...readBenchmarkArgument(benchmark, command.opts<{ data?: string }>().data),
    ...settings,
  };
  if (preset !== undefined) {
    const { readPreset } = await import("../../../evals/sweep/read-preset.ts");
    return readPreset(preset, typed, { models, judge_model, total_cost_limit } as PresetOptions);
  }
  const { readSweep } = await import("../../../evals/sweep/sweep-settings.ts");
  const { merged } = await import("../../../evals/run/eval-settings.ts");
  const given = await namesInYaml(await readYaml(file ?? ""));
  const limit = total_cost_limit === undefined ? {} : { total_cost_limit };
  const judge = judge_model === undefined ? {} : { judge_model };
  return readSweep(merged(given, limit), { ...typed, ...judge }, models);
}

/** `--model` may be given several times in a sweep. */
function repeatModel(command: Command): void {
  const option = command.options.find(({ long }) => long === "--model");
  if (option === undefined) return;
  option.description += "; may be repeated: all runs are made for each model";
  option.argParser((value: string, before: string[] = []) => [...before, value]);
}

function presetHelp(): string {
  const width = Math.max(...NAMES.map((name) => name.length));
  const lines = PRESETS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `\nPresets:\n${lines.join("\n")}\n`;
}

function newSweepFolder(name: string): string {
  const stamp = new Date().toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
  return resolve("sweeps", `${name.replace(/[^A-Za-z0-9_-]+/g, "-")}-${stamp}`);
}

async function runWithProgress(
  folder: string,
  flags: Flags,
  signal: AbortSignal,
  graders: readonly Grader["by"][],
  work: (
    callbacks: Pick<SweepOptions, "onProgress" | "onStages" | "onStep" | "onBatches" | "onJudging">,
  ) => Promise<SweepEnd>,
): Promise<number> {
  const { closeOcr } = await import("../../../tools/text/close-ocr.ts");
  let current: { name: string; view: ReturnType<typeof evalProgress> } | undefined;
  let judging: { name: string; line: ReturnType<typeof progressLine> } | undefined;
  let ended: SweepEnd;
  try {
    ended = await work({
      onProgress: ({ name }, progress) => {
        if (current?.name !== name) {
          if (current === undefined)
            say(`Sweep folder: ${folder}. To continue it: \`${resumeCommand("sweep", folder)}\`.`);
          current?.view.done();
          say(`${name}:`);
          current = { name, view: evalProgress() };
        }
        current.view.update(progress);
      },
      onStages: (samples) => current?.view.stages(samples),
      onStep: (stage, step) => current?.view.step(stage, step),
      onBatches: (batches) => current?.view.batches(batches),
      onJudging: ({ name }, done, total) => {
        current?.view.done();
        if (judging?.name !== name) {
          judging?.line.done();
          judging = { name, line: progressLine(`Judging ${name}`) };
        }
        judging.line.update(done, total, "judgements");
      },
    });
  } finally {
    current?.view.done();
    judging?.line.done();
    await closeOcr();
  }
  const { withLetters } = await import("../../../evals/score/name-letters.ts");
  const { readResults } = await import("../../../evals/score/read-results.ts");
  const { withGrades } = await import("../../../evals/score/grade-replies.ts");
  const { failedGrades } = await import("../../../evals/score/failed-grades.ts");
  const dollars = remainingDollars(ended.sweep.total_cost_limit, ended.paid);
  const resume = `\`${resumeCommand("sweep", folder)}\``;
  let ungraded = 0;
  for (const { folder: run, header } of ended.runs) {
    const { runtime } = header.settings;
    const lettered = await withLetters(await readResults(run), run, {
      ask: true,
      settings: { runtime },
      signal,
      resume,
      ...limitedBy(dollars),
    });
    const graded = await withGrades(lettered, run, {
      ask: graders,
      calls: { runtime },
      signal,
      resume,
      ...limitedBy(dollars),
    });
    ungraded += failedGrades(graded);
  }
  const { sweepReport } = await import("../../../evals/sweep/sweep-report.ts");
  const { readMetric } = await import("../../../evals/score/metrics.ts");
  const report = await sweepReport(ended, { metric: readMetric(flags.metric) });
  if (flags.json) printJson(report);
  else print(renderSweep(report));
  const errors = ended.runs.reduce((sum, { progress }) => sum + progress.errors, 0);
  const stopped = report.runs.filter((one) => one.stopped !== null);
  for (const { name, stopped: text } of stopped) say(`${name}: stopped by a budget: ${text}.`);
  const failed = report.judged.reduce((sum, one) => sum + one.failed, ungraded);
  if (failed > 0)
    say(
      `${failed} judgements and grades failed; retry them with \`${resumeCommand("sweep", folder)}\`.`,
    );
  if (errors === 0) return stopped.length > 0 || failed > 0 ? EXIT.failed : EXIT.ok;
  say(`${countOf(errors, "sample")} failed; retry with \`${resumeCommand("sweep", folder)}\`.`);
  return EXIT.failed;
}

async function plan(
  sweep: Sweep,
  flags: Flags,
  hours: HoursAsked,
  signal: AbortSignal,
): Promise<number> {
  const { planSweep } = await import("../../../evals/sweep/sweep.ts");
  const line = progressLine("Opening videos");
  let planned: SweepPlan;
  try {
    const onOpened = (done: number, total: number) => line.update(done, total, "videos");
    planned = await planSweep(sweep, { signal, onOpened, hours });
  } finally {
    line.done();
  }
  if (flags.json) printJson(planned);
  else print(`${renderSweepPlan(planned)} Nothing was sent.`);
  return EXIT.ok;
}
