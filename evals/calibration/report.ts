import type { Plot, ReportData, ReportPart } from "../../src/pages/report-data.ts";
import { percent, withInterval } from "../report/figures.ts";
import type { Calibration, CalibrationStudy, SignalStudy } from "./calibration-study.ts";

/** A page with one section for each run: tables, reliability diagrams and risk-coverage curves. */
export function calibrationReport(studies: readonly CalibrationStudy[]): ReportData {
  return { title: "Confidence and correctness", parts: studies.map(partOf) };
}

/** Explains the columns of `calibrationRows`. */
export const CALIBRATION_ABOUT =
  'Brier: mean squared error, from 0 (best) to 1. ECE: mean distance of confidence and accuracy over 10 bins, in percentage points; "by chance" is the 95th percentile that a perfectly calibrated confidence shows with these answers, if those of one video are right or wrong together as far as can be. "Calibrated": after an isotonic fit on other videos (5 parts), never on the same ones. AURC: mean risk of the most confident answers, in percent; between that of a perfect order and that of no relation.';

/** One row per signal, after the header row. */
export function calibrationRows(signals: readonly SignalStudy[]): string[][] {
  return [
    [
      "signal",
      "answers",
      "videos",
      "accuracy, %",
      "Brier",
      "ECE, points (by chance)",
      "calibrated: Brier",
      "ECE, points (by chance)",
      "AURC, %",
      "best to none, %",
    ],
    ...signals.map(({ signal, answers, videos, accuracy, stated, fitted, risk }) => [
      signal,
      String(answers),
      String(videos),
      withInterval(accuracy),
      ...figures(stated, "no probability"),
      ...figures(fitted, "n too small"),
      percent(risk.aurc),
      `${percent(risk.best)} to ${percent(risk.random)}`,
    ]),
  ];
}

function figures(found: Calibration | null, why: string): [string, string] {
  if (found === null) return [why, "–"];
  const { brier, error, error_by_chance } = found;
  return [brier.toFixed(4), `${percent(error)} (${percent(error_by_chance.p95)})`];
}

/** What one signal says about correctness, in a sentence or three. */
export function signalSummary({ signal, accuracy, stated, fitted, risk }: SignalStudy): string {
  const against = ({ error, error_by_chance }: Calibration) =>
    `${percent(error)} points on average, ${error > error_by_chance.p95 ? "more than" : "within what"} chance explains (${percent(error_by_chance.p95)})`;
  return [
    `${signal}: ${withInterval(accuracy)} % of the answers are right. From the most confident answers on, ${percent(risk.aurc)} % are wrong on average (AURC); a perfect order has ${percent(risk.best)} %, no relation ${percent(risk.random)} %.`,
    ...(stated === null ? [] : [`As stated, it differs from the accuracy by ${against(stated)}.`]),
    ...(fitted === null ? [] : [`Calibrated on other videos, it differs by ${against(fitted)}.`]),
  ].join(" ");
}

function partOf(study: CalibrationStudy): ReportPart {
  const { run, benchmark, extractor, basis, caveats, signals } = study;
  return {
    title: run,
    summary: signals.map(signalSummary),
    about: [
      `${benchmark}, extractor ${extractor}.`,
      ...signals.map(({ signal, title }) => `${signal}: ${title}.`),
      ...basis.map((words) => `The strategy computes its confidence as ${words}.`),
    ],
    warnings: [
      ...(caveats === null ? [] : [`${run}: ${caveats}`]),
      ...(signals.some(({ fitted }) => fitted === null)
        ? ["Fewer than 20 videos: nothing was calibrated, and the figures vary by chance."]
        : []),
    ],
    tables: [
      {
        title: "Calibration",
        about: CALIBRATION_ABOUT,
        head: calibrationRows([])[0] as string[],
        words: 1,
        rows: calibrationRows(signals).slice(1),
      },
    ],
    plots: signals.flatMap((signal) => [...reliability(signal), coverage(signal)]),
    apart: null,
    runs: [run],
    questions: [],
  };
}

function reliability({ signal, stated, fitted }: SignalStudy): Plot[] {
  const series = [
    ...(stated === null ? [] : [{ name: "as stated", of: stated }]),
    ...(fitted === null ? [] : [{ name: "calibrated on other videos", of: fitted }]),
  ];
  if (series.length === 0) return [];
  return [
    {
      title: `Reliability of ${signal}`,
      kind: "points",
      x: "mean confidence, %",
      y: "accuracy",
      chance: null,
      shares: "diagonal",
      series: series.map(({ name, of }) => ({
        name,
        points: of.bins.map(({ confidence, accuracy }) => ({
          x: 100 * confidence,
          y: accuracy.mean,
          low: accuracy.low,
          high: accuracy.high,
          label: `${name}, ${accuracy.n} answers with ${percent(confidence)} % on average: ${withInterval(accuracy)} % right`,
        })),
      })),
    },
  ];
}

/** Most points of a curve; more are thinned out evenly. */
const MOST_POINTS = 60;

function coverage({ signal, risk }: SignalStudy): Plot {
  const step = Math.max(1, Math.ceil(risk.curve.length / MOST_POINTS));
  return {
    title: `Risk and coverage by ${signal}`,
    kind: "points",
    x: "answered, from the most confident answers, %",
    y: "wrong among them",
    chance: null,
    shares: "plain",
    joined: true,
    series: [
      {
        name: signal,
        points: risk.curve
          .filter((_, place) => place % step === 0 || place === risk.curve.length - 1)
          .map(({ confidence, coverage: answered, risk: wrong }) => ({
            x: 100 * answered,
            y: wrong,
            low: null,
            high: null,
            label: `${percent(answered)} % answered, from a confidence of ${Number(confidence.toFixed(4))}: ${percent(wrong)} % wrong`,
          })),
      },
    ],
  };
}
