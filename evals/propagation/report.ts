import type { Plot, ReportData, ReportPart } from "../../src/pages/report-data.ts";
import {
  disagreement,
  FEW_CLUSTERS_NOTE,
  points as inPoints,
  intervalWords,
  pValue,
} from "../compare/contrast-words.ts";
import { percent, withInterval } from "../report/figures.ts";
import type { PropagationCurve, PropagationPoint, PropagationStudy } from "./summary.ts";

/** Explains the columns of `propagationRows`. */
export const PROPAGATION_ABOUT =
  "Rate: share of the units that were damaged, over all questions. Accuracy in percent, with its 95 % interval by video. Change: points compared with rate 0 on the same questions, paired, with the p-value of the sign-flip permutation by video, not corrected for the number of rates. A question in pairs is right if all its pairs are. Gold words missed: share of the words of gold (sidecars, step names or subtitles of the data) that the evidence at their time does not have (of characters, in scripts without spaces between words); it includes the recogniser's own errors.";

/** One page with a section for each kind of error: accuracy against its rate, per run. */
export function propagationReport(studies: readonly PropagationStudy[]): ReportData {
  const errors = [...new Set(studies.flatMap(({ curves }) => curves.map(({ error }) => error)))];
  return {
    title: "How errors of recognition carry into answers",
    parts: errors.map((error) => partOf(error, studies)),
  };
}

/** One row per run and rate, after the header row. */
export function propagationRows(
  runs: readonly { run: string; curve: PropagationCurve }[],
): string[][] {
  const isCompared = runs.some(({ curve }) => hasGold(curve));
  return [
    [
      "run",
      "rate",
      "damaged",
      ...(isCompared ? ["gold words missed"] : []),
      "questions hit",
      "accuracy",
      "change",
      "95 % interval",
      "p",
      "failed",
    ],
    ...runs.flatMap(({ run, curve }) =>
      curve.points.map((point) => rowOf(run, curve, point, isCompared)),
    ),
  ];
}

function hasGold({ points }: PropagationCurve): boolean {
  return points.some(({ gold_error }) => gold_error.length > 0);
}

/** `captions 12.50 %, speech 0.00 %`. */
function goldErrorText({ gold_error }: PropagationPoint): string {
  return (
    gold_error
      .map(({ stage, words, missed }) => `${stage} ${percent(missed / words)} %`)
      .join(", ") || "–"
  );
}

function rowOf(
  run: string,
  { unit, questions }: PropagationCurve,
  point: PropagationPoint,
  isCompared: boolean,
) {
  const { rate, realised, damaged, units, questions_damaged, accuracy, difference, failed } = point;
  return [
    run,
    `${percent(realised)} %${Math.abs(realised - rate) > 0.0005 ? ` (asked ${percent(rate)} %)` : ""}`,
    `${damaged} of ${units} ${unit}`,
    ...(isCompared ? [goldErrorText(point)] : []),
    `${questions_damaged} of ${questions}`,
    withInterval(accuracy),
    difference === null ? "–" : inPoints(difference.difference),
    difference === null ? "–" : intervalWords(difference),
    difference === null ? "–" : pValue(difference.p),
    String(failed),
  ];
}

/** What the largest rate does to a run, in a sentence. */
export function curveSummary(run: string, { points, unit }: PropagationCurve): string {
  const [clean, last] = [points[0], points.at(-1)];
  if (last === undefined || clean?.accuracy == null || last.accuracy === null || last === clean)
    return `${run}: there is no rate with scores to compare with rate 0.`;
  const { difference } = last;
  const change =
    difference === null
      ? ""
      : `: ${inPoints(difference.difference)} points (${intervalWords(difference)}, p ${pValue(difference.p)})`;
  const missed =
    last.gold_error.length === 0
      ? ""
      : ` (gold words missed: ${goldErrorText(last)}, at rate 0 ${goldErrorText(clean)})`;
  return `${run}: with ${percent(last.realised)} % of the ${unit} damaged${missed}, the accuracy is ${withInterval(last.accuracy)} % instead of ${withInterval(clean.accuracy)} %${change}.`;
}

function partOf(error: string, studies: readonly PropagationStudy[]): ReportPart {
  const having = studies.flatMap((study) => {
    const curve = study.curves.find((one) => one.error === error);
    return curve === undefined ? [] : [{ study, run: study.run, curve }];
  });
  const [first] = having;
  const rows = propagationRows(having);
  return {
    title: error,
    summary: having.map(({ run, curve }) => curveSummary(run, curve)),
    about: [
      `The perturbation ${first?.curve.summary}. The questions of each run were asked again from the damaged evidence, with nothing of the video itself in the calls.`,
      ...having.map(
        ({ study }) =>
          `${study.run}: ${study.benchmark}, strategy ${study.strategy}, extractor ${study.extractor}, seed ${study.seed}.`,
      ),
    ],
    warnings: having.flatMap(({ study, curve }) => warningsOf(study, curve)),
    tables: [
      {
        title: "Accuracy by rate",
        about: PROPAGATION_ABOUT,
        head: rows[0] as string[],
        words: 1,
        rows: rows.slice(1),
      },
    ],
    plots: [plotOf(error, having)],
    apart: null,
    runs: having.map(({ run }) => run),
    questions: [],
  };
}

/** Caveats of one curve. */
export function warningsOf(
  { run, left_out }: PropagationStudy,
  { unit, points, incomplete }: PropagationCurve,
): string[] {
  const failed = Math.max(0, ...points.map((point) => point.failed));
  const unscored = Math.max(0, ...points.map((point) => point.unscored));
  return [
    ...(left_out > 0
      ? [`${run}: ${left_out} samples have no recognised evidence and are left out.`]
      : []),
    ...(incomplete > 0
      ? [
          `${run}: left out are ${incomplete} questions in pairs of which some pair was not asked or has no ${unit}.`,
        ]
      : []),
    ...(failed > 0
      ? [`${run}: up to ${failed} questions at a rate have no result; run the command again.`]
      : []),
    ...(unscored > 0
      ? [
          `${run}: ${unscored} ${unscored === 1 ? "question has a reply but no score, and is left out" : "questions have replies but no scores, and are left out"}: the run has no scorer for that task, or one that asks a model or a program. Choose another with \`eval --scorer\` for a new run.`,
        ]
      : []),
    ...points.flatMap(({ realised, difference }) => {
      const conflict =
        difference === null ? null : disagreement({ ...difference, p_holm: difference.p });
      return conflict === null ? [] : [`${run}, rate ${percent(realised)} %: ${conflict}`];
    }),
    ...(points.some(({ difference }) => difference?.n_too_small)
      ? [`${run}: ${FEW_CLUSTERS_NOTE}`]
      : []),
    ...((points[0]?.units ?? 0) < 100
      ? [`${run}: only ${points[0]?.units ?? 0} ${unit}, so a rate is coarse.`]
      : []),
  ];
}

function plotOf(error: string, having: readonly { run: string; curve: PropagationCurve }[]): Plot {
  return {
    title: `Accuracy against ${error}`,
    kind: "points",
    x: "damaged, %",
    y: "accuracy",
    chance: null,
    joined: true,
    series: having.map(({ run, curve }) => ({
      name: run,
      points: curve.points.flatMap(({ realised, accuracy }) =>
        accuracy === null
          ? []
          : [
              {
                x: 100 * realised,
                y: accuracy.mean,
                low: accuracy.low,
                high: accuracy.high,
                label: `${run}, ${percent(realised)} % of the ${curve.unit} damaged: ${withInterval(accuracy)} %`,
              },
            ],
      ),
    })),
  };
}
