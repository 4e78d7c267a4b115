import { byTimeKindId } from "../../src/core/evidence.ts";
import type { Evidence, EvidenceSet, Question } from "../../src/core/shapes.ts";
import { fuseRanks } from "../../tools/search/hybrid-search.ts";
import { type SearchFilters, searchEvidence } from "../../tools/search/keyword-search.ts";
import { questionQueries } from "../../tools/search/question-queries.ts";
import type { GraphContext } from "../context.ts";

/**
 * The evidence that best matches the question or one of its options, best first, at most `limit` items. Each of them is
 * searched for separately, so that the words of one option cannot outweigh those of another.
 */
export async function retrieve(
  question: Question,
  set: EvidenceSet,
  filters: SearchFilters & { limit: number },
  store: GraphContext["store"],
): Promise<Evidence[]> {
  const lists = await Promise.all(
    questionQueries(question).map(({ text }) => searchEvidence(set, text, filters, store)),
  );
  const items = new Map(lists.flat().map(({ evidence }) => [evidence.id, evidence]));
  return [...fuseRanks(lists.map((hits) => hits.map(({ evidence }) => evidence.id)))]
    .map(([id, score]) => ({ item: items.get(id) as Evidence, score }))
    .sort((a, b) => b.score - a.score || byTimeKindId(a.item, b.item))
    .slice(0, filters.limit)
    .map(({ item }) => item);
}
