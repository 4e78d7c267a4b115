import { readFile, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { flagOf } from "../../src/core/declared-settings.ts";
import { Failure, toFailure } from "../../src/core/errors.ts";
import type { Task } from "../../src/core/shapes.ts";
import { openRunLog } from "../../src/storage/run-log.ts";
import { decodeText } from "../../tools/speech/subtitles/decode-text.ts";
import type { EventLine } from "../attribution/event-log.ts";
import {
  type Benchmark,
  benchmarkNamed,
  benchmarks,
  DEFAULT_SUBSET,
  withScorers,
} from "../benchmarks/define-benchmark.ts";
import { readLoadSettings } from "../benchmarks/load-settings.ts";
import { type Note, placesOf, type Sample } from "../benchmarks/sample.ts";
import { createTally } from "../benchmarks/tally.ts";
import { type EvidenceTest, readTest } from "../evidence-test/test-log.ts";
import type { Judging } from "../judges/judging.ts";
import { questionHash } from "../judges/reply-key.ts";
import { unnamed } from "../run/check-modules.ts";
import { epochsOf, orderOf, type ShownOption, shifted } from "../run/option-orders.ts";
import { stoppedBy } from "../run/run-account.ts";
import { type EvalHeader, readEvalHeader } from "../run/run-header.ts";
import { type RunLine, readLine } from "../run/run-line.ts";
import { unitOf } from "../run/selection.ts";
import { readQuestions } from "../run/stored-samples.ts";
import { scorers } from "../scorers/define-scorer.ts";
import type { Grades } from "../scorers/grading.ts";
import type { ExtractorChoice } from "./extractor-choice.ts";
import type { MatchReport } from "./match-report.ts";
import { guessResponses, readResponses } from "./responses.ts";
import { samplesInFile } from "./samples-in-file.ts";

/** The reply to one sample in one epoch. */
export interface SampleReply {
  sample: Sample;
  /** Positions by which its options were shifted (`option-orders.ts`). Default 0. */
  shift?: number;
  /** Any other order of its options, in a response file. */
  option_order?: readonly ShownOption[];
  /** From 1. */
  epoch: number;
  /** Null if there is no reply. */
  reply: string | null;
  /** Why there is no reply. */
  why: string;
  /** Hash of the question, for a response file (`reply-key.ts`). */
  question_hash?: string;
  /** The line of the run; null for a response file. */
  line: RunLine | null;
}

/** A run, or a response file of another tool, ready to be scored by any extractor. */
export interface Results {
  /** Name of the folder or file. */
  name: string;
  benchmark: Benchmark;
  /** The samples asked, in the order of the data. */
  samples: Sample[];
  /** In the order of `samples`, then by epoch. */
  said: SampleReply[];
  /** Results that a question may have: repetitions times orders of its options. */
  epochs: number;
  /** Number of cyclic orders of the options in which each question is asked. Default 1: the order of the data. */
  option_orders?: number;
  /** Where the samples are in the data that a response file was read with (`BenchmarkData`); missing for a run. */
  places?: ReadonlyMap<string, number>;
  /** Number of samples and epochs without a result. */
  missing: number;
  /** Number of samples left out because their video is missing. */
  skipped: number;
  /** SHA-256 of the data and its subset; null for a response file without separate data. */
  data: { hash: string; subset: string } | null;
  /** Kinds of groups that are unknown, because the file does not contain them. */
  unknownGroups: string[];
  notes: Note[];
  header: EvalHeader | null;
  /** Results of `--evidence-test`, if it was requested. */
  evidenceTest?: EvidenceTest;
  /** Results of the event recognition test; missing if they were not read, or if it was not made. */
  eventTest?: readonly EventLine[];
  /** Judgements of the replies; missing if there are none. */
  judgings?: readonly Judging[];
  /** Stored grades of the replies by task, for scorers that have replies graded; missing if they were not read. */
  grades?: Readonly<Partial<Record<Task, Grades>>>;
  /** How the records of a response file were matched with the questions; missing for a run. */
  match?: MatchReport;
  /** The requested extractor. Default: see `extractorOf`. */
  extraction?: ExtractorChoice;
  /** Its place in the sweep of a preset: folder of the sweep, name of the preset and of the arm. */
  cell?: { sweep: string; preset: string; arm: string };
  /** The one of several `--model` that its sweep runs it for; null with fewer; missing outside sweeps and in older ones. */
  sweep_model?: string | null;
}

/** How a file of results is read. */
export interface ReadOptions {
  /** Benchmark of a response file, needed if its records do not name it; else compared with them. */
  benchmark?: string;
  /** The data that a response file answers; optional if the file contains the questions. */
  data?: string;
  subset?: string;
  /** Load settings of the benchmark for `data`, such as the names of columns. */
  load?: Readonly<Record<string, unknown>>;
  /** The model whose column is read, in a file with columns of several models. */
  model?: string;
  /** The samples of a run that has just ended, which are then not read from its folder again. */
  samples?: readonly Sample[];
}

/**
 * Reads the folder of a run, or a response file of another tool (`responses.ts`).
 * Throws `Failure`: `not-found`, `data-malformed`, `store-format`, `wrong-usage` if `data` is needed.
 */
export async function readResults(path: string, options: ReadOptions = {}): Promise<Results> {
  const kind = await stat(path).catch((error: unknown) => {
    throw new Failure(
      "not-found",
      `Cannot open ${path}: give the folder of a run or a response file.`,
      { path },
      { cause: error },
    );
  });
  return kind.isDirectory() ? readRun(path, options) : readResponseFile(path, options);
}

async function readRun(path: string, options: ReadOptions): Promise<Results> {
  const log = openRunLog(path);
  const header = await readEvalHeader(log);
  if (options.benchmark !== undefined && options.benchmark !== header.benchmark)
    throw new Failure(
      "wrong-usage",
      `Invalid --benchmark ${options.benchmark} for ${path}: it is a run of ${header.benchmark}.`,
      { path, expected: options.benchmark, found: header.benchmark },
    );
  refuseUnnamed(header, path);
  const [fixed] = Object.keys(options.load ?? {});
  if (fixed !== undefined)
    throw new Failure(
      "wrong-usage",
      `Invalid ${flagOf(fixed)} for ${path}: a run keeps how its data were read. Leave it out.`,
      { path, name: fixed },
    );
  const [stored, { samples: lines, damaged }, evidenceTest] = await Promise.all([
    options.samples ?? readQuestions(log.folder),
    log.read(),
    readTest(log.folder),
  ]);
  const samples = withPairCounts(stored);
  const byId = new Map(samples.map((sample) => [sample.id, sample]));
  const said = lines.flatMap((line): SampleReply[] => {
    const read = readLine(line, path);
    const sample = byId.get(read.sample);
    if (sample === undefined) return [];
    const stopped = stoppedBy(read);
    const failed = read.error !== undefined || stopped !== null;
    return [
      {
        sample,
        shift: read.shift ?? 0,
        epoch: read.epoch,
        // A sample that a budget stopped has no model reply: it is wrong, and counted separately.
        reply: failed ? null : read.reply,
        why:
          read.error?.message ??
          (stopped === null ? "no reply" : `Stopped by the budget of ${stopped}.`),
        line: read,
      },
    ];
  });
  const orders = header.option_orders ?? 1;
  const planned = samples.reduce(
    (sum, sample) => sum + epochsOf(sample, header.epochs, orders).length,
    0,
  );
  const tally = createTally();
  if (damaged > 0) tally.add("damaged lines, whose samples count as not asked", log.folder);
  return {
    name: basename(log.folder),
    benchmark: withScorers(benchmarkNamed(header.benchmark), header.scorers),
    samples,
    said: inSampleOrder(said, samples),
    epochs: header.epochs * orders,
    option_orders: orders,
    missing: planned - said.length,
    skipped: header.selection.skipped.length,
    data: { hash: header.data.hash, subset: header.data.subset },
    unknownGroups: [],
    notes: [...header.data.notes, ...tally.notes()],
    header,
    ...(evidenceTest === null ? {} : { evidenceTest }),
  };
}

/** Refuses a run whose benchmark or scorers are in files of a user that have not been named. */
function refuseUnnamed(
  { benchmark, scorers: chosen = {}, modules = [] }: EvalHeader,
  path: string,
) {
  const isMissing =
    benchmarks.find(benchmark) === undefined ||
    Object.values(chosen).some(({ name }) => scorers.find(name) === undefined);
  if (isMissing && modules.length > 0) throw unnamed(modules, path, "Its replies cannot be scored");
}

/**
 * The samples with the number of pairs of their question, which older runs do not store: those that were asked. A question
 * has no result in an epoch before all of its pairs have one.
 */
function withPairCounts(samples: readonly Sample[]): Sample[] {
  const asked = Map.groupBy(samples, unitOf);
  return samples.map((sample) => {
    const unit = unitOf(sample);
    return unit === sample.id ? sample : { pairs: asked.get(unit)?.length, ...sample };
  });
}

function inSampleOrder(said: readonly SampleReply[], samples: readonly Sample[]): SampleReply[] {
  const place = new Map(samples.map(({ id }, index) => [id, index]));
  const of = ({ sample }: SampleReply) => place.get(sample.id) ?? samples.length;
  return [...said].sort((a, b) => of(a) - of(b) || a.epoch - b.epoch);
}

async function readResponseFile(path: string, options: ReadOptions): Promise<Results> {
  const name = basename(path);
  const bytes = await readFile(path).catch((error: unknown) => {
    throw toFailure(error, "file-unreadable", `reading ${path}`);
  });
  // Windows PowerShell writes UTF-16.
  const { text } = decodeText(bytes);
  const guess = guessResponses(text, name);
  const named = options.benchmark ?? guess.benchmark;
  if (named === null)
    throw new Failure(
      "wrong-usage",
      `Missing --benchmark for ${name}: its records do not name their benchmark.`,
      { path },
    );
  const benchmark = benchmarkNamed(named);
  const config = options.subset ?? guess.subset;
  const settings = readLoadSettings(benchmark, options.load ?? {});
  const loaded =
    options.data === undefined ? null : await benchmark.load(options.data, { config, settings });
  const { samples, hash, notes, unknownGroups } =
    loaded === null
      ? await samplesInFile(resolve(path), text, benchmark, { config, settings })
      : { ...loaded, unknownGroups: [] };
  const responses = readResponses(text, benchmark, samples, { name, model: options.model });
  const byId = new Map(samples.map((sample) => [sample.id, sample]));
  const said = responses.replies.flatMap(({ sample: id, ...said }): SampleReply[] => {
    const sample = byId.get(id);
    if (sample === undefined) return [];
    const question_hash = questionHash(shifted(sample, orderOf(said)));
    return [{ sample, ...said, epoch: 1, why: "", question_hash, line: null }];
  });
  return {
    name,
    benchmark,
    samples,
    ...(loaded === null ? {} : { places: placesOf(loaded) }),
    said: inSampleOrder(said, samples),
    epochs: 1,
    missing: samples.length - said.length,
    skipped: 0,
    data: hash === null ? null : { hash, subset: config ?? DEFAULT_SUBSET },
    unknownGroups,
    // Videos are not needed to score replies.
    notes: [...notes.filter((note) => note.what !== "videos missing"), ...responses.notes],
    match: responses.match,
    header: null,
  };
}
