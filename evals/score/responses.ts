import { Failure } from "../../src/core/errors.ts";
import type { Benchmark, BenchmarkName, Note, Sample } from "../benchmarks/benchmark.ts";
import { isRow, type Row } from "../benchmarks/data-files.ts";
import { createTally } from "../benchmarks/tally.ts";
import { type MatchReport, matchRecords, reportMatch } from "./match-records.ts";
import { formatOf, letterKeys, type RecordFormat, rawKeys, readRecords } from "./records.ts";

/*
 * Response files that others wrote: VCRBench's json or jsonl, MMR-V's result files, lmms-eval's sample logs.
 * All become a reply by sample; what does not fit is counted.
 */

export interface Responses {
  format: RecordFormat;
  /** One reply a sample, in the order of the file. */
  replies: { sample: string; reply: string }[];
  /** How the records were matched with the questions. */
  match: MatchReport;
  notes: Note[];
}

/** What a file seems to be, before any data set is loaded. `benchmark` null: its records do not say. */
export function guessResponses(
  text: string,
  name = "the file",
): { format: RecordFormat; benchmark: BenchmarkName | null; config?: "mcq" | "multi_binary" } {
  const records = readRecords(text, name, createTally());
  for (const record of records) {
    const format = formatOf(record);
    if (format === null) continue;
    const benchmark = benchmarkOf(record, format);
    const options =
      isRow(record.doc) && Array.isArray(record.doc.options) ? record.doc.options : [];
    if (benchmark !== "videomathqa") return { format, benchmark };
    return { format, benchmark, config: options.length === 2 ? "multi_binary" : "mcq" };
  }
  throw new Failure(
    "data-malformed",
    `Expected ${name} to hold VCRBench, MMR-V or lmms-eval responses, found records with the fields ${fieldsOf(records)}.`,
    { name },
  );
}

/**
 * Reads a response file against the samples it answers. `model` chooses among several models' columns of an MMR-V file.
 * Throws `Failure` `data-malformed` for a file of another benchmark or of none of its questions, `wrong-usage` where
 * a model has to be named.
 */
export function readResponses(
  text: string,
  benchmark: Benchmark,
  samples: readonly Sample[],
  { name = "the file", model }: { name?: string; model?: string } = {},
): Responses {
  const tally = createTally();
  const records = readRecords(text, name, tally);
  const format = records.map(formatOf).find((found) => found !== null);
  const about =
    format == null
      ? null
      : records.map((record) => benchmarkOf(record, format)).find((found) => found !== null);
  if (format == null || (about != null && about !== benchmark.name))
    throw new Failure(
      "data-malformed",
      `Expected ${name} to hold responses to ${benchmark.title}, found ${about == null ? `records with the fields ${fieldsOf(records)}` : `responses to ${about}`}.`,
      { name, expected: benchmark.name, found: about ?? null },
    );
  const matches = matchRecords(records, benchmark.name, samples);
  const replyOf = replyReader(format, records, name, model, tally.add);
  const replies = new Map<string, Parameters<typeof reportMatch>[0][number]>();
  for (const [position, record] of records.entries()) {
    const where = `record ${position + 1}`;
    if (formatOf(record) !== format) {
      tally.add("records of another form", where);
      continue;
    }
    const match = matches[position];
    if (match == null) {
      tally.add("records that name no question of the data", where);
      continue;
    }
    const { sample } = match;
    if (match.ambiguous)
      tally.add("records that fit several questions, taken in order", `${where}: ${sample.id}`);
    const right = isRightAnswer(record, sample);
    if (right === false)
      tally.add("right answers that differ from the data's, which count", `${where}: ${sample.id}`);
    if (replies.has(sample.id))
      tally.add("questions answered more than once, the last counts", sample.id);
    replies.set(sample.id, { match, reply: replyOf(record, sample.id), right });
  }
  if (replies.size === 0)
    throw new Failure(
      "data-malformed",
      `Expected ${name} to answer questions of this ${benchmark.title} data, but none of its ${records.length} records names one.`,
      { name, records: records.length },
    );
  for (const { id } of samples) if (!replies.has(id)) tally.add("questions without a reply", id);
  return {
    format,
    replies: [...replies].map(([sample, { reply }]) => ({ sample, reply })),
    match: reportMatch([...replies.values()]),
    notes: tally.notes(),
  };
}

function fieldsOf(records: readonly Row[]): string {
  return (
    Object.keys(records[0] ?? {})
      .slice(0, 8)
      .join(", ") || "none"
  );
}

function benchmarkOf(record: Row, format: RecordFormat): BenchmarkName | null {
  if (format !== "lmms-eval") return format;
  if (!isRow(record.doc)) return null;
  if ("videoID" in record.doc) return "videomathqa";
  if ("ground_truth" in record.doc && "goal" in record.doc) return "vcrbench";
  return "correctAnswer" in record.doc ? "mmr-v" : null;
}

/** Whether the right answer that a record gives is the data's; null if it gives none that can be compared. */
function isRightAnswer(record: Row, sample: Sample): boolean | null {
  if (Array.isArray(record.answer) && Array.isArray(sample.answer))
    return JSON.stringify(record.answer.map(Number)) === JSON.stringify(sample.answer);
  if (typeof record.target !== "string" || !("resps" in record || "filtered_resps" in record))
    return null;
  const target = record.target.replace(/[()\s.]/g, "");
  return target === "" ? null : target === [sample.answer].flat().join(",");
}

/** How a reply is read from records of a form; what is no text becomes an empty reply and is counted. */
function replyReader(
  format: RecordFormat,
  records: readonly Row[],
  name: string,
  model: string | undefined,
  count: (what: string, example: string) => void,
): (record: Row, id: string) => string {
  const rawKey = format === "mmr-v" ? chooseModel(records, name, model) : undefined;
  return (record, id) => {
    const value = said(record);
    if (typeof value === "string" && value.trim() !== "") return value;
    if (rawKey !== undefined) {
      const letter = record[rawKey.replace(/raw_response$/, "response")];
      if (isRow(letter) && typeof letter.final_answer === "string" && letter.final_answer !== "") {
        count("replies known by their letter alone", id);
        return `[[${letter.final_answer}]]`;
      }
    }
    count(
      typeof value === "string" || value == null ? "empty replies" : "replies that are no text",
      id,
    );
    return "";
  };

  function said(record: Row): unknown {
    if (rawKey !== undefined) return record[rawKey];
    if (format === "vcrbench") return Array.isArray(record.pred) ? record.pred[0] : record.pred;
    return deepFirst(record.filtered_resps) ?? deepFirst(record.resps);
  }
}

/** `[["C"]]`, `["C"]` and `"C"` alike. */
function deepFirst(value: unknown): unknown {
  return Array.isArray(value) ? deepFirst(value[0]) : value;
}

function chooseModel(records: readonly Row[], name: string, model: string | undefined): string {
  const keys = new Set(
    records.flatMap((record) => [
      ...rawKeys(record),
      ...letterKeys(record).map((key) => key.replace(/response$/, "raw_response")),
    ]),
  );
  const models = [...keys].map((key) => key.replace(/_?raw_response$/, ""));
  const wanted =
    model === undefined ? [...keys] : [...keys].filter((key) => key === `${model}_raw_response`);
  const [only] = wanted;
  if (only !== undefined && wanted.length === 1) return only;
  throw new Failure(
    "wrong-usage",
    `Expected the name of one of the models in ${name} (${models.join(", ")}), got ${model === undefined ? "none" : JSON.stringify(model)}.`,
    { name, models, model },
  );
}
