import { Failure } from "../../src/core/errors.ts";
import { seeded, shuffle } from "../../src/core/random.ts";
import { storedSettings } from "../../src/core/settings.ts";
import { type Caveats, caveatsOf } from "../compare/caveats.ts";
import { pairItems } from "../compare/contrasts.ts";
import { requireComparable } from "../compare/require-comparable.ts";
import { hasScorer, type MetricItem, metricItems } from "../score/metrics.ts";
import type { Results } from "../score/read-results.ts";
import { scoreReplies } from "../score/score-replies.ts";
import { settingsModel } from "../score/settings-model.ts";
import { compareRuns, holm } from "../statistics/paired-statistics.ts";
import { roundSum } from "../statistics/round-sum.ts";
import { type Mean, meanShare } from "../statistics/statistics.ts";
import { type AreaArm, areasOf, type FrontierArea } from "./area.ts";
import { type CostUnit, type Spending, spendingOf } from "./spending.ts";

/**
 * A run as a point: its spending per question and its accuracy, both on the common questions, with what limits the numbers
 * of the whole run. Failed samples count as wrong, and not in the spending.
 */
export interface FrontierPoint extends Caveats {
  run: string;
  /** With the model, `rrd, openai:gpt-4.1`, if the runs have several. */
  strategy: string;
  spending: Spending;
  /** Mean of the budget per question. */
  spent: number;
  accuracy: Mean;
  /** Runs that spend no more and are significantly better (paired test, Holm's correction over all such pairs); empty: not dominated. */
  dominated_by: { run: string; difference: number; p_holm: number }[];
  /** Whether no run that spends no more has a higher accuracy, tested or not. */
  on_frontier: boolean;
}

/** The cheapest run that reached an accuracy on one half of the videos, and its accuracy on the other half. */
export interface Choice {
  /** The half on which it was chosen. */
  half: 1 | 2;
  /** Name of the run; null if none reached the accuracy. */
  run: string | null;
  chosen: number | null;
  reported: Mean | null;
  spent: number | null;
}

/** Runs on the same questions, compared by accuracy and spending. */
export interface Frontier {
  benchmark: string;
  budget: CostUnit;
  /** Number of questions that every run has; only these count. */
  common: number;
  videos: number;
  points: FrontierPoint[];
  /**
   * The range of budgets that all strategies with several budgets have in common; null if they have none, or if there are
   * fewer than two such strategies.
   */
  range: { from: number; to: number } | null;
  areas: FrontierArea[];
  target: number | null;
  choices: Choice[];
  /** Names of runs without a price, or without a result that has no error, which are left out. */
  left_out: string[];
}

/** The unit of spending and the accuracy to reach. */
export interface FrontierOptions {
  budget: CostUnit;
  /** Accuracy to reach with the lowest spending, 0 to 1. */
  target?: number;
  /** Default 0. */
  seed?: number;
}

interface Arm extends AreaArm {
  results: Results;
  spending: Spending;
}

/**
 * Compares runs by accuracy and spending. Throws `Failure` `wrong-usage` for fewer than two runs with spending, runs over
 * different data, with different scorers, or without a common question.
 *
 * @example
 * const { points } = studyFrontier([direct8, direct32, rrd], { budget: "frames" });
 */
export function studyFrontier(
  given: readonly Results[],
  { budget, target, seed = 0 }: FrontierOptions,
): Frontier {
  const [first] = given;
  for (const other of given) if (first !== undefined) requireComparable(first, other);
  const priced = given.filter(({ said }) => isKnown(spendingOf(said), budget));
  const { arms, common } = armsOf(priced, budget);
  if (priced.length > 1 && common === 0)
    throw new Failure("wrong-usage", "The runs have no question in common.");
  const kept = new Set(arms.map(({ results }) => results));
  const left_out = given.filter((results) => !kept.has(results)).map(({ name }) => name);
  if (first === undefined || arms.length < 2)
    throw new Failure(
      "wrong-usage",
      `Not enough runs with known ${budget} (${arms.length}): give at least two${left_out.length === 0 ? "" : `; ${left_out.join(", ")} ${left_out.length === 1 ? "has" : "have"} none`}.`,
    );
  const within = withModels(arms).sort(
    (a, b) => a.spent - b.spent || accuracyOf(b.items) - accuracyOf(a.items),
  );
  const videos = new Set(within[0]?.items.map(({ cluster }) => cluster));
  const { range, areas } = areasOf(within, seed);
  return {
    benchmark: first.benchmark.name,
    budget,
    common,
    videos: videos.size,
    points: pointsOf(within, seed),
    range,
    areas,
    target: target ?? null,
    choices: target === undefined ? [] : choose(within, target, seed),
    left_out,
  };
}

/**
 * The runs on the questions that all of them have; spending is over the samples of these. A run without known spending on
 * them is left out, which may leave more questions in common.
 */
