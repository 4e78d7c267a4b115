import { countOf } from "../../src/core/count-of.ts";
import type { Plot, PlotPoint, ReportData, ReportTable } from "../../src/pages/report-data.ts";
import { countedNote } from "../benchmarks/tally.ts";
import { disagreement, points, pValue } from "../compare/contrast-words.ts";
import { percent, withInterval } from "../report/figures.ts";
import { metricTitle } from "../score/metrics.ts";
import type { Effect } from "../statistics/mean-effect.ts";
import { FEWEST_CLUSTERS } from "../statistics/statistics.ts";
import type { AttributedRuns } from "./attributed-runs.ts";
import { attributeToStages, type StageAttribution } from "./shapley.ts";
import { stoppedWarning } from "./stopped-samples.ts";

/** Which stage the errors come from: a summary, tables, and a plot of the values with their intervals. */
export function stageReport(
  runs: AttributedRuns,
  found: StageAttribution = attributeToStages(runs.table, { seed: runs.seed }),
): ReportData {
  const { benchmark, strategy, relative_to, recogniser, reasoner, extractor } = runs;
  const title = `Errors by stage${relative_to === null ? "" : `, relative to ${relative_to}`}`;
  const models = [
    ...(recogniser === null ? [] : [`recogniser ${recogniser}`]),
    ...(reasoner === null ? [] : [`reasoner ${reasoner}`]),
  ];
  return {
    title,
    parts: [
      {
        title: `${title}: ${strategy} on ${benchmark}`,
        summary: stageSummary(runs, found),
        about: [
          [
            `${countOf(found.samples, "question")} on ${countOf(found.clusters, "video")}`,
            `score ${metricTitle(runs.metric)}`,
            `extractor ${extractor}`,
            ...models,
          ]
            .join(", ")
            .concat("."),
          "Every combination of stages was made right by gold, and the same questions were answered again. Intervals are 95 %, paired by question and clustered by video.",
        ],
        warnings: warningsOf(runs, found),
        tables: tablesOf(runs, found),
        plots: [plotOf(title, runs, found)],
        apart: null,
        runs: [],
        questions: [],
      },
    ],
  };
}

/** The result in sentences. */
export function stageSummary(
  { strategy, relative_to, metric }: AttributedRuns,
  { stages, combinations, gained, not_attributed, n_too_small }: StageAttribution,
): string[] {
  const [none, all] = [combinations[0], combinations.at(-1)];
  const falling = stages.toSorted((a, b) => b.value.mean - a.value.mean);
  const names = stages.map(({ stage }) => stage).join(", ");
  const gold = relative_to === null ? "gold" : `gold or ${relative_to}`;
  const missing = 1 - (none?.accuracy.mean ?? 0);
  const harm = stages.filter(({ value, p_holm }) => value.mean < 0 && p_holm <= 0.05);
  return [
    `The ${metricTitle(metric)} of ${strategy} is ${withInterval(none?.accuracy ?? null)} % as it is, and ${withInterval(all?.accuracy ?? null)} % with ${names} by ${gold}: ${effectText(gained)} points.`,
    `Of the ${percent(missing)} points that are missing, ${falling.map(({ stage, value }) => `${stage} costs ${effectText(value)}`).join(", ")}; not attributed: ${withInterval(not_attributed)}.`,
    ...(harm.length === 0
      ? []
      : [`Made right, ${harm.map(({ stage }) => stage).join(" and ")} lowers the score.`]),
    ...(n_too_small ? [TOO_SMALL] : []),
  ];
}

const TOO_SMALL = `n too small: fewer than ${FEWEST_CLUSTERS} videos, so the values have no interval.`;

/** `+3.20 [1.00, 5.00]`. */
function effectText({ mean, low, high }: Effect): string {
  const interval = low === null || high === null ? "" : ` [${points(low)}, ${points(high)}]`;
  return `${points(mean)}${interval}`;
}

