import { percent as shareText } from "../../../src/core/percent.ts";
import type { ReportTable } from "../../../src/pages/report-data.ts";
import { percent } from "../../report/figures.ts";
import { defineJudge, type OfRun } from "../define-judge.ts";
import { mmrErrorJudge } from "./mmr-v.ts";
import { type ErrorSummary, summariseErrors } from "./summary.ts";
import { mathErrorJudge } from "./videomathqa.ts";

/** Why answers are wrong. */
export const errors = defineJudge<ErrorSummary>({
  name: "errors",
  summary: "VideoMathQA: errors of solutions; MMR-V: why an answer is wrong",
  judges: [mathErrorJudge, mmrErrorJudge],
  summarise: summariseErrors,
  rows,
  report: (summaries) => ({ tables: errorTable(summaries) }),
});

function rows({ types, judged, replies }: ErrorSummary): string[][] {
  return [
    ["error type", "replies", `of ${judged} judged`, `of all ${replies}`],
    ...types.map(({ type, about, count, of_judged, of_all }) => [
      about === "" ? type : `${type} ${about}`,
      String(count),
      shareText(of_judged),
      shareText(of_all),
    ]),
  ];
}

function errorTable(summaries: readonly OfRun<ErrorSummary>[]): ReportTable[] {
  const [first] = summaries;
  if (first === undefined) return [];
  return [
    {
      title: "Error types, by a judge",
      about: `Percent of the judged replies, and in brackets of all that the judge was asked about.${first.types.some(({ about }) => about !== "") ? " A reply may have several types." : ""}`,
      head: ["Type", ...summaries.map(({ run, judge }) => `${run}, ${judge}`)],
      words: 1,
      rows: [
        ...first.types.map(({ type, about }, index) => [
          about === "" ? type : `${type} ${about}`,
          ...summaries.map(({ types }) => {
            const found = types[index];
            return `${percent(found?.of_judged ?? null)} (${percent(found?.of_all ?? null)})`;
          }),
        ]),
        ["judged of all", ...summaries.map(({ judged, replies }) => `${judged} of ${replies}`)],
      ],
    },
  ];
}
