import { countOf } from "../../src/core/count-of.ts";
import type { Plot, ReportData } from "../../src/pages/report-data.ts";
import { caveatsText } from "../compare/caveats.ts";
import { points as inPoints, pValue } from "../compare/contrast-words.ts";
import { percent, withInterval } from "../report/figures.ts";
import { roundSum } from "../statistics/round-sum.ts";
import { curvesOf } from "./area.ts";
import type { Frontier, FrontierPoint } from "./frontier.ts";
import { type CostUnit, spread } from "./spending.ts";

/** Numbers of questions per video for which the table divides the spending of recognition. */
const SHARED_BY = [1, 5, 20] as const;

const UNITS: Record<CostUnit, string> = {
  frames: "frames per question, each sending counted",
  tokens: "input and output tokens per question",
  dollars: "dollars per question, as if nothing had been stored",
};

/** Explains the tables. */
export const FRONTIER_ABOUT =
  'Spending is the mean over the questions (and epochs) whose results have no error, of those that every run has; a question in pairs spends what all its pairs spend. It includes recognition, verification, repeated calls and requests that were sent again; in a conversation, the pictures of earlier turns are sent with every turn and count each time. "with 5, 20": if so many questions on a video, and with them their pairs, share its recognition. A run is dominated only if a run that spends no more is better by the paired sign-flip test by video, with Holm\'s correction over all such pairs; "frontier": no run that spends no more has a higher accuracy.';

/** One row per run, after the header row. */
export function frontierRows({ points, budget }: Frontier): string[][] {
  return [
    [
      "run",
      budget,
      ...SHARED_BY.slice(1).map((questions) => `with ${questions}`),
      "recognition",
      ...(budget === "frames" ? ["distinct frames"] : []),
      "accuracy",
      "verdict",
    ],
    ...points.map((point) => [
      point.run,
      ...SHARED_BY.map((questions) => amount(spread(point.spending, budget, questions))),
      amount(point.spending.index[budget]),
      ...(budget === "frames" ? [amount(point.spending.distinct_frames)] : []),
      withInterval(point.accuracy),
      verdictOf(point),
    ]),
  ];
}

function amount(value: number | null): string {
  return value === null ? "–" : String(Number(value.toPrecision(4)));
}

function verdictOf({ dominated_by, on_frontier }: FrontierPoint): string {
  if (dominated_by.length > 0)
    return `dominated by ${dominated_by
      .map(({ run, difference, p_holm }) => `${run} (${inPoints(difference)}, p ${pValue(p_holm)})`)
      .join(", ")}`;
  return on_frontier ? "frontier" : "not dominated";
}

/** What limits the numbers of the runs: one sentence for each run that has failures, omissions or warnings. */
export function frontierCaveats({ points }: Frontier): string[] {
  return points.flatMap((point) => {
    const told = caveatsText(point);
    return told === null ? [] : [`${point.run}: ${told}.`];
  });
}

/** Says why there is no table of areas although several strategies have several budgets; null otherwise. */
export function noRangeText({ points, range, budget }: Frontier): string | null {
  return range !== null || curvesOf(points).length < 2
    ? null
    : `No mean accuracies over a range: no range of ${budget} is common to all strategies with several budgets.`;
}

/** One row per strategy with several budgets; empty without a common range. */
export function areaRows({ areas, range }: Frontier): string[][] {
  if (range === null) return [];
  return [
    ["strategy", "runs", `mean accuracy from ${amount(range.from)} to ${amount(range.to)}`],
    ...areas.map(({ strategy, points, area, low, high }) => [
      strategy,
      String(points),
      low === null || high === null
        ? `${percent(area)} (n too small)`
        : `${percent(area)} [${percent(low)}, ${percent(high)}]`,
    ]),
  ];
}

/** Sentences on the cheapest run that reaches the target. */
export function choiceLines({ choices, target, budget }: Frontier): string[] {
  return choices.map(({ half, run, chosen, reported, spent }) =>
    run === null
      ? `Half ${half} of the videos: no run reaches ${percent(target)} %.`
      : `Half ${half} of the videos: the cheapest run with at least ${percent(target)} % is ${run} (${percent(chosen)} % there, ${amount(spent)} ${budget}); on the other half it has ${withInterval(reported)} %.`,
  );
}

