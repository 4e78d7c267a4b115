import type { AnswerFormat } from "../../graphs/answer-prompts.ts";
import { Failure } from "../../src/core/errors.ts";
import type { Option, Score } from "../../src/core/shapes.ts";

export const BENCHMARKS = ["vcrbench", "mmr-v", "videomathqa"] as const;
export type BenchmarkName = (typeof BENCHMARKS)[number];

/** One question of a benchmark, as every runner, scorer and report sees it. */
export interface Sample {
  /** Unique in the benchmark. */
  id: string;
  /** Path of the video file from the data folder, with `/`. */
  video: string;
  /** False where that file is not there: an error of this sample alone. */
  hasVideo: boolean;
  question: string;
  task: "order" | "choice";
  /** What the shuffled clips add up to, for `order`. */
  goal?: string;
  /** The options as lettered in the data; empty for `order`. */
  options: Option[];
  /** A letter, or clip numbers counted from 1 in their right order. */
  answer: string | number[];
  /** Path of the subtitle file from the data folder, where there is one. */
  subtitles?: string;
  /** Annotated steps: of a solution, or what each clip shows, in the order of the clip numbers. */
  steps?: string[];
  /** Where the evidence lies, as [start, end] seconds, in sets that know it. */
  evidence_s?: [number, number][];
  /** The row as released, for groups and for writing it back. */
  row: Readonly<Record<string, unknown>>;
}

/** Something that was made right, left out or missing while loading; counted, never in silence. */
export interface Note {
  /** What happened, as a clause: `answer letter with a blank`. */
  what: string;
  count: number;
  /** Up to five, for a person to look at. */
  examples: string[];
}

export interface Loaded {
  samples: Sample[];
  notes: Note[];
  /** Folder that `video` and `subtitles` of the samples start from, absolute. */
  folder: string;
  /** One sentence on how to unpack the videos, where only their archives lie there; else null. */
  packed: string | null;
  /** The data files read, from the folder. */
  files: string[];
  /** SHA-256 over the data files. */
  hash: string;
}

export interface LoadOptions {
  /** VideoMathQA: which of its two sets of questions. Default `mcq`. */
  config?: "mcq" | "multi_binary";
}

/** What a reply was read as. */
export interface Extraction {
  answer: string | number[] | null;
  /** The rule that found it, or why there is none. */
  how: string;
  /** MMR-V official: 1, the inference script's extraction; 2, the scorer's fallback; null where neither found one. */
  stage?: 1 | 2 | null;
}

export interface ExtractorOptions {
  /** Names of the tags around reasoning, for the extractor `lmms-eval-0.7`. Default `REASONING_TAGS`. */
  reasoning_tags?: readonly string[];
}

export type Extractor = (reply: string, sample: Sample, options?: ExtractorOptions) => Extraction;

/** How a benchmark's prompts ask for an answer, and which extractor reads which form. */
export interface AnswerReading {
  /** The form in which code writes an answer that no model wrote. */
  written: AnswerFormat;
  /** Default extractor by the form that was asked for; it reads that form after any reasoning. */
  readBy: Partial<Record<AnswerFormat, string>>;
  /** Extractor -> form that it misreads even without reasoning -> why, as a clause. */
  unreadable: Record<string, Partial<Record<AnswerFormat, string>>>;
}

/** `null` extraction: no reply came (an error of the sample), so there was nothing to read. */
export interface Scored {
  sample: Sample;
  extraction: Extraction | null;
  score: Score;
}

/** One unit of the statistics. */
export interface ScoredQuestion {
  id: string;
  cluster: string;
  groups: Record<string, string>;
  /** 1, 0, or null where it could not be scored. */
  value: number | null;
  /** Whether an answer was read from every reply. */
  answered: boolean;
}

/** A number, or numbers by group, under the names that the released scorer or the paper uses. */
export type OfficialScores = Record<string, unknown>;

