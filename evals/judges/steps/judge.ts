import { percent as shareText } from "../../../src/core/percent.ts";
import type { ReportTable } from "../../../src/pages/report-data.ts";
import { percent } from "../../report/figures.ts";
import type { Mean } from "../../statistics/statistics.ts";
import { defineJudge, type OfRun } from "../define-judge.ts";
import { stepJudge } from "./score-card.ts";
import { type StepSummary, summariseSteps } from "./summary.ts";

/** How far a solution follows the annotated steps. */
export const steps = defineJudge<StepSummary>({
  name: "steps",
  summary: "VideoMathQA: steps of a solution, 0 to 10",
  judges: [stepJudge],
  // As in the paper.
  runs: 3,
  summarise: summariseSteps,
  rows,
  report: (summaries) => ({ tables: stepTable(summaries) }),
});

function rows({ official, sound, all, per_run, matched, contradicting }: StepSummary): string[][] {
  return [
    ["step score, 0 to 10", "mean", "95 % interval", "over"],
    [
      "official (unreadable = 0, whole batches of 8)",
      score(official.mean),
      "",
      `${official.scored} of ${official.of} samples`,
    ],
    ["sound, judged replies only", score(sound?.mean), interval(sound, score), over(sound)],
    ["all replies (not judged = 0)", score(all?.mean), interval(all, score), over(all)],
    ["official, by run", official.per_run.map(score).join(", "), "", ""],
    ["sound, by run", per_run.map(score).join(", "), "", ""],
    ["unreadable to the released code", String(official.unread), "", ""],
    ["annotated steps matched", shareText(matched), "", ""],
    ["grades above the worth of their own steps", String(contradicting), "", ""],
  ];
}

function score(value: number | null | undefined): string {
  return value == null ? "none" : value.toFixed(2);
}

function over(mean: Mean | null): string {
  return mean === null ? "no replies" : `${mean.n} replies`;
}

function interval(mean: Mean | null, show: (value: number) => string): string {
  return mean?.low == null || mean.high === null
    ? "none"
    : `${show(mean.low)} to ${show(mean.high)}`;
}

function stepTable(summaries: readonly OfRun<StepSummary>[]): ReportTable[] {
  if (summaries.length === 0) return [];
  return [
    {
      title: "Step score, 0 to 10",
      about:
        "Official: as released, where an unreadable grade is 0 and samples that fill no batch of 8 are left out. Judged only: grades that could not be read are left out. All replies: they are 0. Means over the judge's runs.",
      head: [
        ...["Run", "Judge", "Runs", "Official", "Over", "Judged only", "All replies"],
        ...["Judged", "Not judged", "Steps matched"],
      ],
      words: 2,
      rows: summaries.map(({ run, judge, runs, official, sound, all, ...told }) => [
        ...[run, judge, String(runs), official.mean === null ? "–" : official.mean.toFixed(2)],
        ...[`${official.scored} of ${official.of}`, scoreText(sound), scoreText(all)],
        ...[String(told.judged), String(told.not_judged), percent(told.matched)],
      ]),
    },
  ];
}

function scoreText(mean: Mean | null): string {
  if (mean === null) return "–";
  const { low, high } = mean;
  const interval = low === null || high === null ? "" : ` [${low.toFixed(2)}, ${high.toFixed(2)}]`;
  return `${mean.mean.toFixed(2)}${interval}`;
}
