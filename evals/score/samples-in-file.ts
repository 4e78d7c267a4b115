import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Failure } from "../../src/core/errors.ts";
import type { Benchmark, LoadOptions, Note, Sample } from "../benchmarks/benchmark.ts";
import { isRow, type Row } from "../benchmarks/data-files.ts";
import { createTally } from "../benchmarks/tally.ts";
import { readRecords } from "./records.ts";

interface SamplesInFile {
  samples: Sample[];
  hash: string | null;
  notes: Note[];
  unknownGroups: string[];
}

/** The samples that a response file holds itself: whole rows, lmms-eval's `doc`, or VCRBench's right orders. */
export async function samplesInFile(
  path: string,
  text: string,
  benchmark: Benchmark,
  options: LoadOptions,
): Promise<SamplesInFile> {
  const records = readRecords(text, basename(path), createTally());
  const rows = records.map((record) => (isRow(record.doc) ? record.doc : rowOf(record)));
  const folder = await mkdtemp(join(tmpdir(), "video-rrd-score-"));
  try {
    const file = join(folder, "rows.json");
    await writeFile(file, JSON.stringify(rows));
    const { samples, notes } = await benchmark.load(file, options);
    const noGoal = benchmark.name === "vcrbench" && samples.every((sample) => sample.goal === "");
    return { samples, notes, hash: null, unknownGroups: noGoal ? ["goal"] : [] };
  } catch (error) {
    throw new Failure(
      "wrong-usage",
      `Expected \`--data\` with ${basename(path)}: it does not hold the questions that it answers.`,
      { path, benchmark: benchmark.name },
      { cause: error },
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** VCRBench's responses hold the right order counted from 1, and no goal. */
function rowOf(record: Row): Row {
  if (!Array.isArray(record.answer) || "ground_truth" in record) return record;
  const { qid, video_file } = record;
  const ground_truth = record.answer.map((clip) => Number(clip) - 1);
  return { qid, video_file, goal: record.goal ?? "", ground_truth };
}
