import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Failure } from "../../src/core/errors.ts";
import { canonicalJson } from "../../src/core/hash.ts";
import { isRow, type Row } from "../benchmarks/data-files.ts";
import type { Benchmark } from "../benchmarks/define-benchmark.ts";
import type { ResponseFormat } from "../benchmarks/response-format.ts";
import type { LoadOptions, Note, Sample } from "../benchmarks/sample.ts";
import { createTally } from "../benchmarks/tally.ts";
import { readRecords } from "./records.ts";

interface SamplesInFile {
  samples: Sample[];
  hash: string | null;
  notes: Note[];
  unknownGroups: string[];
}

/**
 * Reads the samples that a response file contains: whole rows, lmms-eval's `doc`, or rows that the benchmark derives from
 * records. Throws `Failure` `wrong-usage` if the file does not contain its questions.
 */
export async function samplesInFile(
  path: string,
  text: string,
  benchmark: Benchmark,
  options: LoadOptions,
): Promise<SamplesInFile> {
  const { rowOf, unknownGroups, clues } = benchmark.responses;
  const records = readRecords(text, basename(path), createTally());
  const rows = new Map(
    records.map((record, place) => {
      const row = isRow(record.doc) ? record.doc : (rowOf?.(record) ?? record);
      return [questionKey(row, record.doc_id, clues) ?? place, row];
    }),
  );
  const folder = await mkdtemp(join(tmpdir(), "video-rrd-score-"));
  try {
    const file = join(folder, "rows.json");
    await writeFile(file, JSON.stringify([...rows.values()]));
    const { samples, notes } = await benchmark.load(file, options);
    return { samples, notes, hash: null, unknownGroups: unknownGroups?.(samples) ?? [] };
  } catch (error) {
    throw new Failure(
      "wrong-usage",
      `Missing --data for ${basename(path)}: the file does not contain the questions that it answers.`,
      { path, benchmark: benchmark.name },
      { cause: error },
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Equal for records that answer the same question again, which a resumed run may write. Null without an id of the
 * question: data may ask the same twice about one video.
 */
function questionKey(
  { question, options, ...row }: Row,
  place: unknown,
  { video, ids, answer = "" }: ResponseFormat["clues"],
): string | null {
  const names = ids.map((id) => row[id] ?? null);
  if (question === undefined || names.every((name) => name === null)) return null;
  return canonicalJson([names, question, options, row[video], row[answer], place]);
}
