import type { Note, Sample } from "../benchmarks/sample.ts";
import { unitOf } from "../run/selection.ts";

/** A question in pairs of which only some are asked. */
export interface ShortenedQuestion {
  id: string;
  asked: number;
  /** Pairs that the data have. */
  pairs: number;
}

/** The questions that lack pairs; those of runs that do not store the number of pairs are not known. */
export function shortenedQuestions(samples: readonly Sample[]): ShortenedQuestion[] {
  return [...Map.groupBy(samples, unitOf)].flatMap(([id, members]) => {
    const asked = members.length;
    const pairs = members[0]?.pairs ?? asked;
    return asked < pairs ? [{ id, asked, pairs }] : [];
  });
}

/** A note on the questions that no accuracy counts; empty without any. */
export function shortenedNotes(samples: readonly Sample[], most = 5): Note[] {
  const shortened = shortenedQuestions(samples);
  if (shortened.length === 0) return [];
  return [
    {
      what: "questions with missing pairs, counted neither as right nor as wrong",
      count: shortened.length,
      examples: shortened
        .slice(0, most)
        .map(({ id, asked, pairs }) => `question ${id} (${asked} of ${pairs} pairs)`),
    },
  ];
}