export interface Benchmark {
  name: BenchmarkName;
  /** As people write it. */
  title: string;
  /**
   * Reads the published layout: a folder, or its data file.
   * Throws `Failure` `data-malformed` for data of another kind, `not-found` where there is none.
   */
  load(path: string, options?: LoadOptions): Promise<Loaded>;
  /** Group kind -> group, for breakdowns; a kind that the data lacks is left out. */
  groups(sample: Sample): Record<string, string>;
  /** Questions of one cluster are not independent: the video. */
  cluster(sample: Sample): string;
  extractors: { official: Extractor; sound: Extractor } & Record<string, Extractor>;
  answers: AnswerReading;
  /** 1 or 0; no answer found in a reply scores 0. */
  score(extraction: Extraction, sample: Sample, extractor: string): Score;
  /** What counts once in a mean: a sample, or a question whose pairs must all be right. */
  questions(scored: readonly Scored[]): ScoredQuestion[];
  /** The scores of the released code, by its names and with its rounding, over the samples given. */
  official(scored: readonly Scored[]): OfficialScores;
  /** Further scores, 0 to 1 (tau: -1 to 1), by name; null where nothing could be counted. */
  measures(scored: readonly Scored[]): Record<string, number | null>;
  /** For orders: whether each position of the right answer is met; all false without an answer. */
  positions?: (scored: Scored) => boolean[];
  /** What single replies show, by name, each worth a rate over all replies. Missing for benchmarks without any. */
  replySigns?: {
    /** The definition of each sign, for a reader of the rates. */
    about: string;
    read(reply: string, scored: Scored): Record<string, boolean>;
  };
}

/** Reads and scores one reply; `extractor` names one of the benchmark's, else `Failure` `wrong-usage`. */
export function scoreReply(
  benchmark: Benchmark,
  sample: Sample,
  reply: string,
  extractor: string,
  options: ExtractorOptions = {},
): Scored {
  const extract = benchmark.extractors[extractor];
  if (extract === undefined)
    throw new Failure(
      "wrong-usage",
      `Expected an extractor of ${benchmark.title} (${Object.keys(benchmark.extractors).join(", ")}), got ${JSON.stringify(extractor)}.`,
      { extractor },
    );
  const extraction = extract(reply, sample, options);
  return { sample, extraction, score: benchmark.score(extraction, sample, extractor) };
}

/** A sample that brought no reply: `value` null, counted apart. */
export function unscored(sample: Sample, why: string, extractor: string): Scored {
  return {
    sample,
    extraction: null,
    score: { value: null, answer: null, explanation: why, extractor },
  };
}

/** Right or wrong by equality, for letters and orders alike. */
export function scoreEqual(extraction: Extraction, sample: Sample, extractor: string): Score {
  const { answer, how } = extraction;
  const right = answer !== null && JSON.stringify(answer) === JSON.stringify(sample.answer);
  const show = (value: string | number[]) => (typeof value === "string" ? value : value.join(", "));
  return {
    value: right ? 1 : 0,
    answer,
    explanation:
      answer === null
        ? `no answer (${how}); right is ${show(sample.answer)}`
        : `${show(answer)} (${how}); right is ${show(sample.answer)}`,
    extractor,
  };
}

/** `questions` where every sample counts by itself. */
export function onePerSample(this: Benchmark, scored: readonly Scored[]): ScoredQuestion[] {
  return scored.map(({ sample, extraction, score }) => ({
    id: sample.id,
    cluster: this.cluster(sample),
    groups: this.groups(sample),
    value: score.value,
    answered: extraction?.answer != null,
  }));
}

export interface Denominators {
  right: number;
  /** All questions; unanswered and unscored ones count as wrong. */
  all: number;
  /** Questions that an answer was read for. */
  answered: number;
  /** Questions that could not be scored. */
  unscored: number;
  accuracy: number | null;
  accuracyAnswered: number | null;
}

/** Both denominators of an accuracy. */
export function denominators(questions: readonly ScoredQuestion[]): Denominators {
  const right = questions.filter((question) => question.value === 1).length;
  const answered = questions.filter(
    (question) => question.answered && question.value !== null,
  ).length;
  const all = questions.length;
  return {
    right,
    all,
    answered,
    unscored: questions.filter((question) => question.value === null).length,
    accuracy: all === 0 ? null : right / all,
    accuracyAnswered: answered === 0 ? null : right / answered,
  };
}
