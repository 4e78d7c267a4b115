import type { ReportTable } from "../../src/pages/report-data.ts";
import { withInterval } from "./figures.ts";
import type { ReportRun } from "./run.ts";

/** The share of replies that show each sign which the benchmark looks for; no table where it looks for none. */
export function replySignTables(runs: readonly ReportRun[]): ReportTable[] {
  const [first] = runs;
  const names = [...new Set(runs.flatMap(({ score }) => score.reply_signs.map((of) => of.name)))];
  if (first === undefined || names.length === 0) return [];
  return [
    {
      title: "Replies that list without looking",
      about: `Percent of the replies. ${first.results.benchmark.replySigns?.about ?? ""}`.trim(),
      head: ["Run", "Replies", ...names],
      words: 1,
      rows: runs.map(({ name, score: { reply_signs } }) => [
        name,
        String(reply_signs[0]?.of ?? 0),
        ...names.map((sign) =>
          withInterval(reply_signs.find((of) => of.name === sign)?.rate ?? null),
        ),
      ]),
    },
  ];
}
