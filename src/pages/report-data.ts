import type { OrderingDiagnostics } from "../core/ordering.ts";

/*
 * The data of a report, for every format. Texts are unescaped: each writer escapes them.
 */

/** Everything that a report page shows. */
export interface ReportData {
  title: string;
  parts: ReportPart[];
}

/** Runs over the same questions. */
export interface ReportPart {
  title: string;
  /** Name of the preset whose tables these are; missing in the parts of runs over the same questions. */
  preset?: string;
  /** The results in a few sentences, shown first. */
  summary?: string[];
  /** Sentences on what was asked and how it was scored. */
  about: string[];
  /** Caveats to read before quoting a number: errors, omissions, scripted models. */
  warnings: string[];
  tables: ReportTable[];
  plots: Plot[];
  /** Published numbers that are not comparable with these: the reasons and the numbers. */
  apart: { why: { run: string; deviations: string[] }[]; tables: ReportTable[] } | null;
  /** How each run compares with the published protocol; none for response files of others. */
  certificates?: { run: string; certificate: unknown }[];
  /** Names of the runs, in the order of `ReportQuestion.said`. */
  runs: string[];
  questions: ReportQuestion[];
}

/** A table of a report. */
export interface ReportTable {
  title: string;
  /** Explanations of columns whose headings are not sufficient. */
  about?: string;
  head: string[];
  /** Number of leading text columns; the others hold numbers. */
  words: number;
  rows: string[][];
}

/** A point of a plot. */
export interface PlotPoint {
  x: number;
  /** Label on the x axis, if it is not a number. */
  at?: string;
  /** Tooltip of the point. */
  label: string;
  y: number;
  /** 95 % interval. */
  low: number | null;
  high: number | null;
}

/** A scatter plot of a report. */
export interface Plot {
  title: string;
  /** `places`: x are the indices of named groups, drawn downwards; `line`: points of a series are joined. */
  kind: "points" | "line" | "places";
  x: string;
  /** All y are shares from 0 to 1, or differences of shares with `unit: "points"`. */
  y: string;
  /** `points`, only for `places`: y are differences of shares, which may be below 0. */
  unit?: "points";
  /** `faded`: drawn in grey, for what a table rules out. */
  series: { name: string; points: PlotPoint[]; faded?: true }[];
  /** Score of random guessing. */
  chance: number | null;
  /** x is a share in per cent, from 0 to 100; `diagonal` draws the line on which y equals x. */
  shares?: "plain" | "diagonal";
  /** Joins the points of each series. */
  joined?: true;
}

export const OUTCOMES = [
  "right",
  "partly right",
  "wrong",
  "unanswered",
  "not scored",
  "failed",
  "not asked",
] as const;
/** How a reply was scored. */
export type Outcome = (typeof OUTCOMES)[number];

/** One sample with the reply of each run. */
export interface ReportQuestion {
  id: string;
  video: string;
  text: string;
  options: { letter: string; text: string }[];
  right: string;
  /** Annotated spans of the evidence, as [start, end] seconds. */
  evidence_s: [number, number][];
  /** `steps: 4`. */
  groups: string[];
  said: ReportSaid[];
}

/** What one run replied to a sample. */
export interface ReportSaid {
  /** Index into `ReportPart.runs`. */
  run: number;
  epoch: number;
  outcome: Outcome;
  answer: string | null;
  explanation: string;
  reply: string | null;
  frames_s: number[];
  /** How consistent the judgements behind an order were, and that order; null if clips were not ranked. */
  ordering: { found: OrderingDiagnostics; order: number[] } | null;
  evidence: { kind: string; start_s: number; end_s: number; clip?: number; text: string }[];
  calls: {
    stage: string;
    label: string;
    model: string;
    finish: string;
    cached: boolean;
    seconds: number;
    frames: number;
    input: number;
    output: number;
  }[];
}
