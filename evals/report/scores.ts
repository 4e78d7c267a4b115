import type { ReportTable } from "../../src/pages/report-data.ts";
import { isCoefficient } from "../score/metrics.ts";
import type { Mean } from "../statistics/statistics.ts";
import { percent, withInterval } from "./figures.ts";
import type { ReportRun } from "./run.ts";

/* Scores of a run other than its accuracy. All numbers of a table have the same unit. */

export function scoreTables(runs: readonly ReportRun[]): ReportTable[] {
  return [
    ...stepAccuracies(runs),
    ...overEpochs(runs),
    ...officialScores(runs),
    ...measureTables(runs),
  ];
}

function stepAccuracies(runs: readonly ReportRun[]): ReportTable[] {
  const rows = runs.flatMap(({ name, score: { step_accuracy } }) =>
    step_accuracy === null
      ? []
      : [[name, withInterval(step_accuracy.micro), withInterval(step_accuracy.macro)]],
  );
  if (rows.length === 0) return [];
  return [
    {
      title: "Step accuracy",
      about:
        "Percent of right positions in the orders, over all questions and epochs; without an answer no position is right. Micro: over all positions (the released avg_step_accuracy). Macro: the mean of the shares of the questions (the paper's formula).",
      head: ["Run", "Micro", "Macro"],
      words: 1,
      rows,
    },
  ];
}

function overEpochs(runs: readonly ReportRun[]): ReportTable[] {
  const repeated = runs.flatMap(({ name, score: { over_epochs } }) =>
    over_epochs === null ? [] : [{ name, ...over_epochs }],
  );
  if (repeated.length === 0) return [];
  const most = Math.max(...repeated.map(({ pass_at }) => pass_at.length));
  return [
    {
      title: "Majority and pass@k",
      about:
        "Percent. Majority: the most frequent answer over the epochs, ties to the lowest epoch. pass@k: the probability that at least one of k epochs is right, over the n questions with all epochs.",
      head: [
        "Run",
        "Epochs",
        "Majority",
        ...Array.from({ length: most }, (_, place) => `pass@${place + 1}`),
      ],
      words: 1,
      rows: repeated.map(({ name, epochs, majority, pass_at }) => [
        name,
        String(epochs),
        withInterval(majority),
        ...Array.from({ length: most }, (_, place) => withNumber(pass_at[place])),
      ]),
    },
  ];
}

function withNumber(mean: Mean | undefined): string {
  return mean === undefined ? "–" : `${withInterval(mean)} (n ${mean.n})`;
}

function officialScores(runs: readonly ReportRun[]): ReportTable[] {
  const several = runs.some(({ score }) => score.over_epochs !== null);
  return named(
    {
      title: `Scores of the released code${several ? ", first epoch only" : ""}`,
      about: `Percentages with the names of the released code${several ? ", which supports a single epoch: the other epochs are left out" : ""}.`,
    },
    runs,
    ({ score }) =>
      Object.entries(score.official).flatMap(([name, value]) => {
        const shown = officialNumber(value);
        return shown === null ? [] : [[name, shown]];
      }),
  );
}

function officialNumber(value: unknown): string | null {
  if (typeof value === "number") return value.toFixed(2);
  if (typeof value !== "object" || value === null || !("accuracy" in value)) return null;
  const { accuracy, count } = value as { accuracy: unknown; count?: unknown };
  return typeof accuracy === "string" ? `${accuracy.replace("%", "")} (${count})` : null;
}

function measureTables(runs: readonly ReportRun[]): ReportTable[] {
  const measures = ({ score }: ReportRun) => Object.entries(score.measures);
  return [
    ...named(
      {
        title: "Further measures",
        about: "Percent of the replies, over all epochs; samples without a reply are left out.",
      },
      runs,
      (run) =>
        measures(run).flatMap(([name, value]) =>
          isCoefficient(name) ? [] : [[name, percent(value)]],
        ),
    ),
    ...named(
      {
        title: "Agreement with the right orders",
        about: "From -1 to 1, over replies with an order.",
      },
      runs,
      (run) =>
        measures(run).flatMap(([name, value]) =>
          isCoefficient(name) ? [[name, value === null ? "–" : value.toFixed(4)]] : [],
        ),
    ),
  ];
}

/** A table with one column per name and one row per run; empty without names. */
function named(
  heading: Pick<ReportTable, "title" | "about">,
  runs: readonly ReportRun[],
  of: (run: ReportRun) => string[][],
): ReportTable[] {
  const cells = runs.map((run) => new Map(of(run).map(([name = "", text = ""]) => [name, text])));
  const names = [...new Set(cells.flatMap((row) => [...row.keys()]))];
  if (names.length === 0) return [];
  return [
    {
      ...heading,
      head: ["Run", ...names],
      words: 1,
      rows: runs.map(({ name }, place) => [
        name,
        ...names.map((column) => cells[place]?.get(column) ?? "–"),
      ]),
    },
  ];
}
