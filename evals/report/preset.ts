import { valueAt } from "../../src/core/settings.ts";
import type { Plot, ReportPart, ReportTable } from "../../src/pages/report-data.ts";
import { type Published, type PublishedRow, publishedResults } from "../benchmarks/published.ts";
import { certifyResults } from "../certificate/certify-results.ts";
import {
  armOf,
  type Cell,
  type Preset,
  type PresetColumn,
  type PresetRow,
  type PresetTable,
  type PublishedFrom,
} from "../sweep/presets/preset.ts";
import { presetNamed } from "../sweep/presets/presets.ts";
import { coverageTexts, pairedDifference } from "./preset-differences.ts";
import { framesOf, notCertified, whyApart } from "./published.ts";
import type { ReportRun } from "./run.ts";

/* The tables of presets: the columns of a paper, with one row or group of rows for each model. */

/** The runs of a preset by one model. */
interface ModelRuns {
  model: string;
  byArm: ReadonlyMap<string, ReportRun>;
}

/** One part for each preset that the runs belong to. */
export function presetParts(runs: readonly ReportRun[]): ReportPart[] {
  const named = Map.groupBy(runs, ({ results }) => results.cell?.preset);
  return [...named].flatMap(([name, of]) => {
    const preset = name === undefined ? undefined : presetNamed(name);
    return preset?.tables === undefined ? [] : [partOf(preset, preset.tables, of)];
  });
}

function partOf(
  preset: Preset,
  tables: readonly PresetTable[],
  runs: readonly ReportRun[],
): ReportPart {
  const models = modelsOf(runs);
  const all = runs.map((run) => ({ run, certified: certifyResults(run.results) }));
  const isComparable = all.every(({ certified }) => certified.certificate?.comparable === true);
  const published = publishedOf(runs);
  const papers = published === null ? [] : tables.map((table) => paperRows(table, published));
  const about = published === null ? "" : ` Published: ${published.source}, ${published.date}.`;
  return {
    title: preset.summary,
    preset: preset.name,
    about: [
      "Percentages; brackets hold 95 % intervals, clustered by video. Unanswered questions count as wrong. A difference in parentheses is in points, paired over the questions that both runs have.",
      ...(isComparable && published !== null ? [notCertified(all)] : []),
    ],
    warnings: [],
    tables: tables.map((table, place) => {
      const rows = models.flatMap((one) => ourRows(table, one));
      const paper = isComparable ? (papers[place] ?? []) : [];
      const coverage = models.flatMap(({ byArm }) => coverageTexts(table, byArm));
      const texts = [...coverage.map((text) => ` ${text}`), paper.length > 0 ? about : ""];
      return asTable(table, [...rows, ...paper], texts.join(""));
    }),
    plots: tables.flatMap((table) => plotOf(table, models)),
    apart:
      isComparable || papers.every((rows) => rows.length === 0)
        ? null
        : {
            why: all
              .filter(({ certified }) => certified.certificate?.comparable !== true)
              .map(({ run, certified }) => ({ run: run.name, deviations: whyApart(certified) })),
            tables: tables.flatMap((table, place) => {
              const rows = papers[place] ?? [];
              const title = `${table.title}: published`;
              return rows.length === 0 ? [] : [{ ...asTable(table, rows, about), title }];
            }),
          },
    runs: [],
    questions: [],
  };
}

function asTable(table: PresetTable, rows: string[][], more: string): ReportTable {
  const words = ["Model", ...(table.labels ?? []), "Frames", "Source"];
  return {
    title: table.title,
    about: `${table.about}${more}`,
    head: [...words, ...table.columns.map(({ head }) => head)],
    words: words.length,
    rows,
  };
}

/** Runs of the same model in two sweeps are separate rows. */
function modelsOf(runs: readonly ReportRun[]): ModelRuns[] {
  const grouped = Map.groupBy(runs, (run) => `${run.results.cell?.sweep}\n${modelOf(run)}`);
  return [...grouped.values()].map((of) => ({
    model: of[0] === undefined ? "" : modelOf(of[0]),
    byArm: new Map(of.map((run) => [run.results.cell?.arm ?? "", run])),
  }));
}

/** The model of the settings; with a recogniser of its own, both. */
function modelOf({ results }: ReportRun): string {
  const settings = results.header?.settings;
  const model = valueAt(settings, "model");
  const [recogniser, reasoner] = ["recognition.model", "reasoning.model"].map(
    (path) => valueAt(settings, path) ?? model,
  );
  const names = [...new Set([recogniser, reasoner])].filter((name) => typeof name === "string");
  return names.join(", then ") || "none";
}

