import { type Command, Option } from "commander";
import { benchmarks } from "../../../evals/benchmarks/define-benchmark.ts";
import type { Grader } from "../../../evals/graders/define-grader.ts";
import type { HoursAsked } from "../../../evals/run/hours-basis.ts";
import type { RunPlan } from "../../../evals/run/plan-run.ts";
import type { ResumeChanges } from "../../../evals/run/prepare-run.ts";
import { limitedBy, remainingDollars } from "../../../evals/run/remaining-dollars.ts";
import { resumeCommand } from "../../../evals/run/resume-command.ts";
import type { RunEnd, RunOptions } from "../../../evals/run/run.ts";
import { countOf } from "../../core/count-of.ts";
import { Failure } from "../../core/errors.ts";
import { oneOf } from "../../core/one-of.ts";
import { dataFileHelp, readBenchmarkArgument } from "./benchmark-argument.ts";
import { checkEvalJudge, type EvalJudgeFlags, judgeRun } from "./eval-judging.ts";
import { evalProgress } from "./eval-progress.ts";
import { withExamples } from "./example.ts";
import { namesInYaml } from "./module-settings.ts";
import { EXIT, print, printJson, run, say } from "./output.ts";
import { readYaml } from "./read-yaml.ts";
import { renderPlan } from "./render/plan.ts";
import { renderScore } from "./render/score.ts";
import { checkResumeChanges } from "./resume-changes.ts";
import { addHoursFlags, addRunFlags, parseHoursFlags, parseRunFlags } from "./run-flags.ts";
import { addSettingFlags, givenSettings } from "./setting-flags.ts";

interface Flags extends EvalJudgeFlags {
  config?: string;
  out?: string;
  resume?: string;
  dryRun?: boolean;
  evidenceTest?: boolean;
  json?: boolean;
}

export function configureEval(command: Command): void {
  command
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
  addHoursFlags(command);
  addSettingFlags(command, () => true);
  withExamples(
    command,
    "eval vcrbench --data VCRBench --strategy rrd --model openai:gpt-4.1 --limit 10",
    "eval mmr-v --data MMR-V --strategy direct --model openai:gpt-4o --protocol official --dry-run",
    "eval mmr-v --data MMR-V --strategy rrd --model openai:gpt-4o --dry-run --measured-from runs/pilot --requests-per-minute 500",
    "eval questions.jsonl --strategy direct --model openai:gpt-4.1 --scorer open=exact --dry-run",
    "eval questions.csv --columns question=q,answer=label --answers index0 --strategy direct --model openai:gpt-4.1",
    "eval ./my-benchmark.ts --strategy ./my-strategy.ts --model openai:gpt-4.1",
    "eval videomathqa --data VideoMathQA --strategy direct --model openai:gpt-4.1 --judge steps --judge-model openai:gpt-4.1",
    "eval --config run.yaml --max-connections 4-16-64",
    "eval mmr-v --data MMR-V --strategy direct --model openai:gpt-4o --cost-limit 0.05 --total-cost-limit 20",
    "eval mmr-v --data MMR-V --strategy direct --model openai:gpt-4o --batch",
    "eval --resume runs/vcrbench-rrd-20260801-093000",
    "eval --resume runs/mmr-v-direct-20260801-093000 --total-cost-limit 40",
    "eval --resume runs/mmr-v-agent-20260801-093000 --evidence-test",
  );
  const cautions = benchmarks.all().flatMap(({ protocol }) => protocol.cautions);
  command.addHelpText("after", `\nNotes:\n${cautions.map((line) => `  ${line}`).join("\n")}\n`);
  command.action((benchmark: string | undefined, flags: Flags) =>
    run(async (signal) => {
      const hours = parseHoursFlags(command);
      if (flags.resume !== undefined) return resume(command, flags, signal);
      const input = await readInput(command, benchmark, flags);
      if (flags.dryRun && flags.judge !== undefined)
        throw new Failure(
          "wrong-usage",
          "--dry-run does not plan a judge: leave --judge out here, and plan it with `judge RUN --dry-run` after the run.",
        );
      if (flags.dryRun) return plan(input, flags, hours, signal);
      const { newRunFolder, startRun } = await import("../../../evals/run/run.ts");
      const { readEvalSettings } = await import("../../../evals/run/eval-settings.ts");
      const asked = readEvalSettings(input);
      checkEvalJudge(flags, asked.benchmark);
      if (flags.evidenceTest) await refuseUncited(asked.settings);
      const folder = flags.out ?? newRunFolder(asked);
      return runWithProgress(
        folder,
        flags,
        {},
        signal,
        ["model", "program"],
        (callbacks) => startRun(input, folder, { signal, ...callbacks, onNote: say }),
        benchmarks.get(asked.benchmark).protocol.cautions,
      );
    }),
  );
}

