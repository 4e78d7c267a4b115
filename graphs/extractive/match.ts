import type { Moment, Question } from "../../src/core/shapes.ts";
import type { GraphContext } from "../context.ts";
import { findMoments } from "../stages/moments.ts";
import { optionMoments } from "../stages/option-mentions.ts";
import { type Reading, readEvidence } from "../stages/reading.ts";
import { weighOver } from "../stages/support.ts";
import { type Outcome, outcome, type State, type Update } from "../state.ts";
import { nothingRecognised } from "./nothing-recognised.ts";

const OPTION_BASIS =
  "the chosen option's share of the support of all options, by matching words; uncalibrated";
const OPEN_BASIS =
  "the share of the question's words, weighted by rarity, in the best moment; uncalibrated";

/**
 * Answers with the option that the words of the video support most, or with the value, phrase or sentence about the
 * question. The moments are returned with every answer, also if they settle nothing. If the state has an outcome, only
 * the moments are added to it.
 */
export function matchWords(state: State, context: GraphContext): Update {
  const { question, evidence, outcome: settled } = state;
  if (question.task === "order") return { outcome: settled ?? NOT_ANSWERED };
  const reading = readEvidence(evidence);
  if (reading.sentences.length === 0)
    return {
      outcome: settled ?? NOT_ANSWERED,
      diagnostics: { nothing_recognised: nothingRecognised(context, evidence) },
    };
  const update =
    question.task === "choice" ? chooseOption(question, reading) : answerOpen(question, reading);
  const { moments = [], cites = [] } = update.outcome ?? {};
  const ids = [...new Set([...cites, ...moments.flatMap((moment) => moment.evidence)])];
  context.emit("match", { type: "retrieved", ids });
  return settled === null ? update : { outcome: { ...settled, moments } };
}

const NOT_ANSWERED = outcome({ status: "not-answered" });

function chooseOption(question: Question, reading: Reading): Update {
  const { letter, tied, cites, scores, mentions } = weighOver(question, reading);
  const found = optionMoments(mentions, reading);
  const moments = found.length > 0 ? found : findMoments(question, reading).moments;
  const all = Object.values(scores).reduce((sum, score) => sum + score, 0);
  const answered: Outcome =
    letter === null
      ? outcome({ status: "not-answered", moments })
      : outcome({
          status: "answered",
          answer: letter,
          cites: cites.map(({ id }) => id),
          moments,
          ...(scores[letter] === undefined || all === 0 || scores[letter] === 0
            ? {}
            : { confidence: rounded(scores[letter] / all), confidence_basis: OPTION_BASIS }),
        });
  return { outcome: answered, diagnostics: { scores, ...(tied.length > 0 ? { tied } : {}) } };
}

function answerOpen(question: Question, reading: Reading): Update {
  const { moments, answer, relevance } = findMoments(question, reading);
  // Moments without a word of the question support nothing.
  const cites = citesOf(moments.filter(({ words }) => words.length > 0));
  if (answer === null) return { outcome: outcome({ status: "not-answered", cites, moments }) };
  return {
    outcome: outcome({
      status: "answered",
      answer,
      cites,
      moments,
      confidence: rounded(relevance),
      confidence_basis: OPEN_BASIS,
    }),
  };
}

/** Moments that are cited. */
const MOST_CITED = 3;

function citesOf(moments: readonly Moment[]): string[] {
  return [...new Set(moments.slice(0, MOST_CITED).flatMap(({ evidence }) => evidence))];
}

function rounded(share: number): number {
  return Math.round(Math.min(1, share) * 100) / 100;
}
