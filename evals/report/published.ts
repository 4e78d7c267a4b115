import { strategies } from "../../graphs/define-strategy.ts";
import { valueAt } from "../../src/core/settings.ts";
import type { ReportPart, ReportTable } from "../../src/pages/report-data.ts";
import { isUnpublished } from "../benchmarks/protocols/protocol.ts";
import { type Published, type PublishedRow, publishedResults } from "../benchmarks/published.ts";
import {
  type Certificate,
  deviationsIn,
  reservationsIn,
  shown,
} from "../certificate/certificate.ts";
import { type CertificateResult, certifyResults } from "../certificate/certify-results.ts";
import type { ReportRun } from "./run.ts";

/** A run and its comparison with the published protocol. */
export interface CertifiedRun {
  run: ReportRun;
  certified: CertificateResult;
}

/**
 * The papers' numbers. Runs that follow the published protocol share a table with them, which lists what could not be
 * certified. For other runs the numbers are in a separate block, with the deviations of each run.
 */
export function publishedPart(
  runs: readonly ReportRun[],
): Pick<ReportPart, "tables" | "apart" | "certificates"> {
  const [first] = runs;
  if (first === undefined) return { tables: [], apart: null, certificates: [] };
  const published = publishedResults(first.results.benchmark);
  const all = runs.map((run) => ({ run, certified: certifyResults(run.results) }));
  const comparable = all.filter(({ certified }) => certified.certificate?.comparable === true);
  const others = all.filter(({ certified }) => certified.certificate?.comparable !== true);
  return {
    tables: [
      ...(comparable.length === 0 || published === null
        ? []
        : [sharedTable(published, comparable)]),
      ...all.flatMap(({ run, certified }) =>
        certified.certificate === null ? [] : [certificateTable(run.name, certified.certificate)],
      ),
    ],
    apart:
      others.length === 0 || isUnpublished(first.results.benchmark.protocol)
        ? null
        : {
            why: others.map(({ run, certified }) => ({
              run: run.name,
              deviations: whyApart(certified),
            })),
            tables: published === null ? [] : [paperTable(published), ...paperGroups(published)],
          },
    certificates: all.flatMap(({ run, certified }) =>
      certified.certificate === null ? [] : [{ run: run.name, certificate: certified.certificate }],
    ),
  };
}

/** Why a run may not be listed with published results. */
export function whyApart(certified: CertificateResult): string[] {
  if (certified.certificate === null) return [certified.why];
  const { model } = certified.certificate;
  return [...(model.note === null ? [] : [model.note]), ...deviationsIn(certified.certificate)];
}

function certificateTable(run: string, certificate: Certificate): ReportTable {
  const { aspects, source, model } = certificate;
  const conflicts = model.conflicts.map((conflict) => ` Conflict: ${conflict}`).join("");
  return {
    title: `Certificate of ${run}`,
    about: `Compared with ${source}, model ${model.published ?? "not in its tables"}.${conflicts}`,
    head: ["Aspect", "Published", "This run", "Verdict", "Source", "Note"],
    words: 6,
    rows: aspects.map(({ aspect, wanted, got, verdict, source: where, note }) => [
      aspect,
      shown(wanted),
      shown(got),
      verdict,
      where,
      note ?? "",
    ]),
  };
}

/** Our rows first, then those of the papers. */
function sharedTable(published: Published, runs: readonly CertifiedRun[]): ReportTable {
  const names = Object.keys(published.metrics);
  return {
    title: "Published results and comparable runs",
    about: `Runs without a deviation from the protocol. ${notCertified(runs)} Published: ${published.source}, ${published.date}.${notesOf(published)}`,
    head: ["Model", "Arm", "Frames", "Where", ...names],
    words: 4,
    rows: [
      ...runs.map(({ run }) => [
        run.models.join(", ") || "none",
        run.arm,
        framesOf(run),
        `ours: ${run.name}`,
        ...names.map((name) => ourScore(run, name)),
      ]),
      ...published.rows.map((row) => paperRow(row, names)),
    ],
  };
}

/**
 * What the strategy of a run sends of a video: the number or rate of frames, or the video with what is asked of the
 * server. A dash if it sends nothing, or if a model chooses what it looks at.
 */
export function framesOf({ results }: ReportRun): string {
  const settings = results.header?.settings;
  const strategy = strategies.find(String(settings?.strategy));
  if (strategy?.shows === "nothing" || strategy?.approach === "search") return "–";
  if (strategy?.shows === "one-frame") return "1";
  const value = (name: string) => valueAt(settings, `recognition.${name}`) ?? null;
  if (value("media") === "video") {
    const [fps, most] = [value("video_fps"), value("video_frames")];
    const asked = [
      ...(fps === null ? [] : [`${fps} fps`]),
      ...(most === null ? [] : [`at most ${most} frames`]),
    ];
    return ["video", ...asked].join(", ");
  }
  const [sampler, frames, fps] = ["sampler", "frames", "fps"].map((name) => value(name) ?? "–");
  if (sampler === "fps") return `${fps} fps`;
  return sampler === "fps-else-N" ? `${fps} fps, at most ${frames}` : String(frames);
}

/** What could not be certified of runs that are listed with published results, as a sentence. */
export function notCertified(runs: readonly CertifiedRun[]): string {
  return `Not certified: ${runs.map(reservations).join("; ")}.`;
}

function reservations({ run, certified }: CertifiedRun): string {
  const open = certified.certificate === null ? [] : reservationsIn(certified.certificate);
  return `${run.name}: ${open.join(", ") || "nothing"}`;
}

function paperTable(published: Published): ReportTable {
  const names = Object.keys(published.metrics);
  const meaning = Object.entries(published.metrics).map(([name, of]) => `${name}: ${of}`);
  return {
    title: `Published: ${published.source}`,
    about: `${published.unit}. ${meaning.join("; ")}.${notesOf(published)}`,
    head: ["Model", "Arm", "Frames", "Where", ...names],
    words: 4,
    rows: published.rows.map((row) => paperRow(row, names)),
  };
}

/** General notes, then notes on rows in the order of the table. */
function notesOf({ notes, rows }: Published): string {
  const own = rows.flatMap(({ model, arm, note }) =>
    note === undefined ? [] : [`${model} (${arm}): ${note}`],
  );
  return [...notes, ...own].map((note) => ` ${note}.`).join("");
}

function paperRow(row: PublishedRow, names: readonly string[]): string[] {
  const score = (name: string) => {
    const value = row.scores[name];
    return value === undefined ? "–" : String(value);
  };
  const where = [row.source, row.where, row.date].filter((part) => part !== undefined);
  return [row.model, row.arm, row.frames ?? "–", where.join(", "), ...names.map(score)];
}

/** The papers' breakdowns: one row per model, one column per group. */
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

/** Our value for a metric of the papers; a dash if the run does not measure it. */
function ourScore({ results, score }: ReportRun, metric: string): string {
  const own = results.benchmark.publishedScores({
    official: score.official,
    accuracy: score.all.accuracy,
    settings: results.header?.settings,
  });
  const value = own[metric];
  return typeof value === "number" ? value.toFixed(2) : "–";
}
