import type { Moment, Question } from "../../src/core/shapes.ts";
import { type AskedTerm, askedTerms } from "./asked.ts";
import { isDenied } from "./denial.ts";
import { directAnswer } from "./direct-answer.ts";
import { type Expected, expectedAnswer, isExpected, states } from "./expected-answer.ts";
import { nearestSentences } from "./nearest-moments.ts";
import { type Clauses, nearnessTo, type Rivals } from "./nearness.ts";
import type { Reading, ReadTerm, Sentence } from "./reading.ts";

/*
 * The moments of the video that an open question leads to, and the value or phrase in the best of them.
 */

const MOST_MOMENTS = 5;
/** A moment needs this score to be shown, or this share of the best one's. */
const LEAST_SCORE = 0.08;
const LEAST_OF_BEST = 0.5;
/** The best moment needs this relevance to answer the question. */
const LEAST_RELEVANCE = 0.5;
/** The same for a moment with a number of the dimension that is asked for. */
const LEAST_FOR_VALUE = 0.3;
/** What a sentence counts that has no number, place, reason or person if the question asks for one. */
const WITHOUT_ANSWER = 0.5;
/** What a denied value counts. */
const DENIED = 0.3;
/** Words within which a label belongs to a value on the next line. */
const LABEL_REACH = 12;
/** What a sentence counts at least if it is about something else. */
const LEAST_FOCUS = 0.7;

/** What a search of the evidence finds for an open question. */
export interface Findings {
  /** Best first. Their words are empty if none matches the question; then they are the nearest. */
  moments: Moment[];
  /** The value, phrase or sentence that answers the question; null if the best moment is not clear enough. */
  answer: string | null;
  /** Relevance of the best moment, 0 to 1. */
  relevance: number;
}

interface Candidate {
  sentence: Sentence;
  score: number;
  relevance: number;
  /** The quantity that may be the answer. */
  value: ReadTerm | null;
  words: ReadTerm[];
}

/** Ranks the moments for a question, best first, and reads the answer from the best one. */
export function findMoments(question: Question, read: Reading): Findings {
  const reading = { ...read, clauses: Map.groupBy(read.terms, ({ clause }) => clause) };
  const asked = askedTerms(question, reading);
  const expected = expectedAnswer(question.text, asked);
  const matching = reading.sentences
    .map((sentence) => candidateOf(sentence, asked, expected, reading))
    .filter(({ words }) => words.length > 0)
    .sort((a, b) => b.score - a.score || a.sentence.start_s - b.sentence.start_s);
  if (matching.length === 0)
    return { moments: nearestMoments(asked, reading), answer: null, relevance: 0 };
  const leastScore = Math.min(LEAST_SCORE, (matching[0]?.score ?? 0) * LEAST_OF_BEST);
  const candidates = matching.filter(({ score }) => score >= leastScore);
  // The heading of a slide says what its lines are about, and is no answer; nor is what repeats the question.
  const best = candidates.find(
    ({ sentence, words }) => !isHeading(sentence, reading) && saysMore(sentence, words),
  );
  const least =
    best?.value?.quantity != null && best.value.quantity.dimension !== null && expected.value
      ? LEAST_FOR_VALUE
      : LEAST_RELEVANCE;
  return {
    moments: merged(candidates).slice(0, MOST_MOMENTS),
    answer:
      best === undefined || best.relevance < least
        ? null
        : directAnswer(best.sentence, best.value, new Set(best.words), asked, expected),
    relevance: best?.relevance ?? 0,
  };
}

function nearestMoments(asked: readonly AskedTerm[], reading: Reading): Moment[] {
  const near = nearestSentences(asked, reading).slice(0, MOST_MOMENTS * MOST_LINES);
  return merged(
    near.map(({ sentence, closeness }) => ({
      ...{ sentence, score: closeness, relevance: 0, value: null, words: [] },
    })),
  ).slice(0, MOST_MOMENTS);
}

function candidateOf(
  sentence: Sentence,
  asked: readonly AskedTerm[],
  expected: Expected,
  reading: Clauses,
): Candidate {
  const terms = sentence.terms.filter(({ key }) => key !== "");
  const whole = nearnessTo(terms, asked, new Set(), reading);
  const words = whole.nearest.filter((term) => sentence.terms.includes(term));
  const focused = (focus: number) => LEAST_FOCUS + (1 - LEAST_FOCUS) * focus;
  const lacking = (expected.value || expected.marked !== null) && !states(sentence.text, expected);
  const none = {
    ...{ sentence, words, value: null, relevance: whole.relevance },
    score: whole.relevance * focused(whole.focus) * (lacking ? WITHOUT_ANSWER : 1),
  };
  if (!expected.value) return none;
  const values = terms.filter((term) => isExpected(term, expected));
  const valued = values.map((value) => {
    const near = nearnessTo([value], asked, new Set(), reading, rivalsOf(value, values));
    const score = Math.max(
      none.score,
      ((near.relevance + whole.relevance) / 2) * focused(near.focus),
    );
    const rank = near.relevance * focused(near.focus) * (isDenied(value, reading) ? DENIED : 1);
    // The label of a value may be on the line above it.
    const labels = near.nearest.filter(
      (term) => term.stream === value.stream && Math.abs(term.place - value.place) <= LABEL_REACH,
    );
    return { ...none, value, score, rank, words: words.length > 0 ? words : labels };
  });
  return valued.sort((a, b) => b.rank - a.rank)[0] ?? none;
}

function saysMore({ terms }: Sentence, words: readonly ReadTerm[]): boolean {
  const known = new Set(words.map(({ key }) => key));
  return terms.some(({ key }) => key !== "" && !known.has(key));
}

function isHeading({ terms, stream }: Sentence, { sentences }: Clauses): boolean {
  return (
    terms.every(({ heading, quantity }) => heading && quantity === null) &&
    sentences.some((other) => other.stream === stream && !other.terms[0]?.heading)
  );
}

/** Clauses of the sentence with other values of the sort. */
function rivalsOf(value: ReadTerm, values: readonly ReadTerm[]): Rivals {
  const clauses = new Set(values.map(({ clause }) => clause));
  clauses.delete(value.clause);
  return { sentences: new Set(), clauses };
}

/** Lines of one slide are one moment; its text is that of its best lines. */
function merged(candidates: readonly Candidate[]): Moment[] {
  const moments = new Map<string, { lines: Candidate[]; moment: Moment }>();
  for (const candidate of candidates) {
    const { sentence, score, words } = candidate;
    const items = sentence.items.map(({ id }) => id);
    const key = sentence.spoken ? items.join(" ") : `slide ${sentence.stream}`;
    const before = moments.get(key);
    const said = [...new Set(words.map(({ word }) => word))];
    if (before === undefined) {
      const { start_s, end_s, text } = sentence;
      const moment = { start_s, end_s, text, words: said, score: rounded(score), evidence: items };
      moments.set(key, { lines: [candidate], moment });
    } else if (before.lines.length < MOST_LINES) {
      before.lines.push(candidate);
      const { moment } = before;
      moment.text += ` / ${sentence.text}`;
      moment.words = [...new Set([...moment.words, ...said])];
      moment.evidence = [...new Set([...moment.evidence, ...items])];
      moment.start_s = Math.min(moment.start_s, sentence.start_s);
      moment.end_s = Math.max(moment.end_s, sentence.end_s);
    }
  }
  return [...moments.values()].map(({ moment }) => moment);
}

/** Lines of a slide, or sentences of a cue, that are shown together. */
const MOST_LINES = 3;

function rounded(score: number): number {
  return Math.round(Math.min(1, score) * 1000) / 1000;
}