function tablesOf({ relative_to, gold }: AttributedRuns, found: StageAttribution): ReportTable[] {
  const { stages, interactions, combinations, gained, not_attributed } = found;
  const sources = new Map<string, Record<string, number>>(
    gold.map(({ stage, from }) => [stage, from]),
  );
  const sourceText = (stage: string) =>
    Object.entries(sources.get(stage) ?? {})
      .map(([name, samples]) => `${name} (${samples})`)
      .join(", ") || "–";
  return [
    {
      title: "What each stage costs, in points",
      about: `Value: the Shapley value, what the score gains if the stage is made right, averaged over all orders in which the stages are made right. The values sum to the gain of all stages; what remains with all of them right is not attributed. Alone: the gain if no other stage is right. Last: the gain if all others are. p: sign-flip permutation of the value by video, with Holm's correction over the stages. Negative values are kept: that gold lowers the score.${relative_to === null ? "" : ` Gold of ${relative_to} has errors of its own: these values say how much better it is.`}`,
      head: ["stage", "gold", "value", "p (Holm)", "alone", "last"],
      words: 2,
      rows: [
        ...stages.map(({ stage, value, p_holm, solo, last }) => [
          stage,
          sourceText(stage),
          effectText(value),
          pValue(p_holm),
          effectText(solo),
          effectText(last),
        ]),
        ["all stages", "–", effectText(gained), "–", "–", "–"],
        ["not attributed", "–", withInterval(not_attributed), "–", "–", "–"],
      ],
    },
    {
      title: "Score with stages made right, in percent",
      head: ["right", "score"],
      words: 1,
      rows: combinations.map(({ stages: right, accuracy }) => [
        right.length === 0 ? "none (as it is)" : right.join(" + "),
        withInterval(accuracy),
      ]),
    },
    ...(interactions.length === 0
      ? []
      : [
          {
            title: "Stages together, in points",
            about:
              "Shapley interaction index: positive if the two stages are worth more together than one by one (both have to be right), negative if one makes up for the other.",
            head: ["stages", "interaction"],
            words: 1,
            rows: interactions.map(({ stages: two, value }) => [
              two.join(" and "),
              effectText(value),
            ]),
          },
        ]),
  ];
}

function warningsOf(
  { failed, stopped = [], at_limit = 0, without_gold, notes }: AttributedRuns,
  { stages, n_too_small }: StageAttribution,
): string[] {
  const [first] = failed;
  const [lacking] = without_gold;
  const budget = stoppedWarning(stopped);
  return [
    ...(n_too_small ? [`${TOO_SMALL} They describe these questions only.`] : []),
    ...stages.flatMap(({ stage, value, p, p_holm }) => {
      const conflict = disagreement({ low: value.low, high: value.high, p, p_holm });
      return conflict === null ? [] : [`${stage}: ${conflict}`];
    }),
    ...(first === undefined
      ? []
      : [
          `${countOf(failed.length, "sample")} failed and ${failed.length === 1 ? "is" : "are"} in no figure. The first failed with: ${first.message}`,
        ]),
    ...(budget === null ? [] : [budget]),
    ...(at_limit === 0
      ? []
      : [
          `${countOf(at_limit, "sample")} reached a budget in one of the runs and still ${at_limit === 1 ? "has" : "have"} an answer: what a stage costs includes what the budget left out.`,
        ]),
    ...(lacking === undefined
      ? []
      : [
          `${without_gold.length} ${without_gold.length === 1 ? "sample is" : "samples are"} left out for lack of gold, such as ${lacking.sample} (${lacking.lacks.join(", ") || "nothing to make right"}).`,
        ]),
    ...notes.map((note) => `${countedNote(note)}, such as ${note.examples[0]}`),
  ];
}

const SERIES = [
  ["value", "Shapley value"],
  ["solo", "alone"],
  ["last", "last"],
] as const;

function plotOf(
  title: string,
  { metric }: AttributedRuns,
  { stages, not_attributed }: StageAttribution,
): Plot {
  const point = (x: number, at: string, name: string, effect: Effect): PlotPoint => ({
    ...{ x, at, y: effect.mean, low: effect.low, high: effect.high },
    label: `${at}, ${name}: ${effectText(effect)} points`,
  });
  return {
    title,
    kind: "places",
    x: "stage",
    y: `gain in ${metricTitle(metric)}`,
    unit: "points",
    chance: null,
    series: SERIES.map(([of, name]) => ({
      name,
      points: [
        ...stages.map((one, place) => point(place, one.stage, name, one[of])),
        ...(of === "value"
          ? [
              {
                ...{ x: stages.length, at: "not attributed", y: not_attributed.mean },
                ...{ low: not_attributed.low, high: not_attributed.high },
                label: `not attributed: ${withInterval(not_attributed)} points`,
              },
            ]
          : []),
      ],
    })),
  };
}
