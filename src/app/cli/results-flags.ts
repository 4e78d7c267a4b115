import type { Command } from "commander";
import { benchmarks } from "../../../evals/benchmarks/define-benchmark.ts";
import { allLoadSettings } from "../../../evals/benchmarks/load-settings.ts";
import type { ExtractorAsked } from "../../../evals/score/extractor-settings.ts";
import type { ReadOptions } from "../../../evals/score/read-results.ts";
import { scorerSettings } from "../../../evals/scorers/choose-scorers.ts";
import { scorers } from "../../../evals/scorers/define-scorer.ts";
import { countOf } from "../../core/count-of.ts";
import { flagOf } from "../../core/declared-settings.ts";
import { oneOf } from "../../core/one-of.ts";
import { TASKS } from "../../core/shapes.ts";
import {
  addDeclaredFlags,
  addSettingFlags,
  declaredFlags,
  isForModelCalls,
  typedNumber,
} from "./setting-flags.ts";

export interface ResultsFlags extends ExtractorFlags {
  benchmark?: string;
  data?: string;
  subset?: string;
  model?: string;
  totalCostLimit?: string;
  leaveOut?: string;
  byMarks?: string;
}

export interface ExtractorFlags {
  extractor?: string;
  extractorModel?: string;
  extractorTemperature?: string;
  extractorMaxTokens?: string;
  reasoningTags?: string;
}

/** Adds the flags for reading and scoring a run or a response file. */
export function addResultsFlags(command: Command): Command {
  command
    .option("--benchmark <name>", `benchmark of a response file: ${oneOf(benchmarks.names())}`)
    .option("--data <folder>", "the data of the benchmark, if a response file does not include it")
    .option("--subset <name>", subsetHelp())
    .option(
      "--model <name>",
      "the model to read, for an MMR-V file with responses of several models",
    );
  command
    .option("--leave-out <marks>", "leave out the questions that a file of `marks` marks")
    .option("--by-marks <marks>", "add groups by a file of `marks`: marked, not marked");
  addExtractorFlags(command);
  addDeclaredFlags(command, allLoadSettings());
  return addScorerFlags(command);
}

/**
 * Adds `--scorer` and the flags of the scorers' settings; without a scorer whose flag means something else to the command.
 */
export function addScorerFlags(command: Command): Command {
  const usable = scorers
    .all()
    .filter(
      ({ needs }) =>
        needs === undefined || !command.options.some(({ long }) => long === flagOf(needs)),
    );
  command.option(
    "--scorer <name...>",
    `how answers are scored, as NAME or TASK=NAME: ${usable
      .map(({ name, tasks = TASKS }) => `${name} (${tasks.join(", ")})`)
      .join(", ")} (default: those of the benchmark)`,
  );
  return addDeclaredFlags(
    command,
    Object.assign({}, ...usable.map(({ settings = {} }) => settings)),
  );
}

/** What `--subset` chooses from: the subsets of each benchmark that has several, the default first. */
export function subsetHelp(): string {
  return benchmarks
    .all()
    .flatMap(({ title, subsets }) =>
      subsets === undefined ? [] : `${title}: ${oneOf(subsets.map(({ name }) => name))}`,
    )
    .join("; ");
}

/** Adds the flags for reading answers from replies. */
export function addExtractorFlags(command: Command): Command {
  return command
    .option(
      "--extractor <name>",
      "how to read an answer from a reply: official, sound, lmms-eval-0.7 or model-letter (default: the one that fits the prompts of the run; official for response files; that of the published protocol with --protocol official)",
    )
    .option(
      "--extractor-model <name>",
      "model-letter: the model that names the letter, as provider:model",
    )
    .option("--extractor-temperature <number>", "model-letter: default 0.7, as published")
    .option("--extractor-max-tokens <number>", "model-letter: default 16, as published")
    .option(
      "--reasoning-tags <names>",
      "lmms-eval-0.7: tags whose content is removed first (default: think,analysis)",
    );
}

/** Adds `--metric`; `readMetric` parses it. */
export function addMetricFlag(command: Command): Command {
  return command.option(
    "--metric <name>",
    "metric to compare: accuracy, step-accuracy or macro-step-accuracy (orders), majority or pass@k (several epochs)",
    "accuracy",
  );
}

/** The note on a sweep of which some runs have not started. */
export function notStartedText(count: number): string {
  return `${countOf(count, "run")} of the sweep ${count === 1 ? "has" : "have"} not started.`;
}

/** Adds the connection and generation flags for the model of `--extractor-model`. */
export function addConnectionFlags(command: Command): Command {
  addSettingFlags(command, (path) => isForModelCalls(path) || path.startsWith("generation."));
  return command.option(
    "--total-cost-limit <dollars>",
    "stop when the letters and grades that models give to all runs have cost this much",
  );
}

/** How results are read, by the flags of `addResultsFlags`. */
export function readingOptions(
  { benchmark, data, subset, model }: ResultsFlags,
  command: Command,
): ReadOptions {
  return { benchmark, data, subset, model, load: declaredFlags(command, allLoadSettings()) };
}

/** Parses the flags of `addScorerFlags`. Throws `Failure` `wrong-setting`. */
export async function scorersAsked(command: Command) {
  const { readDeclared } = await import("../../core/declared-settings.ts");
  const { ScorerNames } = await import("../../../evals/scorers/choose-scorers.ts");
  const { scorer = [] } = command.opts<{ scorer?: string[] }>();
  const declared = scorerSettings();
  return {
    scorer: ScorerNames.parse(scorer),
    settings: readDeclared(declared, declaredFlags(command, declared)),
  };
}

/** Parses the flags of `addExtractorFlags`. Throws `Failure` `wrong-usage`. */
export async function extractorAsked(flags: ExtractorFlags): Promise<ExtractorAsked> {
  const { readExtractorAsked } = await import("../../../evals/score/extractor-settings.ts");
  return readExtractorAsked({
    extractor: flags.extractor,
    extractor_model: flags.extractorModel,
    extractor_temperature: typedNumber(flags.extractorTemperature),
    extractor_max_tokens: typedNumber(flags.extractorMaxTokens),
    reasoning_tags: flags.reasoningTags,
  });
}
