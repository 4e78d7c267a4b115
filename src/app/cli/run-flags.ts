import type { Command } from "commander";
import { z } from "zod";
import { allLoadSettings } from "../../../evals/benchmarks/load-settings.ts";
import type { HoursAsked } from "../../../evals/run/hours-basis.ts";
import { scorerSettings } from "../../../evals/scorers/choose-scorers.ts";
import { Failure } from "../../core/errors.ts";
import { addExtractorFlags, addScorerFlags, subsetHelp } from "./results-flags.ts";
import { addDeclaredFlags, declaredFlags, numberFlag, typedNumber } from "./setting-flags.ts";

/** Flag -> name in the settings of a run. */
const OWN_FLAGS = {
  data: "data",
  subset: "subset",
  protocol: "protocol",
  limit: "limit",
  sampleId: "sample_id",
  sampleShuffle: "sample_shuffle",
  leaveOut: "leave_out",
  epochs: "epochs",
  optionOrders: "option_orders",
  maxSamples: "max_samples",
  failOnError: "fail_on_error",
  totalCostLimit: "total_cost_limit",
  skipMissing: "skip_missing",
  keepRequests: "keep_requests",
  workers: "workers",
  sampleTries: "sample_tries",
  descriptions: "descriptions",
  extractor: "extractor",
  extractorModel: "extractor_model",
  extractorTemperature: "extractor_temperature",
  extractorMaxTokens: "extractor_max_tokens",
  reasoningTags: "reasoning_tags",
  scorer: "scorer",
} as const;
/** Those of them that stay texts if they look like numbers. */
const TEXTS: readonly string[] = ["sample_id", "data", "leave_out", "scorer"];

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
    .option("--leave-out <marks>", "do not ask the questions that a file of `marks` marks")
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
    .option("--skip-missing", "skip samples whose video is missing")
    .option(
      "--workers <where>",
      "local: this process asks the questions; remote: processes of `worker` with the same --store do, and this one collects their results (default: local)",
    )
    .option(
      "--sample-tries <n>",
      "with remote workers: times a sample may end its worker before it is parked as an error (default: 3)",
    )
    .option(
      "--keep-requests",
      "store the messages of each sample's model calls, for export --format inspect",
    );
  addExtractorFlags(command);
  addDeclaredFlags(command, allLoadSettings());
  addScorerFlags(command);
}

/** Adds the flags by which `--dry-run` estimates hours. */
export function addHoursFlags(command: Command): void {
  command
    .option("--call-seconds <s>", "with --dry-run: seconds that a model call takes (default: 5)")
    .option(
      "--measured-from <run>",
      "with --dry-run: estimate hours from the times of an earlier run",
    );
}

/** Parses the flags of `addHoursFlags`. Throws `Failure` `wrong-usage`. */
export function parseHoursFlags(command: Command): HoursAsked {
  const { callSeconds, measuredFrom, dryRun } = command.opts<{
    callSeconds?: string;
    measuredFrom?: string;
    dryRun?: boolean;
  }>();
  const given = callSeconds !== undefined ? "--call-seconds" : "--measured-from";
  if (!dryRun && (callSeconds ?? measuredFrom) !== undefined)
    throw new Failure(
      "wrong-usage",
      `${given} is only for --dry-run. Add --dry-run, or leave it out.`,
      {
        flag: given,
      },
    );
  return {
    ...(callSeconds === undefined
      ? {}
      : { call_s: numberFlag("--call-seconds", callSeconds, z.number().min(0.01).max(86_400)) }),
    ...(measuredFrom === undefined ? {} : { measured_from: measuredFrom }),
  };
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
