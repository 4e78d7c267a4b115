import type { OrderingDiagnostics } from "../core/ordering.ts";

/*
 * What a report shows, ready for any format. Every text is as it came: whoever writes it out escapes it.
 */

export interface ReportData {
  title: string;
  parts: ReportPart[];
}

/** Runs over the same questions. */
export interface ReportPart {
  title: string;
  /** What was asked and how it was scored, a sentence each. */
  about: string[];
  /** What a reader has to know before a number is quoted: errors, what was left out, scripted models. */
  warnings: string[];
  tables: ReportTable[];
  plots: Plot[];
  /** The papers' numbers, where they may not stand beside ours: why not, and the numbers. */
  apart: { why: { run: string; deviations: string[] }[]; tables: ReportTable[] } | null;
  /** How each run compares with the published protocol; none for response files of others. */
  certificates?: { run: string; certificate: unknown }[];
  /** Names of the runs, in the order of `ReportQuestion.said`. */
  runs: string[];
  questions: ReportQuestion[];
}

export interface ReportTable {
  title: string;
  /** What the columns mean, where their heads do not say it. */
  about?: string;
  head: string[];
  /** Leading columns that hold words; the others hold numbers. */
  words: number;
  rows: string[][];
}

export interface PlotPoint {
  x: number;
  /** Name of the place on the x axis, where it is no number. */
  at?: string;
  /** What the point is, for a person who asks it. */
  label: string;
  y: number;
  /** 95 % interval. */
  low: number | null;
  high: number | null;
}

export interface Plot {
  title: string;
  /** `places`: x are the indices of named groups, drawn downwards; `line`: points of a series are joined. */
  kind: "points" | "line" | "places";
  x: string;
  /** All y are shares from 0 to 1. */
  y: string;
  series: { name: string; points: PlotPoint[] }[];
  /** What guessing comes to. */
  chance: number | null;
}

export const OUTCOMES = ["right", "wrong", "unanswered", "failed", "not asked"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** One sample with what each run said to it. */
export interface ReportQuestion {
  id: string;
  video: string;
  text: string;
  options: { letter: string; text: string }[];
  right: string;
  /** Where the evidence is known to lie, as [start, end] seconds. */
  evidence_s: [number, number][];
  /** `steps: 4`. */
  groups: string[];
  said: ReportSaid[];
}

export interface ReportSaid {
  /** Index into `ReportPart.runs`. */
  run: number;
  epoch: number;
  outcome: Outcome;
  answer: string | null;
  explanation: string;
  reply: string | null;
  frames_s: number[];
  /** How consistent the judgements behind an order were, and that order; null where clips were not ranked. */
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
