import { at, Settings } from "../src/core/settings.ts";
import type { ReportPart, ReportTable } from "../src/pages/report-data.ts";
import type { BenchmarkName } from "./benchmarks/benchmark.ts";
import { MODEL_LETTER } from "./extractor-settings.ts";
import { deviationsOf } from "./protocols.ts";
import { type Published, type PublishedRow, publishedResults } from "./published.ts";
import type { Results } from "./read-results.ts";
import { isScripted, type ReportRun } from "./report-run.ts";
import { unitOf } from "./selection.ts";

/** Questions that the papers counted over. */
const PUBLISHED_QUESTIONS: Record<BenchmarkName, number> = {
  vcrbench: 365,
  "mmr-v": 1257,
  videomathqa: 420,
};

/**
 * The papers' numbers: in one table with the runs that were made in the published way, and in a block of their own for
 * the others, with all in which those differ.
 */
export function publishedPart(runs: readonly ReportRun[]): {
  tables: ReportTable[];
  apart: ReportPart["apart"];
} {
  const [first] = runs;
  if (first === undefined) return { tables: [], apart: null };
  const published = publishedResults(first.results.benchmark.name);
  const told = runs.map((run) => ({ run, deviations: differences(run) }));
  const like = told.filter(({ deviations }) => deviations.length === 0).map(({ run }) => run);
  const unlike = told.filter(({ deviations }) => deviations.length > 0);
  return {
    tables: like.length === 0 ? [] : [together(published, like)],
    apart:
      unlike.length === 0
        ? null
        : {
            why: unlike.map(({ run, deviations }) => ({ run: run.name, deviations })),
            tables: [paperTable(published), ...paperGroups(published)],
          },
  };
}

/** All in which a run differs from the published way; empty where its numbers may stand beside the papers'. */
export function differences({ results, score, models }: ReportRun): string[] {
  const { header, benchmark, samples } = results;
  const found: string[] = [];
  if (score.extractor !== "official" && score.extractor !== MODEL_LETTER)
    found.push(`answers were read by the extractor "${score.extractor}", not by the released one`);
  const whole = PUBLISHED_QUESTIONS[benchmark.name];
  const asked = new Set(samples.map(unitOf)).size;
  if (asked !== whole) found.push(`${asked} questions were asked, the paper has ${whole}`);
  if (score.missing > 0) found.push(`${score.missing} samples have no result yet`);
  if (results.epochs > 1) found.push(`every question was asked ${results.epochs} times`);
  if (models.some(isScripted)) found.push("a scripted model answered");
  if (header === null) found.push("how a response file was made is not known");
  else {
    if (header.protocol === null)
      found.push("the published protocol was not asked for (--protocol official)");
    found.push(...settingDeviations(results));
  }
  return found;
}

function settingDeviations({ header }: Results): string[] {
  if (header === null) return [];
  if (header.protocol !== null) return header.protocol.deviations;
  const settings = Settings.safeParse(header.settings);
  if (!settings.success) return ["its settings are those of another version"];
  return deviationsOf(header.benchmark, settings.data, {
    replaced: header.prompts_replaced,
    descriptions: header.descriptions,
    asked: header.selection.asked,
    of: header.data.samples,
  });
}

/** Ours first, then the papers' rows. */
function together(published: Published, runs: readonly ReportRun[]): ReportTable {
  const names = Object.keys(published.metrics);
  return {
    title: "Beside the published results",
    about: `Made by the published protocol. Published: ${published.source}.`,
    head: ["Model", "Arm", "Where", ...names],
    words: 3,
    rows: [
      ...runs.map((run) => [
        run.models.join(", ") || "none",
        run.arm,
        `ours: ${run.name}`,
        ...names.map((name) => ourScore(run, name)),
      ]),
      ...published.rows.map((row) => paperRow(row, names)),
    ],
  };
}

function paperTable(published: Published): ReportTable {
  const names = Object.keys(published.metrics);
  const meaning = Object.entries(published.metrics).map(([name, of]) => `${name}: ${of}`);
  return {
    title: `Published: ${published.source}`,
    about: `${published.unit}. ${meaning.join("; ")}.${published.notes.map((note) => ` ${note}.`).join("")}`,
    head: ["Model", "Arm", "Where", ...names],
    words: 3,
    rows: published.rows.map((row) => paperRow(row, names)),
  };
}

function paperRow(row: PublishedRow, names: readonly string[]): string[] {
  const score = (name: string) => {
    const value = row.scores[name];
    return value === undefined ? "–" : String(value);
  };
  return [row.model, row.arm, row.where, ...names.map(score)];
}

/** The papers' break-downs: models down, groups across. */
function paperGroups({ rows }: Published): ReportTable[] {
  const kinds = new Set(
    rows.flatMap(({ by = {} }) =>
      Object.entries(by).flatMap(([metric, of]) =>
        Object.keys(of).map((kind) => `${metric}\n${kind}`),
      ),
    ),
  );
  return [...kinds].map((key): ReportTable => {
    const [metric = "", kind = ""] = key.split("\n");
    const having = rows.filter(({ by }) => by?.[metric]?.[kind] !== undefined);
    const groups = [
      ...new Set(having.flatMap(({ by }) => Object.keys(by?.[metric]?.[kind] ?? {}))),
    ];
    return {
      title: `Published ${metric} by ${kind.replace("_", " ")}`,
      head: ["Model", "Arm", ...groups],
      words: 2,
      rows: having.map(({ model, arm, by }) => [
        model,
        arm,
        ...groups.map((group) => String(by?.[metric]?.[kind]?.[group] ?? "–")),
      ]),
    };
  });
}

/** Our number for a metric of the papers; a dash where the run does not measure it. */
function ourScore({ results, score }: ReportRun, metric: string): string {
  const subtitles = at(results.header?.settings, "recognition.subtitles");
  const suffix = subtitles == null || subtitles === "off" ? "" : "+subtitles";
  const own = new Map<string, unknown>();
  for (const [name, value] of Object.entries(score.official))
    own.set(results.benchmark.name === "videomathqa" ? `${name}${suffix}` : name, value);
  if (results.benchmark.name === "mmr-v") own.set("accuracy", 100 * (score.all.accuracy ?? 0));
  const value = own.get(metric);
  return typeof value === "number" ? value.toFixed(2) : "–";
}
