import type { ReportTable } from "../../src/pages/report-data.ts";
import { haveSameScorers } from "../compare/require-comparable.ts";
import { availableExtractors } from "../score/extractor-agreement.ts";
import { type MetricName, metricItems, metricTitle } from "../score/metrics.ts";
import type { Results } from "../score/read-results.ts";
import { scoreReplies } from "../score/score-replies.ts";
import { roundSum } from "../statistics/round-sum.ts";
import { continuesChain } from "./previous-run.ts";
import type { ReportOptions, ReportRun } from "./run.ts";

/* Shows whether the conclusions of a report depend on the extractor. */

const OWN = "each run's own";
/** In the column `Holds`, if there is nothing to compare the extractor with. */
const NOT_TESTED = "only one extractor";

/**
 * Ranks of the runs, and signs of their differences, under every extractor that is available for all of them, on the
 * questions that all of them have. Empty for a single run. Runs with different scorers are neither ranked nor subtracted.
 */
export function extractorTables(
  runs: readonly ReportRun[],
  { against = "first", metric = "accuracy" }: ReportOptions,
): ReportTable[] {
  const asked = runs.filter(({ score }) => score.all.all > 0);
  const [first, ...others] = asked;
  if (first === undefined || others.length === 0) return [];
  const shared = availableExtractors(first.results).filter((name) =>
    others.every(({ results }) => availableExtractors(results).includes(name)),
  );
  const owns = new Set(asked.map(({ score }) => score.extractor));
  const columns = [...(owns.size > 1 ? [OWN] : []), ...shared];
  const read = columns.map((name) =>
    asked.map(({ results }) => valuesOf(results, metric, name === OWN ? undefined : name)),
  );
  const common = [...(read[0]?.[0]?.keys() ?? [])].filter((id) =>
    read.every((of) => of.every((values) => values.has(id))),
  );
  if (common.length === 0) return [];
  const isOnly = columns.length === 1;
  const holds = isOnly ? () => NOT_TESTED : haveOneValue;
  const means = read.map((of) => of.map((values) => meanOver(values, common)));
  const ranks = means.map(ranksOf);
  const isRanked = others.every(({ results }) => haveSameScorers(first.results, results));
  return [
    {
      title: "Conclusions under each extractor",
      about: `${metricTitle(metric)} in percent${isRanked ? " with the rank in brackets" : ""}, and differences in percentage points, on the ${common.length} items that all runs have. ${isRanked ? "" : "No ranks, and no differences between runs whose answers are scored in different ways. "}${isOnly ? `Only the extractor "${columns[0]}" reads these replies, so it is not tested whether a rank or sign depends on the extractor.` : "A rank or sign holds if it is the same under every extractor."}`,
      head: ["Conclusion", ...columns, "Holds"],
      words: 1,
      rows: [
        ...asked.map(({ name }, run) => [
          name,
          ...columns.map((_, at) => {
            const rank = isRanked ? ` (${ranks[at]?.[run]})` : "";
            return `${hundredths(means[at]?.[run])}${rank}`;
          }),
          isRanked ? holds(ranks.map((of) => of[run])) : "–",
        ]),
        ...others.flatMap(({ name, results }, place) => {
          const before = against === "first" ? 0 : place;
          const base = asked[before];
          if (base === undefined || !haveSameScorers(base.results, results)) return [];
          if (against === "previous" && !continuesChain(base.results, results)) return [];
          const differences = means.map((of) => (of[place + 1] ?? 0) - (of[before] ?? 0));
          return [
            [
              `${name} minus ${base.name}`,
              ...differences.map((difference) => signed(difference)),
              holds(differences.map((difference) => Math.sign(roundSum(difference)))),
            ],
          ];
        }),
      ],
    },
  ];
}

/** Id of each item of the metric -> its value. */
function valuesOf(
  results: Results,
  metric: MetricName,
  extractor: string | undefined,
): Map<string, number> {
  const items = metricItems(metric, results, scoreReplies(results, extractor));
  return new Map(items.map(({ id, value }) => [id, value]));
}

function meanOver(values: ReadonlyMap<string, number>, ids: readonly string[]): number {
  return ids.reduce((sum, id) => sum + (values.get(id) ?? 0), 0) / ids.length;
}

/** Rank of each mean, 1 for the best; equal means share the better rank. */
function ranksOf(means: readonly number[]): number[] {
  return means.map((mean) => 1 + means.filter((other) => roundSum(other) > roundSum(mean)).length);
}

function haveOneValue(values: readonly (number | undefined)[]): string {
  return new Set(values).size === 1 ? "yes" : "no";
}

function hundredths(share: number | undefined): string {
  return (100 * (share ?? 0)).toFixed(2);
}

function signed(difference: number): string {
  const sign = Math.sign(roundSum(difference));
  return `${sign > 0 ? "+" : ""}${(100 * roundSum(difference)).toFixed(2)}`;
}