function ourRows(table: PresetTable, { model, byArm }: ModelRuns): string[][] {
  return table.rows.map((row, place) => {
    const run = byArm.get(row.arm);
    const runOf = (column: PresetColumn, arm: string) => byArm.get(armOf(column, arm));
    const cell = (column: PresetColumn) => {
      const found = runOf(column, row.arm);
      if (found === undefined) return "–";
      const own = column.value(found, place);
      if (row.against === undefined || own.value === null) return own.text;
      const other = runOf(column, row.against);
      const change = other === undefined ? null : pairedDifference(column, other, found);
      return withChange(own, change, other !== undefined && column.items !== undefined);
    };
    return [
      model,
      ...(row.labels ?? []),
      run === undefined ? "–" : framesOf(run),
      run === undefined ? "not run" : "ours",
      ...table.columns.map(cell),
    ];
  });
}

/** A cell with a difference in points; a dash in its place if the runs could be compared and have nothing in common. */
function withChange({ text }: Cell, change: number | null, isExpected = false): string {
  if (change === null) return isExpected ? `${text} (–)` : text;
  return `${text} (${signed(change)})`;
}

/** The published value of a row, with its difference to the row that it is compared with. */
function shownPublished({ arm, against }: PresetRow, cellOf: (arm: string) => Cell | null): string {
  const cell = cellOf(arm);
  if (cell === null) return "–";
  const other = against === undefined ? null : (cellOf(against)?.value ?? null);
  return withChange(cell, cell.value === null || other === null ? null : cell.value - other);
}

function signed(points: number): string {
  const text = points.toFixed(2).replace(/^-(0\.00)$/, "$1");
  return Number(text) > 0 ? `+${text}` : text;
}

/** What the paper reports. Its shares of error types are rows with the arm `errors`. */
function publishedOf([first]: readonly ReportRun[]): Published | null {
  const found = first === undefined ? null : publishedResults(first.results.benchmark);
  if (found === null) return null;
  const errors = (found.errors ?? []).map(
    ({ model, where, shares }): PublishedRow => ({
      ...{ model, where, arm: "errors", frames: null, scores: shares },
    }),
  );
  return { ...found, rows: [...found.rows, ...errors] };
}

/** The rows of a paper, for every model of its table. */
function paperRows({ published: from, rows, columns }: PresetTable, published: Published) {
  if (from === undefined) return [];
  const models = [
    ...new Set(published.rows.flatMap(({ where, model }) => (where === from.table ? [model] : []))),
  ];
  return models.flatMap((model) =>
    rows.flatMap((row, place) => {
      const found = paperRow(published.rows, model, row.arm, from);
      const own = shownRow(row, place, columns, (arm) =>
        paperRow(published.rows, model, arm, from),
      );
      // Baselines such as people and guessing were measured in one way only.
      if (found === undefined || (place > 0 && own.every((text) => text === "–"))) return [];
      const where = `published, ${found.where}`;
      return [[found.model, ...(row.labels ?? []), found.frames ?? "–", where, ...own]];
    }),
  );
}

function shownRow(
  row: PresetRow,
  place: number,
  columns: readonly PresetColumn[],
  rowOf: (arm: string) => PublishedRow | undefined,
): string[] {
  return columns.map((column) =>
    shownPublished(row, (arm) => {
      const found = rowOf(armOf(column, arm));
      const value = found === undefined ? undefined : column.published?.(found, place);
      return value === undefined ? null : { text: value.toFixed(1), value };
    }),
  );
}

function paperRow(
  rows: readonly PublishedRow[],
  model: string,
  arm: string,
  { table, arms, aliases }: PublishedFrom,
): PublishedRow | undefined {
  const of = arms[arm];
  if (of === undefined) return undefined;
  const where = of.table ?? table;
  const names = [of.model ?? model, aliases?.[model]];
  return rows.find((one) => one.where === where && one.arm === of.arm && names.includes(one.model));
}

function plotOf(table: PresetTable, models: readonly ModelRuns[]): Plot[] {
  const { plot, labels = [] } = table;
  if (plot === undefined) return [];
  const at = labels.indexOf(plot.x);
  const across = table.columns.find(({ head }) => head === plot.x);
  const columns = table.columns.filter(({ head }) => plot.columns.includes(head));
  const series = models.flatMap(({ model, byArm }) => {
    const cellOf = (column: PresetColumn, row: PresetRow, place: number) => {
      const run = byArm.get(armOf(column, row.arm));
      return run === undefined ? null : column.value(run, place);
    };
    return columns.map((column) => ({
      name: `${model}, ${column.head}`,
      points: table.rows.flatMap((row, place) => {
        const cell = cellOf(column, row, place);
        const x =
          across === undefined
            ? Number(row.labels?.[at])
            : (cellOf(across, row, place)?.value ?? null);
        if (cell?.value == null || x === null) return [];
        const where = `${plot.x.toLowerCase()} ${Number(x.toFixed(2))}`;
        return [
          {
            ...{ x, y: cell.value / 100, low: cell.low ?? null, high: cell.high ?? null },
            label: `${model}, ${where}, ${column.head}: ${cell.text}`,
          },
        ];
      }),
    }));
  });
  return [
    {
      title: plot.title,
      kind: across === undefined ? "line" : "points",
      x: plot.x.toLowerCase(),
      y: "accuracy",
      chance: null,
      series,
      ...(across === undefined ? {} : { shares: "plain" as const }),
    },
  ];
}