/** The result in sentences. */
export function frontierSummary(frontier: Frontier): string[] {
  const { points, budget, areas, range } = frontier;
  const dominated = points.filter(({ dominated_by }) => dominated_by.length > 0);
  const first = highest(areas, ({ area }) => area);
  return [
    ...accuracySentences(frontier),
    dominated.length === 0
      ? "No run is dominated: the paired tests find no run significantly better that spends no more."
      : `Dominated, because a run that spends no more is significantly better: ${dominated.map(({ run, dominated_by }) => `${run} (by ${dominated_by.map((by) => by.run).join(", ")})`).join("; ")}.`,
    ...(first[0] === undefined || range === null
      ? []
      : [
          `From ${amount(range.from)} to ${amount(range.to)} ${budget}, ${listed(first.map(({ strategy }) => strategy))} ${first.length === 1 ? "has" : "share"} the highest mean accuracy: ${percent(first[0].area)} %.`,
        ]),
  ];
}

/** The most accurate runs and the cheapest one. */
function accuracySentences({ points, budget }: Frontier): string[] {
  const best = highest(points, ({ accuracy }) => accuracy.mean);
  // Points are in the order of their spending.
  const [first] = best;
  const [cheapest] = points;
  if (first === undefined || cheapest === undefined) return [];
  const spent = `${amount(first.spent)} ${budget} per question`;
  const most =
    best.length === 1
      ? `${first.run} has the highest accuracy: ${withInterval(first.accuracy)} % for ${spent}.`
      : `${listed(best.map(({ run }) => run))} share the highest accuracy, ${percent(first.accuracy.mean)} %: ${first.run} with ${spent}.`;
  const least =
    first === cheapest
      ? "It is also the cheapest run."
      : `The cheapest run, ${cheapest.run}, has ${withInterval(cheapest.accuracy)} % for ${amount(cheapest.spent)}.`;
  return [`${most} ${least}`];
}

/** All with the highest value, up to rounding. */
function highest<T>(items: readonly T[], measure: (item: T) => number): T[] {
  const most = Math.max(...items.map((item) => roundSum(measure(item))));
  return items.filter((item) => roundSum(measure(item)) === most);
}

function listed(names: readonly string[]): string {
  return new Intl.ListFormat("en").format(names);
}

/** The page of a frontier. */
export function frontierReport(frontier: Frontier): ReportData {
  const { benchmark, budget, common, videos, left_out } = frontier;
  const noRange = noRangeText(frontier);
  const [head = [], ...rows] = frontierRows(frontier);
  const [areaHead, ...areas] = areaRows(frontier);
  return {
    title: `Accuracy against ${budget}`,
    parts: [
      {
        title: benchmark,
        summary: [...frontierSummary(frontier), ...choiceLines(frontier)],
        about: [
          `${countOf(common, "question")} on ${countOf(videos, "video")} that every run has.`,
        ],
        warnings: [
          ...frontierCaveats(frontier),
          ...(noRange === null ? [] : [noRange]),
          ...(left_out.length === 0
            ? []
            : [`Left out, because their ${budget} are not known: ${left_out.join(", ")}.`]),
        ],
        tables: [
          { title: "Runs", about: FRONTIER_ABOUT, head, words: 1, rows },
          ...(areaHead === undefined
            ? []
            : [
                {
                  title: "Strategies over the common range",
                  about: `Area under accuracy against the logarithm of ${budget}, divided by the length of the range.`,
                  head: areaHead,
                  words: 1,
                  rows: areas,
                },
              ]),
        ],
        plots: [plotOf(frontier)],
        apart: null,
        runs: [],
        questions: [],
      },
    ],
  };
}

function plotOf({ points, budget }: Frontier): Plot {
  const named = points.map((point) => ({
    ...point,
    name: point.dominated_by.length > 0 ? `${point.strategy} (dominated)` : point.strategy,
  }));
  return {
    title: `Accuracy against ${budget}`,
    kind: "points",
    x: UNITS[budget],
    y: "accuracy",
    chance: null,
    series: [...Map.groupBy(named, ({ name }) => name)].map(([name, of]) => ({
      name,
      ...(name.endsWith("(dominated)") ? { faded: true as const } : {}),
      points: of.map(({ run, spent, accuracy }) => ({
        x: spent,
        y: accuracy.mean,
        low: accuracy.low,
        high: accuracy.high,
        label: `${run}, ${amount(spent)} ${budget}: ${withInterval(accuracy)} %`,
      })),
    })),
  };
}
