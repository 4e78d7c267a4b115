import type { z } from "zod";
import type { MediaFolders, Row } from "./data-files.ts";
import { type Benchmark, type BenchmarkDefinition, defineBenchmark } from "./define-benchmark.ts";
import { type LoadContext, loadRows, unreadable, videoOf } from "./load-rows.ts";
import { letterAt, readOptions } from "./options.ts";
import { type PublishedProtocol, unpublished } from "./protocols/protocol.ts";
import type { Sample } from "./sample.ts";
import type { Extractor, ScoredReply } from "./scored-reply.ts";
import { namesForeignLetter, soundLetter } from "./sound-letter.ts";

/*
 * Benchmarks of multiple-choice questions as a declaration: which columns of a row hold what, in which folders the media
 * lie, and how the released code reads a letter.
 */

/** A question as its row gives it. */
export interface ChoiceRow {
  id: string;
  question: string;
  options: readonly string[];
  /** A letter; of options without letters, that of their place. */
  answer: string;
  /** Names that the video file may have, the usual one first. */
  video: readonly [string, ...string[]];
  /** Name of the subtitle file, and the time in it at which the video begins, in seconds. */
  subtitles?: { name: string; from_s?: number };
  evidence_s?: [number, number][];
  /** What is wrong with a part of the row that was left out, as a clause. */
  irregularity?: string;
}

export interface ChoiceDeclaration
  extends Pick<BenchmarkDefinition, "name" | "title" | "responses">,
    Required<Pick<BenchmarkDefinition, "official">>,
    Partial<Pick<BenchmarkDefinition, "measures">> {
  /** Columns that a data file must have. */
  columns: readonly string[];
  /** Whether a file with this first row is the data; default: yes. */
  accept?: (row: Row) => boolean;
  /** The questions of a row that holds several. */
  expand?: (row: Row) => readonly Row[];
  /** Reads the columns of a row. */
  row: z.ZodType<ChoiceRow>;
  /** Whether the options carry their letters, as in `A. text`. */
  lettered: boolean;
  folders?: MediaFolders;
  /** Group kind -> column. */
  groups: Readonly<Record<string, string>>;
  /** How the released code reads a letter, and why it cannot read `Answer: X`, as a clause. */
  extractor: Extractor;
  misreads: string;
  /** Where the columns and the scoring are described. */
  source: string;
  cautions?: readonly string[];
}

/** Defines a benchmark whose loader is written from published code, and was not tried on the full data. */
export function defineChoiceBenchmark(declaration: ChoiceDeclaration): Benchmark {
  const { name, title, extractor, misreads, source, responses } = declaration;
  return defineBenchmark({
    name,
    title,
    tasks: ["choice"],
    load: (path) => loadRows(path, declaration, (...row) => readChoice(declaration, ...row)),
    groups: (sample) => groupsOf(sample, declaration.groups),
    extractors: { official: extractor, sound: soundLetter },
    answers: {
      written: "letter",
      readBy: { letter: "sound", "answer-line": "sound" },
      unreadable: { official: { "answer-line": misreads } },
    },
    scorer: "letter",
    official: declaration.official,
    measures: declaration.measures ?? answeredAndRight,
    namesForeignAnswer: namesForeignLetter,
    protocol: untried(title, source, declaration.cautions ?? []),
    responses,
  });
}

function untried(title: string, source: string, cautions: readonly string[]): PublishedProtocol {
  return {
    ...unpublished(title),
    source,
    cautions: [
      `${title} is untried on full data: its columns and folders are read from ${source}.`,
      ...cautions,
    ],
  };
}

function readChoice(
  { row: schema, lettered }: ChoiceDeclaration,
  row: Row,
  position: number,
  loading: LoadContext,
): Sample | null {
  const read = schema.safeParse(row);
  if (!read.success) return unreadable(position, loading);
  const { id, question, answer, video, subtitles, evidence_s, irregularity: left } = read.data;
  const { data, tally, samples } = loading;
  const { options, irregularity } = lettered
    ? readOptions(read.data.options)
    : byPlace(read.data.options);
  for (const what of [irregularity, left]) if (what != null) tally.add(what, id);
  if (!options.some(({ letter }) => letter === answer))
    tally.add("right letters that are not among the options", `${id}: ${answer}`);
  if (samples.has(id)) tally.add("repeated ids, the last counts", id);
  const file = subtitles && data.find("subtitles", [subtitles.name]);
  return {
    id,
    ...videoOf(video, video[0], loading),
    question,
    task: "choice",
    options,
    answer,
    ...(file === undefined ? {} : { subtitles: file }),
    ...(file === undefined || !subtitles?.from_s ? {} : { subtitles_from_s: subtitles.from_s }),
    ...(evidence_s === undefined ? {} : { evidence_s }),
    row,
  };
}

/** Options without letters: what looks like a letter in front of one is part of its text. */
function byPlace(texts: readonly string[]): ReturnType<typeof readOptions> {
  const options = texts.map((text, place) => ({ letter: letterAt(place), text: text.trim() }));
  return { options, irregularity: null };
}

function groupsOf({ row }: Sample, columns: ChoiceDeclaration["groups"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([kind, column]) => {
      const value = [row[column]].flat().filter((one) => one != null && one !== "");
      return value.length === 0 ? [] : [[kind, value.map((one) => String(one).trim()).join(", ")]];
    }),
  );
}

/** The share of right replies; 0 without any, as in the released code. */
export function shareRight(scored: readonly ScoredReply[]): number {
  const right = scored.filter(({ score }) => score.value === 1).length;
  return scored.length === 0 ? 0 : right / scored.length;
}

/** The share of right replies for each value of a column; a row with several values counts for each. */
export function sharesBy(scored: readonly ScoredReply[], column: string): Record<string, number> {
  const valued = scored.flatMap((item) =>
    [item.sample.row[column]].flat().map((value) => ({ value: String(value), item })),
  );
  return Object.fromEntries(
    [...Map.groupBy(valued, ({ value }) => value)].map(([value, members]) => [
      value,
      shareRight(members.map(({ item }) => item)),
    ]),
  );
}

function answeredAndRight(scored: readonly ScoredReply[]): Record<string, number | null> {
  const replied = scored.filter(({ extraction }) => extraction !== null);
  const answered = replied.filter(({ extraction }) => extraction?.answer != null);
  const none = replied.length === 0;
  return {
    accuracy: none ? null : shareRight(replied),
    answered: none ? null : answered.length / replied.length,
  };
}
