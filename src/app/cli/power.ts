import type { Command } from "commander";
import { z } from "zod";
import { countOf } from "../../core/count-of.ts";
import { Failure } from "../../core/errors.ts";
import { withExamples } from "./example.ts";
import { print, printJson, run } from "./output.ts";
import { runReader } from "./read-runs.ts";
import { renderComparisonPlan } from "./render/comparison-plan.ts";
import {
  addConnectionFlags,
  addMetricFlag,
  addResultsFlags,
  type ResultsFlags,
} from "./results-flags.ts";
import { numberFlag } from "./setting-flags.ts";

interface Flags extends ResultsFlags {
  difference: string[];
  power: string;
  alpha: string;
  comparisons: string;
  questionsPerVideo?: string;
  discordant?: string;
  correlation?: string;
  metric: string;
  seed: string;
  json?: boolean;
}

export function configurePower(command: Command): void {
  command
    .argument("[runs...]", "a pilot: two runs or response files over the same questions")
    .option("--difference <points...>", "true differences to find, in points", ["2", "5", "10"])
    .option("--power <share>", "probability of finding them", "0.8")
    .option("--alpha <share>", "two-sided level of the comparison", "0.05")
    .option("--comparisons <n>", "strategies to compare with the first one", "1")
    .option("--questions-per-video <n>", "default: as in the pilot; without a pilot 1")
    .option("--discordant <share>", "without a pilot: share of questions with different scores")
    .option("--correlation <r>", "without a pilot: correlation of differences within a video")
    .option("--seed <n>", "seed of the simulated studies", "0")
    .option("--json", "print one JSON value");
  addMetricFlag(addConnectionFlags(addResultsFlags(command)));
  withExamples(
    command,
    "power runs/direct runs/rrd",
    "power runs/direct runs/rrd --difference 3 --questions-per-video 1",
    "power --discordant 0.25 --difference 5 --comparisons 3",
  );
  command.action((paths: string[], flags: Flags) =>
    run(async (signal) => {
      const { planFromAssumptions, planFromPilot } = await import(
        "../../../evals/compare/plan-comparison.ts"
      );
      const { readMetric } = await import("../../../evals/score/metrics.ts");
      const options = readOptions(flags);
      const isGiven = command.getOptionValueSource("difference") !== "default";
      const metric = readMetric(flags.metric);
      const { read } = runReader(flags, command, signal);
      const [first, second, ...more] = paths;
      if (more.length > 0 || (first === undefined) !== (second === undefined))
        throw new Failure(
          "wrong-usage",
          `Invalid pilot of ${countOf(paths.length, "run")}: give two runs, or none and --discordant.`,
        );
      if (first !== undefined && (flags.discordant ?? flags.correlation) !== undefined)
        throw new Failure(
          "wrong-usage",
          "--discordant and --correlation replace a pilot: leave them out, or give no runs.",
        );
      const plan =
        first === undefined || second === undefined
          ? planFromAssumptions(...withPossible(readAssumptions(flags), options, isGiven))
          : planFromPilot([await read(first), await read(second)], metric, options);
      if (flags.json) printJson(plan);
      else print(renderComparisonPlan(plan));
      return undefined;
    }),
  );
}

function readOptions(flags: Flags) {
  const perVideo = flags.questionsPerVideo;
  const some = z.int().min(1).max(1000);
  return {
    differences: flags.difference.map(
      (points) => numberFlag("--difference", points, z.number().gt(0).max(100)) / 100,
    ),
    power: numberFlag("--power", flags.power, z.number().min(0.5).lt(1)),
    alpha: numberFlag("--alpha", flags.alpha, z.number().gt(0).max(0.5)),
    comparisons: numberFlag("--comparisons", flags.comparisons, some),
    ...(perVideo === undefined
      ? {}
      : { questionsPerVideo: numberFlag("--questions-per-video", perVideo, some) }),
    seed: numberFlag("--seed", flags.seed, z.int().min(0)),
  };
}

function readAssumptions({ discordant, correlation = "0" }: Flags) {
  if (discordant === undefined)
    throw new Failure(
      "wrong-usage",
      "No pilot. Give two runs, or --discordant with the share of questions that you expect to score differently, for example --discordant 0.25.",
    );
  return {
    discordant: numberFlag("--discordant", discordant, z.number().gt(0).max(1)),
    correlation: numberFlag("--correlation", correlation, z.number().min(0).max(1)),
  };
}

/** Two runs differ in the mean by at most the share of questions that they score differently. */
function withPossible<Options extends { differences: number[] }>(
  assumed: ReturnType<typeof readAssumptions>,
  options: Options,
  isGiven: boolean,
): [ReturnType<typeof readAssumptions>, Options] {
  const { discordant } = assumed;
  const possible = options.differences.filter((difference) => difference <= discordant);
  const largest = Math.max(...options.differences);
  if (isGiven && largest > discordant)
    throw new Failure(
      "wrong-usage",
      `Invalid --difference ${points(largest)}: runs that score ${points(discordant)} % of the questions differently (--discordant) differ by at most as many points.`,
      { discordant, difference: largest },
    );
  return [assumed, { ...options, differences: possible.length > 0 ? possible : [discordant] }];
}

function points(share: number): number {
  return Number((100 * share).toFixed(6));
}