function armsOf(runs: readonly Results[], budget: CostUnit): { arms: Arm[]; common: number } {
  const scored = runs.map((results) => ({
    results,
    items: metricItems("accuracy", results, scoreReplies(results)),
    samples: new Set(
      results.said
        .filter(({ sample }) => hasScorer(results.benchmark, sample))
        .map(({ sample }) => sample.id),
    ),
  }));
  const common = inAll(scored.map(({ items }) => new Set(items.map(({ id }) => id))));
  const samples = inAll(scored.map((one) => one.samples));
  const arms = scored.flatMap(({ results, items }): Arm[] => {
    const spending = spendingOf(results.said.filter(({ sample }) => samples.has(sample.id)));
    const spent = spending?.total[budget] ?? null;
    if (spending === null || spent === null) return [];
    const strategy = storedSettings(results.header?.settings)?.strategy ?? results.name;
    const own = items.filter(({ id }) => common.has(id));
    return [{ results, strategy, spending, spent: roundSum(spent), items: own }];
  });
  if (arms.length === runs.length || arms.length < 2) return { arms, common: common.size };
  return armsOf(
    arms.map(({ results }) => results),
    budget,
  );
}

/** Runs of several models are not one curve, even of one strategy: names the strategies with their models. */
function withModels(arms: readonly Arm[]): Arm[] {
  const modelOf = new Map(arms.map((arm) => [arm, settingsModel(arm.results)]));
  const models = new Set([...modelOf.values()].filter((model) => model !== null));
  return arms.map((arm) => {
    const model = modelOf.get(arm) ?? null;
    return models.size < 2 || model === null
      ? arm
      : { ...arm, strategy: `${arm.strategy}, ${model}` };
  });
}

function isKnown(spending: Spending | null, budget: CostUnit): boolean {
  return (spending?.total[budget] ?? null) !== null;
}

function inAll([first = new Set(), ...others]: readonly Set<string>[]): Set<string> {
  return new Set([...first].filter((id) => others.every((own) => own.has(id))));
}

function accuracyOf(items: readonly MetricItem[]): number {
  return roundSum(items.reduce((sum, { value }) => sum + value, 0) / items.length);
}

function pointsOf(arms: readonly Arm[], seed: number): FrontierPoint[] {
  const better = arms.flatMap((dear) =>
    arms
      .filter(
        (cheap) => cheap.spent <= dear.spent && accuracyOf(cheap.items) > accuracyOf(dear.items),
      )
      .map((cheap) => {
        const { difference, p } = compareRuns(pairItems(dear.items, cheap.items), { seed });
        return { dear, cheap, difference, p };
      }),
  );
  const adjusted = holm(better.map(({ p }) => p));
  return arms.map((arm) => {
    const pairs = better
      .map((pair, place) => ({ ...pair, p_holm: adjusted[place] as number }))
      .filter(({ dear }) => dear === arm);
    return {
      run: arm.results.name,
      strategy: arm.strategy,
      spending: arm.spending,
      spent: arm.spent,
      accuracy: meanShare(arm.items),
      dominated_by: pairs
        .filter(({ p_holm }) => p_holm <= 0.05)
        .map(({ cheap, difference, p_holm }) => ({ run: cheap.results.name, difference, p_holm })),
      on_frontier: pairs.length === 0,
      ...caveatsOf(arm.results),
    };
  });
}

/** Chooses on one half and reports on the other: the same videos for both would favour lucky runs. */
function choose(arms: readonly Arm[], target: number, seed: number): Choice[] {
  const videos = shuffle(
    [...new Set((arms[0] as Arm).items.map(({ cluster }) => cluster))].sort(),
    seeded("halves", seed),
  );
  const firstHalf = new Set(videos.slice(0, Math.ceil(videos.length / 2)));
  return ([1, 2] as const).map((half): Choice => {
    const isChosenOn = ({ cluster }: MetricItem) => firstHalf.has(cluster) === (half === 1);
    const reached = arms
      .map((arm) => ({ arm, own: arm.items.filter(isChosenOn) }))
      .filter(({ own }) => own.length > 0 && accuracyOf(own) >= roundSum(target));
    // Of equally cheap runs the most accurate, so that the order of the runs does not decide.
    const [found] = reached
      .sort((a, b) => a.arm.spent - b.arm.spent || accuracyOf(b.own) - accuracyOf(a.own))
      .map(({ arm }) => arm);
    if (found === undefined) return { half, run: null, chosen: null, reported: null, spent: null };
    const rest = found.items.filter((item) => !isChosenOn(item));
    return {
      half,
      run: found.results.name,
      chosen: accuracyOf(found.items.filter(isChosenOn)),
      reported: rest.length === 0 ? null : meanShare(rest),
      spent: found.spent,
    };
  });
}
