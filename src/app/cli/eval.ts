import { type Command, Option } from "commander";
import { benchmarks } from "../../../evals/benchmarks/define-benchmark.ts";
import { allLoadSettings } from "../../../evals/benchmarks/load-settings.ts";
import type { Grader } from "../../../evals/graders/define-grader.ts";
import type { RunPlan } from "../../../evals/run/plan-run.ts";
import type { ResumeChanges } from "../../../evals/run/prepare-run.ts";
import { resumeCommand } from "../../../evals/run/resume-command.ts";
import type { RunEnd, RunOptions } from "../../../evals/run/run.ts";
import { scorerSettings } from "../../../evals/scorers/choose-scorers.ts";
import { Failure } from "../../core/errors.ts";
import { dataFileHelp, readBenchmarkArgument } from "./benchmark-argument.ts";
import { checkEvalJudge, type EvalJudgeFlags, judgeRun } from "./eval-judging.ts";
import { evalProgress } from "./eval-progress.ts";
import { withExamples } from "./example.ts";
import { namesInYaml } from "./module-settings.ts";
import { oneOf } from "./or-list.ts";
import { EXIT, print, printJson, run, say } from "./output.ts";
import { readYaml } from "./read-yaml.ts";
import { renderPlan } from "./render/plan.ts";
import { renderScore } from "./render/score.ts";
import { addExtractorFlags, addScorerFlags, subsetHelp } from "./results-flags.ts";
import {
  addDeclaredFlags,
  addSettingFlags,
  declaredFlags,
  givenSettings,
  typedNumber,
} from "./setting-flags.ts";

interface Flags extends EvalJudgeFlags {
  config?: string;
  out?: string;
  resume?: string;
  dryRun?: boolean;
  evidenceTest?: boolean;
  json?: boolean;
}

/** Flag -> name in the settings of a run. */
const OWN_FLAGS = {
  data: "data",
  subset: "subset",
  protocol: "protocol",
  limit: "limit",
  sampleId: "sample_id",
  sampleShuffle: "sample_shuffle",
  epochs: "epochs",
  optionOrders: "option_orders",
  maxSamples: "max_samples",
  failOnError: "fail_on_error",
  totalCostLimit: "total_cost_limit",
  skipMissing: "skip_missing",
  descriptions: "descriptions",
  extractor: "extractor",
  extractorModel: "extractor_model",
  extractorTemperature: "extractor_temperature",
  extractorMaxTokens: "extractor_max_tokens",
  reasoningTags: "reasoning_tags",
  scorer: "scorer",
} as const;
/** Those of them that stay texts if they look like numbers. */
const TEXTS: readonly string[] = ["sample_id", "data", "scorer"];

export function addEval(program: Command): void {
  const command = program
    .command("eval")
    .description("run a strategy on a benchmark; --resume continues an interrupted run")
    .argument(
      "[benchmark]",
      `${oneOf(benchmarks.names())}, ${dataFileHelp()}, or a file of your own (.ts)`,
    )
    .option("--config <file>", "YAML file with the same settings; flags override it")
    .addOption(new Option("--out <folder>", "folder of the run (default: a new one under runs/)"))
    .option("--resume <run>", "continue a run: run missing and failed samples")
    .option("--dry-run", "count calls and frames, estimate the cost, and send nothing")
    .option(
      "--descriptions <which>",
      "descriptions that rrd orders: recognised, or gold (the step names of datasets that have them) (default: recognised)",
    )
    .option(
      "--evidence-test",
      "ask every answered question again with all evidence, with only the cited evidence, and without it (at most 3 more calls each)",
    )
    .option("--judge <kind>", "judge the replies afterwards, as `judge` does, by --judge-model")
    .option("--json", "print one JSON value");
  addRunFlags(command);
  addSettingFlags(command, () => true);
  withExamples(
    command,
    "eval vcrbench --data VCRBench --strategy rrd --model openai:gpt-4.1 --limit 10",
    "eval mmr-v --data MMR-V --strategy direct --model openai:gpt-4o --protocol official --dry-run",
    "eval questions.jsonl --strategy direct --model openai:gpt-4.1 --scorer open=exact --dry-run",
    "eval questions.csv --columns question=q,answer=label --answers index0 --strategy direct --model openai:gpt-4.1",
    "eval ./my-benchmark.ts --strategy ./my-strategy.ts --model openai:gpt-4.1",
    "eval videomathqa --data VideoMathQA --strategy direct --model openai:gpt-4.1 --judge steps --judge-model openai:gpt-4.1",
    "eval --config run.yaml --max-connections 4-16-64",
    "eval mmr-v --data MMR-V --strategy direct --model openai:gpt-4o --cost-limit 0.05 --total-cost-limit 20",
    "eval --resume runs/vcrbench-rrd-20260801-093000",
    "eval --resume runs/mmr-v-direct-20260801-093000 --total-cost-limit 40",
    "eval --resume runs/mmr-v-agent-20260801-093000 --evidence-test",
  );
  const cautions = benchmarks.all().flatMap(({ protocol }) => protocol.cautions);
  command.addHelpText("after", `\nNotes:\n${cautions.map((line) => `  ${line}`).join("\n")}\n`);
  command.action((benchmark: string | undefined, flags: Flags) =>
    run(async (signal) => {
      if (flags.resume !== undefined) return resume(command, flags, signal);
      const input = await readInput(command, benchmark, flags);
      if (flags.dryRun) return plan(input, flags, signal);
      const { newRunFolder, startRun } = await import("../../../evals/run/run.ts");
      const { readEvalSettings } = await import("../../../evals/run/eval-settings.ts");
      const asked = readEvalSettings(input);
      checkEvalJudge(flags, asked.benchmark);
      for (const caution of benchmarks.get(asked.benchmark).protocol.cautions) say(caution);
      const folder = flags.out ?? newRunFolder(asked);
      return runWithProgress(folder, flags, {}, signal, ["model", "program"], (callbacks) =>
        startRun(input, folder, { signal, ...callbacks, onNote: say }),
      );
    }),
  );
}