async function runWithProgress(
  folder: string,
  flags: Flags,
  changes: ResumeChanges,
  signal: AbortSignal,
  ask: readonly Grader["by"][],
  work: (
    callbacks: Pick<RunOptions, "onProgress" | "onStages" | "onStep" | "onBatches">,
  ) => Promise<RunEnd>,
  cautions: readonly string[] = [],
): Promise<number> {
  const { closeOcr } = await import("../../../tools/text/close-ocr.ts");
  const { progressLine } = await import("./progress.ts");
  const view = evalProgress();
  let ended: RunEnd;
  let started = false;
  try {
    ended = await work({
      onProgress: (progress) => {
        if (!started) {
          // Not earlier: if a run cannot start, only what to correct is shown.
          for (const caution of cautions) say(caution);
          say(`Run folder: ${folder}. To continue it: \`${resumeCommand("eval", folder)}\`.`);
        }
        started = true;
        view.update(progress);
      },
      onStages: view.stages,
      onStep: view.step,
      onBatches: view.batches,
    });
  } finally {
    view.done();
    await closeOcr();
  }
  let unfinished = 0;
  if (flags.evidenceTest) {
    const { runEvidenceTest } = await import("./eval-evidence-test.ts");
    const { lines } = await runEvidenceTest(ended.folder, changes, signal);
    unfinished += lines.filter(({ error }) => error !== undefined).length;
  }
  const { readResults } = await import("../../../evals/score/read-results.ts");
  const { scoreJson, scoreResults } = await import("../../../evals/score/score-run.ts");
  const { failedGrades } = await import("../../../evals/score/failed-grades.ts");
  const { stoppedText } = await import("../../../evals/run/run-account.ts");
  const { withLetters } = await import("../../../evals/score/name-letters.ts");
  const { paidIn } = await import("../../../evals/run/paid-log.ts");
  const { runtime } = ended.header.settings;
  const { samples } = ended;
  const read = await readResults(ended.folder, samples === undefined ? {} : { samples });
  const paid = await paidIn(
    ended.folder,
    read.said.map(({ line }) => line?.usage.paid ?? 0),
  );
  const dollars = remainingDollars(ended.header.total_cost_limit, paid);
  const resume = `\`${resumeCommand("eval", ended.folder)}\``;
  const lettered = await withLetters(read, ended.folder, {
    ask: true,
    settings: { runtime },
    signal,
    resume,
    ...limitedBy(dollars),
  });
  const { withGrades } = await import("../../../evals/score/grade-replies.ts");
  const line = progressLine("Grading replies");
  const results = await withGrades(lettered, ended.folder, {
    ask,
    calls: { runtime },
    signal,
    resume,
    ...limitedBy(dollars),
    onProgress: (done, total) => line.update(done, total, "replies"),
  }).finally(line.done);
  const score = scoreResults(results);
  if (!flags.json) print(renderScore(score));
  const judged =
    flags.judge === undefined
      ? null
      : await judgeRun(results, ended.folder, flags, {
          ...{ runtime, signal, resume },
          ...limitedBy(dollars),
        });
  if (flags.json)
    printJson({ ...scoreJson(score), ...(judged === null ? {} : { judged: judged.summary }) });
  const { errors } = ended.progress;
  const stopped = sayStopped(stoppedText(score.account));
  unfinished += failedGrades(results) + (judged?.failed ?? 0);
  if (errors === 0) return stopped || unfinished > 0 ? EXIT.failed : EXIT.ok;
  say(
    `${countOf(errors, "sample")} failed; retry them with \`${resumeCommand("eval", ended.folder)}\`.`,
  );
  return EXIT.failed;
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
  const typed = {
    ...runFlags(command, judge),
    ...readBenchmarkArgument(benchmark, command.opts<{ data?: string }>().data),
    ...givenSettings(command),
  };
  return config === undefined ? typed : merged(await namesInYaml(await readYaml(config)), typed);
}

/** The flags of the run. With `--judge` and no scorer, `--judge-model` is only the judge's. */
function runFlags(command: Command, judge: string | undefined): Record<string, unknown> {
  const { judge_model, ...own } = parseRunFlags(command);
  const isOfJudge = judge !== undefined && own.scorer === undefined;
  return judge_model === undefined || isOfJudge ? own : { ...own, judge_model };
}

async function resume(command: Command, flags: Flags, signal: AbortSignal): Promise<number> {
  const folder = flags.resume as string;
  const changes = checkResumeChanges(
    {
      ...runFlags(command, flags.judge),
      ...givenSettings(command),
      "--config": flags.config,
      "--out": flags.out,
      "--dry-run": flags.dryRun,
      [command.args.join(" ")]: command.args[0],
    },
    "a run",
  );
  if (flags.judge !== undefined || flags.evidenceTest) {
    const { readEvalHeader } = await import("../../../evals/run/run-header.ts");
    const { openRunLog } = await import("../../storage/run-log.ts");
    const { benchmark, settings } = await readEvalHeader(openRunLog(folder));
    checkEvalJudge(flags, benchmark);
    if (flags.evidenceTest) await refuseUncited(settings);
  }
  const { resumeRun } = await import("../../../evals/run/run.ts");
  // The program that scores is in the run's folder, and was not named by this command.
  return runWithProgress(folder, flags, changes, signal, ["model"], (callbacks) =>
    resumeRun(folder, changes, { signal, ...callbacks, onNote: say }),
  );
}

/** Before anything is asked: the test comes after the run. */
async function refuseUncited({ strategy }: { strategy?: unknown }): Promise<void> {
  const { requireCiting } = await import("../../../evals/evidence-test/require-citing.ts");
  requireCiting(String(strategy));
}

async function plan(
  input: unknown,
  flags: Flags,
  hours: HoursAsked,
  signal: AbortSignal,
): Promise<number> {
  const { planRun } = await import("../../../evals/run/plan-run.ts");
  const { progressLine } = await import("./progress.ts");
  const line = progressLine("Opening videos");
  let planned: RunPlan;
  try {
    const onOpened = (done: number, total: number) => line.update(done, total, "videos");
    planned = await planRun(input, { signal, onOpened, evidenceTest: flags.evidenceTest, hours });
  } finally {
    line.done();
  }
  if (flags.json) printJson(planned);
  else print(renderPlan(planned));
  return EXIT.ok;
}
