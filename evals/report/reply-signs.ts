import type { ReportTable } from "../../src/pages/report-data.ts";
import { withInterval } from "./figures.ts";
import type { ReportRun } from "./run.ts";

/** The share of replies with each sign that the benchmark defines; no table if it defines none. */
export function replySignTables(runs: readonly ReportRun[]): ReportTable[] {
  const [first] = runs;
  const names = [...new Set(runs.flatMap(({ score }) => score.reply_signs.map((of) => of.name)))];
  if (first === undefined || names.length === 0) return [];
  return [
    {
      title: "Replies without regard to the video",
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
