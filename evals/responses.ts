import { Failure } from "../src/core/errors.ts";
import type { Benchmark, BenchmarkName, Note, Sample } from "./benchmarks/benchmark.ts";
import { isRow, type Row } from "./benchmarks/data-files.ts";
import { createTally } from "./benchmarks/tally.ts";
import { formatOf, letterKeys, type RecordFormat, rawKeys, readRecords } from "./records.ts";

/*
 * Response files that others wrote: VCRBench's json or jsonl, MMR-V's result files, lmms-eval's sample logs.
 * All become a reply by sample; what does not fit is counted.
 */

export interface Responses {
  format: RecordFormat;
  /** One reply a sample, in the order of the file. */
  replies: { sample: string; reply: string }[];
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
  const lookUp = createLookUp(benchmark, samples);
  const replyOf = replyReader(format, records, name, model, tally.add);
  const replies = new Map<string, string>();
  for (const [position, record] of records.entries()) {
    const where = `record ${position + 1}`;
    if (formatOf(record) !== format) {
      tally.add("records of another form", where);
      continue;
    }
    const sample = lookUp(record, format);
    if (sample === undefined) {
      tally.add("records that name no question of the data", where);
      continue;
    }
    if (contradicts(record, sample))
      tally.add("right answers that differ from the data's, which count", `${where}: ${sample.id}`);
    if (replies.has(sample.id))
      tally.add("questions answered more than once, the last counts", sample.id);
    replies.set(sample.id, replyOf(record, sample.id));
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
    replies: [...replies].map(([sample, reply]) => ({ sample, reply })),
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

type LookUp = (record: Row, format: RecordFormat) => Sample | undefined;

/** Finds the sample that a record answers, by what its row calls itself; lmms-eval records without `doc` by their place. */
function createLookUp(benchmark: Benchmark, samples: readonly Sample[]): LookUp {
  const known = new Map<string, Sample>();
  for (const sample of samples)
    for (const row of [sample.row, { question_idx: sample.row.question_idx }])
      for (const key of namesOf(benchmark.name, row)) if (!known.has(key)) known.set(key, sample);
  return (record, format) => {
    if (format !== "lmms-eval") return firstKnown(known, namesOf(benchmark.name, record));
    if (isRow(record.doc)) return firstKnown(known, namesOf(benchmark.name, record.doc));
    return typeof record.doc_id === "number" ? samples[record.doc_id] : undefined;
  };
}

function firstKnown(
  known: ReadonlyMap<string, Sample>,
  names: readonly string[],
): Sample | undefined {
  return names.map((name) => known.get(name)).find((sample) => sample !== undefined);
}

/** The names a row goes by, the surest first. */
function namesOf(benchmark: BenchmarkName, row: Row): string[] {
  const all = (...fields: unknown[]) =>
    fields.every((field) => field !== undefined && field !== null)
      ? [JSON.stringify(fields.map(folded))]
      : [];
  switch (benchmark) {
    case "vcrbench":
      return [...all("qid", row.qid), ...all("video", row.video_file)];
    case "mmr-v":
      return row.question === undefined
        ? all("idx", row.question_idx)
        : [
            ...all("both", row.video, row.question, row.question_idx),
            ...all("text", row.video, row.question),
          ];
    case "videomathqa":
      return Array.isArray(row.options) && row.options.length === 2
        ? all("pair", row.question_id, row.options)
        : all("id", row.question_id);
  }
}

function folded(field: unknown): unknown {
  return typeof field === "string" || typeof field === "number"
    ? String(field).normalize("NFC").trim()
    : field;
}

/** The file's own idea of the right answer, where it has one that can be compared. */
function contradicts(record: Row, sample: Sample): boolean {
  if (Array.isArray(record.answer) && Array.isArray(sample.answer))
    return JSON.stringify(record.answer.map(Number)) !== JSON.stringify(sample.answer);
  if (typeof record.target !== "string" || !("resps" in record || "filtered_resps" in record))
    return false;
  const target = record.target.replace(/[()\s.]/g, "");
  return target !== "" && target !== [sample.answer].flat().join(",");
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
