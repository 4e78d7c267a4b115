import type { PublishedRow } from "../../benchmarks/published.ts";
import type { Sample } from "../../benchmarks/sample.ts";
import type { ReportRun } from "../../report/run.ts";
import type { MetricItem } from "../../score/metrics.ts";
import type { SweepInput } from "../sweep-settings.ts";

/** A sweep by name: its runs, what they need of the data, and the table of a paper that they fill. */
export interface Preset {
  name: string;
  /** One line for `--help`. */
  summary: string;
  /** Runs of one model; a function of `provider:model` if settings depend on it (null: none is given). */
  sweep: SweepInput | ((model: string | null) => SweepInput);
  /** What the data must have. */
  needs?: readonly Need[];
  /** Kinds of judge that read the replies of these arms after the runs. */
  judges?: readonly { kind: string; arms: readonly string[] }[];
  /** Arms whose model takes the event recognition test after the runs. */
  eventTest?: readonly string[];
  tables?: readonly PresetTable[];
}

/** Something that only some data have. */
export interface Need {
  /** In the plural: `step names`. */
  what: string;
  /** `folder`: that of the data. */
  has(sample: Sample, folder: string): boolean | Promise<boolean>;
  /** Where such data come from, as a sentence. */
  advice: string;
  /** Arms that are left out without it. Default: the preset is refused. */
  arms?: readonly string[];
}

/** One table or figure of a paper, with the same rows for every model. */
export interface PresetTable {
  title: string;
  about: string;
  /** Headings of `labels` of the rows. */
  labels?: readonly string[];
  rows: readonly PresetRow[];
  columns: readonly PresetColumn[];
  published?: PublishedFrom;
  plot?: PresetPlot;
}

export interface PresetRow {
  labels?: readonly string[];
  /** Arm of all columns that do not name another one. */
  arm: string;
  /** Arm of another row. Cells show the paired difference to it in parentheses, over the questions that both runs have. */
  against?: string;
}

export interface PresetColumn {
  head: string;
  /** An arm, or a function of the arm of the row. Default: the arm of the row. */
  arm?: string | ((arm: string) => string);
  /** `row`: position of the row in the table, from 0. */
  value(run: ReportRun, row: number): Cell;
  /** What `value` is the mean of, for paired differences between rows. Missing: the column shows no differences. */
  items?(run: ReportRun): MetricItem[];
  published?(found: PublishedRow, row: number): number | undefined;
}

/** The arm that a column shows in a row. */
export function armOf({ arm }: PresetColumn, ofRow: string): string {
  return typeof arm === "function" ? arm(ofRow) : (arm ?? ofRow);
}

/** A number of a table. */
export interface Cell {
  /** As shown, with its interval. */
  text: string;
  /** In the unit of the text; null: not measured. */
  value: number | null;
  /** Bounds of the 95 % interval, as shares; missing without one. */
  low?: number | null;
  high?: number | null;
}

/** Which of the paper's rows are listed. */
export interface PublishedFrom {
  /** Every model of this table of the paper is listed. */
  table: string;
  /** Only these models. */
  models?: readonly string[];
  /** Arm of the preset -> arm of the paper's row, and its table and model if they are not those of the table. */
  arms: Readonly<Record<string, { arm: string; table?: string; model?: string }>>;
  /** Name of a model in this table -> its name in another one. */
  aliases?: Readonly<Record<string, string>>;
}

/** A plot of a table: a line for each model and column, or a point if the x axis is a column of percentages. */
export interface PresetPlot {
  title: string;
  /** Heading of the label, or of the column, that is the x axis. */
  x: string;
  /** Headings of the columns. */
  columns: readonly string[];
}