/** Adds the flags of a run that are not settings of a question. */
export function addRunFlags(command: Command): void {
  command
    .option(
      "--data <folder>",
      "folder of the benchmark as downloaded, with its data file and videos/; or a data file",
    )
    .option("--subset <name>", `${subsetHelp()} (default: the first)`)
    .option(
      "--protocol <name>",
      "official: the settings of the paper for the model; --dry-run shows the certificate",
    )
    .option("--limit <n>", "number of samples, or a range: 10, 10-20 (counted from 1)")
    .option("--sample-id <id...>", "only these samples")
    .option("--sample-shuffle <seed>", "shuffle the samples with this seed before --limit")
    .option("--epochs <n>", "ask every sample n times (default: 1)")
    .option(
      "--option-orders <k>",
      "ask every question with k cyclic orders of its options, at most one for each option (default: 1)",
    )
    .option("--max-samples <n>", "samples to run concurrently (default: 1.25 for each connection)")
    .option("--fail-on-error <n>", "stop after n failed samples (default: never)")
    .option(
      "--total-cost-limit <dollars>",
      "stop when the run, with its earlier parts, has cost this much; calls in flight finish",
    )
    .option("--skip-missing", "skip samples whose video is missing");
  addExtractorFlags(command);
  addDeclaredFlags(command, allLoadSettings());
  addScorerFlags(command);
}

async function runWithProgress(
  folder: string,
  flags: Flags,
  changes: ResumeChanges,
  signal: AbortSignal,
  ask: readonly Grader["by"][],
  work: (callbacks: Pick<RunOptions, "onProgress" | "onStages">) => Promise<RunEnd>,
): Promise<number> {
  const { closeOcr } = await import("../../../tools/text/ocr.ts");
  const { progressLine } = await import("./progress.ts");
  const view = evalProgress();
  let ended: RunEnd;
  let started = false;
  try {
    ended = await work({
      onProgress: (progress) => {
        if (!started)
          say(`Run folder: ${folder}. To continue it: \`${resumeCommand("eval", folder)}\`.`);
        started = true;
        view.update(progress);
      },
      onStages: view.stages,
    });
  } finally {
    view.done();
    await closeOcr();
  }
  if (flags.evidenceTest) {
    const { runEvidenceTest } = await import("./eval-evidence-test.ts");
    await runEvidenceTest(ended.folder, changes, signal);
  }
  const { readResults } = await import("../../../evals/score/read-results.ts");
  const { scoreJson, scoreResults } = await import("../../../evals/score/score-run.ts");
  const { stoppedText } = await import("../../../evals/run/run-account.ts");
  const { withLetters } = await import("../../../evals/score/name-letters.ts");
  const { runtime } = ended.header.settings;
  const lettered = await withLetters(await readResults(ended.folder), ended.folder, {
    ask: true,
    settings: { runtime },
    signal,
  });
  const { withGrades } = await import("../../../evals/score/grade-replies.ts");
  const line = progressLine("Grading replies");
  const results = await withGrades(lettered, ended.folder, {
    ask,
    calls: { runtime },
    total_cost_limit: leftOf(ended),
    signal,
    onProgress: (done, total) => line.update(done, total, "replies"),
  }).finally(line.done);
  const score = scoreResults(results);
  if (!flags.json) print(renderScore(score));
  const judged =
    flags.judge === undefined
      ? null
      : await judgeRun(results, ended.folder, flags, {
          runtime,
          total_cost_limit: leftOf(ended),
          signal,
        });
  if (flags.json)
    printJson({ ...scoreJson(score), ...(judged === null ? {} : { judged: judged.summary }) });
  const { errors } = ended.progress;
  const stopped = sayStopped(stoppedText(score.account));
  if (errors === 0) return stopped || (judged?.failed ?? 0) > 0 ? EXIT.failed : EXIT.ok;
  say(
    `${errors} ${errors === 1 ? "sample" : "samples"} failed; retry them with \`${resumeCommand("eval", ended.folder)}\`.`,
  );
  return EXIT.failed;
}

