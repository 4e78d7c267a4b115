import { Failure } from "../../src/core/errors.ts";
import { isRow, type Row } from "../benchmarks/data-files.ts";
import { type Benchmark, benchmarks } from "../benchmarks/define-benchmark.ts";
import type { RecordedReply, ResponseFormat } from "../benchmarks/response-format.ts";
import type { Note, Sample } from "../benchmarks/sample.ts";
import { createTally } from "../benchmarks/tally.ts";
import { inDataLetters, type OptionOrder, type ShownOption } from "../run/option-orders.ts";
import { matchRecords } from "./match-records.ts";
import { type MatchedReply, type MatchReport, reportMatch } from "./match-report.ts";
import { compareOptions } from "./record-options.ts";
import { formatOf, LMMS_EVAL, LMMS_EVAL_FIELDS, readRecords } from "./records.ts";

/*
 * Response files of other tools: those of the benchmarks' own code, and lmms-eval's sample logs. Each becomes a list of
 * replies by sample; records that do not fit are counted.
 */

export interface Responses {
  /** `lmms-eval`, or the name of the benchmark whose own format it is. */
  format: string;
  /** One reply per sample, in the order of the file. */
  replies: {
    sample: string;
    /** With the letters that the model saw. */
    reply: string;
    /** The options as the model saw them, if the record has them in another order than the data. */
    option_order?: readonly ShownOption[];
  }[];
  /** How the records were matched with the questions. */
  match: MatchReport;
  notes: Note[];
}

/** Guesses format and benchmark of a file before any data are loaded. `benchmark` is null if the records do not name it. */
export function guessResponses(
  text: string,
  name = "the file",
): { format: string; benchmark: string | null; subset?: string } {
  const records = readRecords(text, name, createTally());
  for (const record of records) {
    const format = formatOf(record);
    if (format === null) continue;
    const benchmark = benchmarkOf(record, format);
    const subset = benchmark?.responses.subsetOf?.(isRow(record.doc) ? record.doc : {});
    return {
      format,
      benchmark: benchmark?.name ?? null,
      ...(subset === undefined ? {} : { subset }),
    };
  }
  throw new Failure(
    "data-malformed",
    `Cannot read ${name}: its records, with the fields ${fieldsOf(records)}, are not responses of ${titlesOfFormats()} or lmms-eval (${LMMS_EVAL_FIELDS}).`,
    { name },
  );
}

/**
 * Reads a response file against the samples it answers. `model` chooses among the columns of several models.
 * Throws `Failure` `data-malformed` for a file of another benchmark, or without an answer to any of the questions, and
 * `wrong-usage` if `model` is needed.
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
  if (format == null || (about != null && about.name !== benchmark.name))
    throw new Failure(
      "data-malformed",
      `Cannot read ${name} as responses to ${benchmark.title}: it contains ${about == null ? `records with the fields ${fieldsOf(records)}` : `responses to ${about.title}`}. Expected are the fields ${benchmark.responses.file?.fields ?? LMMS_EVAL_FIELDS}.`,
      { name, expected: benchmark.name, found: about?.name ?? null },
    );
  const matches = matchRecords(records, benchmark, samples);
  const replyOf = replyReader(format, records, name, model, tally.add);
  const replies = new Map<string, MatchedReply & { option_order?: readonly ShownOption[] }>();
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
    if (match.chosenBy === "order")
      tally.add("records that fit several questions, taken in order", `${where}: ${sample.id}`);
    const row = isRow(record.doc) ? { ...record, ...record.doc } : record;
    const { kind, order } = compareOptions(row, sample, benchmark.responses);
    if (kind === "different")
      tally.add("records whose options differ from the data's", `${where}: ${sample.id}`);
    const right = isRightAnswer(record, sample, benchmark.responses, order);
    if (right === false)
      tally.add("right answers that differ from the data's, which count", `${where}: ${sample.id}`);
    if (replies.has(sample.id))
      tally.add("questions answered more than once, the last counts", sample.id);
    replies.set(sample.id, {
      ...{ match, right, options: kind, reply: replyOf(record, sample.id) },
      ...(order === undefined ? {} : { option_order: order }),
    });
  }
  if (replies.size === 0)
    throw new Failure(
      "data-malformed",
      `Cannot match ${name} with the ${benchmark.title} data: none of its ${records.length} records names a question of the data.`,
      { name, records: records.length },
    );
  for (const { id } of samples) if (!replies.has(id)) tally.add("questions without a reply", id);
  return {
    format,
    replies: [...replies].map(([sample, { reply, option_order }]) => ({
      ...{ sample, reply },
      ...(option_order === undefined ? {} : { option_order }),
    })),
    match: reportMatch([...replies.values()], benchmark),
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

/** The benchmarks that have their own response files: `VCRBench (qid and pred), Own data (id and reply)`. */
function titlesOfFormats(): string {
  return benchmarks
    .all()
    .flatMap(({ title, responses: { file } }) => (file ? [`${title} (${file.fields})`] : []))
    .join(", ");
}

