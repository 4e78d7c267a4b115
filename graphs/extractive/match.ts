import { makeEvidenceSet } from "../../src/core/evidence.ts";
import { searchEvidence } from "../../tools/search/keyword-search.ts";
import { questionQueries } from "../../tools/search/question-queries.ts";
import type { GraphContext } from "../context.ts";
import { bestSentences, weighOptions } from "../stages/support.ts";
import { outcome, type State, type Update } from "../state.ts";

/** Hits of the full-text search around which passages are weighted. */
const HITS = 100;

/** An open question needs a larger share of its words in one passage, since no option supports it. */
const LEAST_FOR_PASSAGE = 2 / 3;

/**
 * Answers with the option that the words of the video support, or with the passage about the question. Without clear
 * support the question is not answered: a guess would look like evidence.
 */
export async function matchWords(state: State, context: GraphContext): Promise<Update> {
  const { question, evidence } = state;
  if (question.task === "order" || evidence.length === 0)
    return { outcome: outcome({ status: "not-answered" }) };
  const near = await hitsOf(state, context);
  if (question.task === "choice") {
    const { letter, cites, scores } = weighOptions(question, evidence, near);
    const ids = cites.map((item) => item.id);
    const found =
      letter === null
        ? outcome({ status: "not-answered" })
        : outcome({ status: "answered", answer: letter, cites: ids });
    return { outcome: found, diagnostics: { scores } };
  }
  const found = bestSentences(question, evidence, near, LEAST_FOR_PASSAGE);
  if (found === null) return { outcome: outcome({ status: "not-answered" }) };
  const cites = found.cites.map((item) => item.id);
  return { outcome: outcome({ status: "answered", answer: found.text, cites }) };
}

async function hitsOf({ question, evidence }: State, context: GraphContext): Promise<Set<string>> {
  const set = makeEvidenceSet(evidence);
  const hits = await Promise.all(
    questionQueries(question).map(({ text }) =>
      searchEvidence(set, text, { limit: HITS }, context.store),
    ),
  );
  const ids = new Set(hits.flat().map((hit) => hit.evidence.id));
  context.emit("match", { type: "retrieved", ids: [...ids] });
  return ids;
}
