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

/**
 * How many results are right, of all and of those that were answered. A result is a question in one epoch. In the
 * accuracies a question weighs the same whatever its number of results, so `right / all` is the accuracy only if all
 * questions have equally many results and no result has a part of the full score.
 */
export interface Denominators {
  /** Results with the full score. */
  right: number;
  /** Results with a part of the full score. */
  partial: number;
  /** All results; unanswered and unscored ones count as wrong. */
  all: number;
  /** Results from which an answer was read. */
  answered: number;
  /** Results that could not be scored. */
  unscored: number;
  /** Mean over questions of the mean score over their epochs, 0 to 1; null without questions. */
  accuracy: number | null;
  /** The same over the answered epochs; questions without an answered epoch are left out. */
  accuracyAnswered: number | null;
}

/** Both denominators of an accuracy. */
export function denominators(questions: readonly ScoredQuestion[]): Denominators {
  const answered = answeredOf(questions);
  return {
    right: questions.filter(({ value }) => value === 1).length,
    partial: questions.filter(({ value }) => value !== null && value > 0 && value < 1).length,
    all: questions.length,
    answered: answered.length,
    unscored: questions.filter(({ value }) => value === null).length,
    accuracy: meanOverQuestions(questions),
    accuracyAnswered: meanOverQuestions(answered),
  };
}

/** Those that were scored and from which an answer was read; a program may find a reply without an answer right. */
export function answeredOf(questions: readonly ScoredQuestion[]): ScoredQuestion[] {
  return questions.filter(({ answered, value }) => answered && value !== null);
}

/** One value per question: the mean of its epochs. Epochs that could not be scored count as wrong. */
export function questionMeans(
  questions: readonly ScoredQuestion[],
): { id: string; cluster: string; groups: Record<string, string>; value: number }[] {
  return [...Map.groupBy(questions, (question) => question.id)].map(([id, epochs]) => {
    const { cluster, groups } = epochs[0] as ScoredQuestion;
    return { id, cluster, groups, value: sumOf(epochs) / epochs.length };
  });
}

function meanOverQuestions(questions: readonly ScoredQuestion[]): number | null {
  if (questions.length === 0) return null;
  const epochs = [...Map.groupBy(questions, ({ id }) => id).values()].map(({ length }) => length);
  // With equally many epochs, one division gives the same mean with less rounding.
  const items = new Set(epochs).size === 1 ? questions : questionMeans(questions);
  return sumOf(items) / items.length;
}

function sumOf(items: readonly { value: number | null }[]): number {
  return items.reduce((sum, { value }) => sum + (value ?? 0), 0);
}
