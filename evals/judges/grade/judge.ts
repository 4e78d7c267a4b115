import { percent as shareText } from "../../../src/core/percent.ts";
import { percent } from "../../report/figures.ts";
import type { Results } from "../../score/read-results.ts";
import { type Mean, meanShare } from "../../statistics/statistics.ts";
import { defineJudge } from "../define-judge.ts";
import type { SummaryOptions } from "../judge.ts";
import { type Judged, judgedReplies } from "../judged-replies.ts";
import type { Judging } from "../judging.ts";
import { gradeJudge } from "../open-answer.ts";

/** The grades of open answers. */
export interface GradeSummary extends Judged {
  kind: "grade";
  /** Mean grade of the graded answers, clustered by video; null without any. */
  mean: Mean | null;
  /** Answers with grade 1, with grade 0, and between. */
  right: number;
  wrong: number;
  between: number;
}

/** Grades open answers with the built-in rubric; the scorer `judged` takes one of the user's. */
export const grade = defineJudge<GradeSummary>({
  name: "grade",
  summary: "open questions: an answer against its reference, 0 to 1",
  judges: [gradeJudge(null)],
  summarise,
  rows: ({ mean, right, wrong, between, judged, replies }) => [
    ["grade of open answers", "value"],
    ["mean of the graded ones", mean === null ? "none" : shareText(mean.mean)],
    ["right (1)", String(right)],
    ["between 0 and 1", String(between)],
    ["wrong (0)", String(wrong)],
    ["graded", `${judged} of ${replies}`],
  ],
  report: (summaries) => ({
    tables:
      summaries.length === 0
        ? []
        : [
            {
              title: "Grades of open answers, by a judge",
              about: "Answers whose grade could not be read are in no mean.",
              head: ["Run", "Judge", "Mean", "Right", "Between", "Wrong", "Graded"],
              words: 2,
              rows: summaries.map(
                ({ run, judge, mean, right, between, wrong, judged, replies }) => [
                  ...[run, judge, percent(mean?.mean ?? null), String(right), String(between)],
                  ...[String(wrong), `${judged} of ${replies}`],
                ],
              ),
            },
          ],
  }),
});

function summarise(results: Results, judging: Judging, options: SummaryOptions): GradeSummary {
  const { told, replies } = judgedReplies(results, judging, gradeJudge(null), options);
  const graded = replies.flatMap(({ subject: { sample }, parts }) =>
    parts.flatMap(({ value }) =>
      value === null
        ? []
        : [{ id: sample.id, cluster: results.benchmark.cluster(sample), value: value.grade }],
    ),
  );
  const right = graded.filter(({ value }) => value === 1).length;
  const wrong = graded.filter(({ value }) => value === 0).length;
  return {
    ...told,
    kind: "grade",
    mean: graded.length === 0 ? null : meanShare(graded),
    ...{ right, wrong, between: graded.length - right - wrong },
  };
}
