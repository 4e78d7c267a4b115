import type { Option, Task } from "../../src/core/shapes.ts";

/** One question of a benchmark, as every runner, scorer and report sees it. */
export interface Sample {
  /** Unique in the benchmark. */
  id: string;
  /** Path of the video file from the data folder, with `/`. */
  video: string;
  /** False if that file is missing: an error of this sample only. */
  hasVideo: boolean;
  question: string;
  task: Task;
  /** The goal that the shuffled clips reach, for `order`. */
  goal?: string;
  /** The options as lettered in the data; empty for `order`. */
  options: Option[];
  /** A letter; clip numbers counted from 1 in their right order; or the text of an open answer. */
  answer: string | number[];
  /**
   * For an order whose steps may partly swap: pairs [earlier, later] of clip numbers; every order that respects them is
   * right, `answer` is one of these. Missing: `answer` only.
   */
  partial_order?: [number, number][];
  /** Further texts that are right, for `open`. */
  accepts?: string[];
  /** Path of the subtitle file from the data folder, if there is one. */
  subtitles?: string;
  /** Time of that file at which the video begins, in seconds. Default 0. */
  subtitles_from_s?: number;
  /** Annotated steps: of a solution, or what each clip shows, in the order of the clip numbers. */
  steps?: string[];
  /** Where the evidence is, as [start, end] seconds, if the data has it. */
  evidence_s?: [number, number][];
  /** For a question that is asked as several pairs, each a sample: how many pairs the data have. Missing: not known. */
  pairs?: number;
  /** Group kind -> group, for benchmarks whose groups are chosen when the data are loaded. */
  groups?: Record<string, string>;
  /** The row as released, for groups and for writing it back. */
  row: Readonly<Record<string, unknown>>;
}

/** Something that was corrected, left out or missing while loading; always counted. */
export interface Note {
  /** What happened, as a clause: `answer letter with a blank`. */
  what: string;
  count: number;
  /** The first ones, for a person to look at: five, of own data twenty. */
  examples: string[];
}

/** The content of a benchmark's files. */
export interface BenchmarkData {
  samples: Sample[];
  /** Id of a sample -> place of its question among all of the data files, from 0. Missing: its place in `samples`. */
  places?: ReadonlyMap<string, number>;
  notes: Note[];
  /** Absolute folder that `video` and `subtitles` of the samples are relative to. */
  folder: string;
  /** One sentence on how to unpack the videos, if only their archives are there; else null. */
  packed: string | null;
  /** The data files read, from the folder. */
  files: string[];
  /** SHA-256 over the data files. */
  hash: string;
  /** How the data were read, as lines for a person, where that is not fixed: columns, tasks, groups. */
  reading?: string[];
}

/** Id of each sample -> its place in the data, from 0. */
export function placesOf({
  samples,
  places,
}: Pick<BenchmarkData, "samples" | "places">): ReadonlyMap<string, number> {
  return places ?? new Map(samples.map(({ id }, place) => [id, place]));
}

/** Which of the data to read. */
export interface LoadOptions {
  /** Name of one of the benchmark's `subsets`; default: the first. */
  config?: string;
  /** Values of the benchmark's `loadSettings`; those that were not given are missing. */
  settings?: Readonly<Record<string, unknown>>;
}
