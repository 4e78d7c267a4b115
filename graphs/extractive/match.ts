import type { Moment } from "../../src/core/shapes.ts";
import type { GraphContext } from "../context.ts";
import { findMoments } from "../stages/moments.ts";
import { optionMoments } from "../stages/option-mentions.ts";
import { readEvidence } from "../stages/reading.ts";
import { weighOver } from "../stages/support.ts";
import { type Outcome, outcome, type State, type Update } from "../state.ts";

const OPTION_BASIS =
  "the chosen option's share of the support of all options, by matching words; uncalibrated";
const OPEN_BASIS =
  "the share of the question's words, weighted by rarity, in the best moment; uncalibrated";

/**
 * Answers with the option that the words of the video support most, or with the value, phrase or sentence about the
 * question. The moments are returned with every answer, also if they settle nothing.
 */
export function matchWords(state: State, context: GraphContext): Update {
  const { question, evidence } = state;
  if (question.task === "order" || evidence.length === 0)
    return { outcome: outcome({ status: "not-answered" }) };
  const update = question.task === "choice" ? chooseOption(state) : answerOpen(state);
  const retrieved = update.outcome?.moments?.flatMap((moment) => moment.evidence) ?? [];
  const ids = [...new Set([...(update.outcome?.cites ?? []), ...retrieved])];
  context.emit("match", { type: "retrieved", ids });
  return update;
}

function chooseOption({ question, evidence }: State): Update {
  const reading = readEvidence(evidence);
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

function answerOpen({ question, evidence }: State): Update {
  const { moments, answer, relevance } = findMoments(question, readEvidence(evidence));
  if (answer === null) return { outcome: outcome({ status: "not-answered", moments }) };
  return {
    outcome: outcome({
      status: "answered",
      answer,
      cites: citesOf(moments),
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
