import type { ReportTable } from "../../src/pages/report-data.ts";
import { percent, withInterval } from "./figures.ts";
import type { ReportRun } from "./run.ts";

/** Accuracy by the position of the right option, and how much answers depend on the order; no tables for questions without options. */
export function optionTables(runs: readonly ReportRun[]): ReportTable[] {
  const having = runs.filter(({ score }) => score.option_positions.length > 0);
  const most = Math.max(0, ...having.map(({ score }) => score.option_positions.length));
  const places = Array.from({ length: most }, (_, place) => place);
  const ordered = runs.flatMap(({ name, score }) =>
    score.option_orders === null ? [] : [{ name, orders: score.option_orders }],
  );
  const positions: ReportTable = {
    title: "Accuracy by position of the right option",
    about:
      "Percent of right answers among the results whose right option was shown at that position; unanswered ones count as wrong. In brackets: the number of these results, and the percentage of all results with at least that many options that choose the option at that position.",
    head: ["Position", ...having.map(({ name }) => name)],
    words: 1,
    rows: places.map((place) => [
      String(place + 1),
      ...having.map(({ score }) => {
        const found = score.option_positions[place];
        if (found === undefined) return "–";
        const named = percent(found.offered === 0 ? null : found.named / found.offered);
        return `${withInterval(found.accuracy)} (${found.results}; named ${named})`;
      }),
    ]),
  };
  return [
    ...(most === 0 ? [] : [positions]),
    ...(ordered.length === 0
      ? []
      : [
          {
            title: "Consistency over orders of the options",
            about:
              "Percent of the questions asked with several cyclic orders of their options. Answers are compared by the option that the letter named in the order shown; a missing answer is not equal to any answer. Only questions with results under all planned orders count; the others are left out.",
            head: [
              "Run",
              "Questions",
              "Left out",
              "Same answer in all",
              "Same in pairs",
              "Right in all",
            ],
            words: 1,
            rows: ordered.map(({ name, orders }) => [
              name,
              String(orders.questions),
              String(orders.left_out),
              withInterval(orders.same_in_all),
              withInterval(orders.same_in_pairs),
              withInterval(orders.right_in_all),
            ]),
          },
        ]),
  ];
}
