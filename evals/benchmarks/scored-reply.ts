import type { Score } from "../../src/core/shapes.ts";
import type { Sample } from "./sample.ts";

/** The answer that an extractor read from a reply. */
export interface Extraction {
  answer: string | number[] | null;
  /** The rule that found it, or why there is none. */
  how: string;
  /** Of extractors with two stages, such as MMR-V's official one: which found it; null: neither. */
  stage?: 1 | 2 | null;
}

/** Settings of extractors that have some. */
export interface ExtractorOptions {
  /** Names of the tags around reasoning, for the extractor `lmms-eval-0.7`. Default `REASONING_TAGS`. */
  reasoning_tags?: readonly string[];
}

/** Reads the answer in a reply. Pure: the same arguments give the same answer. */
export type Extractor = (reply: string, sample: Sample, options?: ExtractorOptions) => Extraction;

/** `null` extraction: there was no reply to read (an error of the sample). */
export interface ScoredReply {
  sample: Sample;
  extraction: Extraction | null;
  score: Score;
}

/** One unit of the statistics. */
export interface ScoredQuestion {
  id: string;
  cluster: string;
  groups: Record<string, string>;
  /** 0 (wrong) to 1 (right), or null if it could not be scored. */
  value: number | null;
  /** Whether an answer was read from every reply. */
  answered: boolean;
}

/** A number, or numbers by group, under the names that the released scorer or the paper uses. */
export type OfficialScores = Record<string, unknown>;

/** A sample without a reply: `value` null, counted apart. */
export function unscored(sample: Sample, why: string, extractor: string): ScoredReply {
  return {
    sample,
    extraction: null,
    score: { value: null, answer: null, explanation: why, extractor },
  };
}

/** How many questions are right, of all and of those that were answered. */
export interface Denominators {
  /** Questions with the full score. */
  right: number;
  /** All questions; unanswered and unscored ones count as wrong. */
  all: number;
  /** Questions that an answer was read for. */
  answered: number;
  /** Questions that could not be scored. */
  unscored: number;
  /** Mean score of all questions, and of those that were answered; a scorer may give a part of the full score. */
  accuracy: number | null;
  accuracyAnswered: number | null;
}

/** Both denominators of an accuracy. */
export function denominators(questions: readonly ScoredQuestion[]): Denominators {
  const right = questions.filter((question) => question.value === 1).length;
  const of = questions.filter((question) => question.answered && question.value !== null);
  const answered = of.length;
  const all = questions.length;
  return {
    right,
    all,
    answered,
    unscored: questions.filter((question) => question.value === null).length,
    accuracy: all === 0 ? null : sumOf(questions) / all,
    // A program may find a reply right from which no answer was read.
    accuracyAnswered: answered === 0 ? null : sumOf(of) / answered,
  };
}

function sumOf(questions: readonly ScoredQuestion[]): number {
  return questions.reduce((sum, { value }) => sum + (value ?? 0), 0);
}