/** Dollars of `--total-cost-limit` that the questions left. */
function leftOf({ header, progress }: RunEnd): number | null {
  const { total_cost_limit: limit } = header;
  return limit === null ? null : Math.max(0, limit - (progress.cost ?? 0));
}

/** Prints which samples a budget stopped. Returns whether there are any. */
function sayStopped(stopped: string | null): boolean {
  if (stopped !== null)
    say(`Stopped by a budget: ${stopped}. Start a new run with a higher limit to answer them.`);
  return stopped !== null;
}

/** The settings of the YAML file, overridden by flags. */
async function readInput(
  command: Command,
  benchmark: string | undefined,
  { config, judge }: Flags,
): Promise<unknown> {
  const { merged } = await import("../../../evals/run/eval-settings.ts");
  const { judge_model, ...own } = parseRunFlags(command);
  // With --judge and no scorer, the model is that of the judge only.
  const isOfJudge = judge !== undefined && own.scorer === undefined;
  const typed = {
    ...own,
    ...(judge_model === undefined || isOfJudge ? {} : { judge_model }),
    ...readBenchmarkArgument(benchmark, command.opts<{ data?: string }>().data),
    ...givenSettings(command),
  };
  return config === undefined ? typed : merged(await namesInYaml(await readYaml(config)), typed);
}

/** Parses the flags of `addRunFlags`. */
export function parseRunFlags(command: Command): Record<string, unknown> {
  const options = command.opts() as Record<string, unknown>;
  const own = Object.entries(OWN_FLAGS)
    .filter(([flag]) => options[flag] !== undefined)
    .map(([flag, name]) => [
      name,
      TEXTS.includes(name) ? options[flag] : typedNumber(options[flag]),
    ]);
  const declared = { ...allLoadSettings(), ...scorerSettings() };
  return { ...Object.fromEntries(own), ...declaredFlags(command, declared) };
}

async function resume(command: Command, flags: Flags, signal: AbortSignal): Promise<number> {
  const folder = flags.resume as string;
  const changes = checkResumeChanges(
    {
      ...parseRunFlags(command),
      ...givenSettings(command),
      "--config": flags.config,
      [command.args.join(" ")]: command.args[0],
    },
    "a run",
  );
  const { resumeRun } = await import("../../../evals/run/run.ts");
  // The program that scores is in the run's folder, and was not named by this command.
  return runWithProgress(folder, flags, changes, signal, ["model"], (callbacks) =>
    resumeRun(folder, changes, { signal, ...callbacks, onNote: say }),
  );
}

/**
 * Checks the flags given with --resume: only those that do not change results are allowed; undefined means not given.
 * Throws `Failure` `wrong-usage`, `wrong-setting`.
 */
export function checkResumeChanges(given: Record<string, unknown>, what: string): ResumeChanges {
  const { data, runtime, max_samples, fail_on_error, total_cost_limit, ...other } = given;
  const fixed = Object.keys(other).filter((name) => other[name] !== undefined);
  if (fixed.length > 0)
    throw new Failure(
      "wrong-usage",
      `--resume does not allow ${fixed.join(", ")}: ${what} keeps the settings that it started with.`,
      { given: fixed },
    );
  for (const [name, value] of Object.entries({ max_samples, fail_on_error }))
    if (value !== undefined && !(Number.isInteger(value) && (value as number) >= 1))
      throw new Failure(
        "wrong-setting",
        `Invalid --${name.replaceAll("_", "-")} ${JSON.stringify(value)}: use a whole number from 1.`,
        { name, value },
      );
  if (
    total_cost_limit !== undefined &&
    !(typeof total_cost_limit === "number" && total_cost_limit >= 0)
  )
    throw new Failure(
      "wrong-setting",
      `Invalid --total-cost-limit ${JSON.stringify(total_cost_limit)}: use dollars from 0, for example 20.`,
      { name: "total_cost_limit", value: total_cost_limit },
    );
  return { data, runtime, max_samples, fail_on_error, total_cost_limit } as ResumeChanges;
}

async function plan(input: unknown, flags: Flags, signal: AbortSignal): Promise<number> {
  const { planRun } = await import("../../../evals/run/plan-run.ts");
  const { progressLine } = await import("./progress.ts");
  const line = progressLine("Opening videos");
  let planned: RunPlan;
  try {
    const onOpened = (done: number, total: number) => line.update(done, total, "videos");
    planned = await planRun(input, { signal, onOpened, evidenceTest: flags.evidenceTest });
  } finally {
    line.done();
  }
  if (flags.json) printJson(planned);
  else print(renderPlan(planned));
  return EXIT.ok;
}