/** The benchmark of a record; null if the record does not name it. */
function benchmarkOf(record: Row, format: string): Benchmark | null {
  if (format !== LMMS_EVAL) return benchmarks.find(format) ?? null;
  const { doc } = record;
  if (!isRow(doc)) return null;
  return benchmarks.all().find(({ responses }) => responses.matchesRow(doc)) ?? null;
}

/**
 * Whether the right answer in a record equals that of the data; null if there is none to compare. `order`: that of the
 * record's options, if it is not the order of the data.
 */
function isRightAnswer(
  record: Row,
  sample: Sample,
  { clues }: ResponseFormat,
  order: OptionOrder = 0,
): boolean | null {
  const isLogged = "resps" in record || "filtered_resps" in record;
  if (Array.isArray(sample.answer)) {
    const given = isLogged ? String(record.target ?? "").match(/\d+/g) : record.answer;
    if (!Array.isArray(given)) return null;
    return JSON.stringify(given.map(Number)) === JSON.stringify(sample.answer);
  }
  // In a log, a field of this name outside the row of data may be the answer of the model.
  const row = isLogged ? record.doc : record;
  const letter = isRow(row) && clues.answer !== undefined ? letterOf(row[clues.answer]) : null;
  // A target may also be the number of the option, or its text.
  const right = letter ?? (isLogged ? letterOf(record.target) : null);
  return right === null ? null : inDataLetters(sample, right, order) === sample.answer;
}

/** The letter of `(B) text`, `b` or `B.`; null for anything else. */
function letterOf(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const text = value.toUpperCase();
  return /\(([A-Z])\)/.exec(text)?.[1] ?? /^\s*([A-Z])[\s.):]*$/.exec(text)?.[1] ?? null;
}

/** Returns a function that reads the reply of a record. A reply that is not text becomes an empty reply and is counted. */
function replyReader(
  format: string,
  records: readonly Row[],
  name: string,
  model: string | undefined,
  count: (what: string, example: string) => void,
): (record: Row, id: string) => string {
  const read =
    benchmarks.find(format)?.responses.file?.reader(records, { name, model }) ??
    ((record: Row) => ({ reply: loggedReply(record) }));
  return (record, id) => {
    const several = format === LMMS_EVAL ? countReplies(record) : 1;
    if (format === LMMS_EVAL && hasNamedLetter(record))
      count("replies known by the letter that a model named for them, in `resps`", id);
    if (several > 1)
      count(`questions with ${several} replies, of which only the first is read`, id);
    const { reply: given, fallback }: RecordedReply = read(record);
    const reply = replyText(given);
    if (typeof reply === "string" && reply.trim() !== "") return reply;
    if (fallback !== undefined) {
      count(fallback.note, id);
      return fallback.reply;
    }
    count(
      typeof reply === "string" || reply == null ? "empty replies" : "replies that are not text",
      id,
    );
    return "";
  };
}

/** A number or a truth value, or a list of numbers such as an order, as the text that says the same. */
function replyText(given: unknown): unknown {
  if (typeof given === "number" || typeof given === "boolean") return String(given);
  const isOfNumbers = Array.isArray(given) && given.every((one) => typeof one === "number");
  return isOfNumbers && given.length > 0 ? given.join(", ") : given;
}

/** The reply in a record of lmms-eval: after its filters, if there are some. */
function loggedReply(record: Row): unknown {
  const { resps, filtered_resps } = record;
  if (hasNamedLetter(record)) return deepFirst(resps);
  return deepFirst(filtered_resps) ?? deepFirst(resps);
}

/**
 * Whether VideoMathQA's `cot_postprocess.py` has replaced the reply in `resps` by a letter; it leaves the whole reply in
 * `filtered_resps`. A filter would not make a reply longer.
 */
function hasNamedLetter({ resps, filtered_resps }: Row): boolean {
  const [letter, reply] = [deepFirst(resps), deepFirst(filtered_resps)];
  if (typeof letter !== "string" || typeof reply !== "string") return false;
  return /^[A-Z]$/.test(letter.trim()) && reply.trim().length > 1;
}

/** Number of replies in a record of lmms-eval, whose filter may have kept only one of them. */
function countReplies({ resps, filtered_resps }: Row): number {
  const textsIn = (value: unknown): number => {
    if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + textsIn(one), 0);
    return Number(typeof value === "string");
  };
  return Math.max(textsIn(resps), textsIn(filtered_resps));
}

/** `[["C"]]`, `["C"]` and `"C"` alike. */
function deepFirst(value: unknown): unknown {
  return Array.isArray(value) ? deepFirst(value[0]) : value;
}
