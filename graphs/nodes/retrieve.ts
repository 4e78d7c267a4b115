import { byTimeKindId } from "../../src/core/evidence.ts";
import type { Evidence, EvidenceSet, Question } from "../../src/core/shapes.ts";
import { type SearchFilters, searchEvidence } from "../../tools/search.ts";
import type { GraphContext } from "../context.ts";

/** Reciprocal rank fusion: Cormack et al., SIGIR 2009, which took 60. */
const DAMPING = 60;

/**
 * The evidence that best matches the question or one of its options, best first, at most `limit` items. Each of them
 * is searched for on its own, so that the words of one option cannot drown those of another.
 */
export async function retrieve(
  question: Question,
  set: EvidenceSet,
  filters: SearchFilters & { limit: number },
  store: GraphContext["store"],
): Promise<Evidence[]> {
  const queries = [question.text, ...(question.options ?? []).map((option) => option.text)];
  const lists = await Promise.all(
    queries.map((query) => searchEvidence(set, query, filters, store)),
  );
  const ranked = new Map<string, { item: Evidence; score: number }>();
  for (const hits of lists)
    for (const [rank, { evidence: item }] of hits.entries()) {
      const score = (ranked.get(item.id)?.score ?? 0) + 1 / (DAMPING + rank + 1);
      ranked.set(item.id, { item, score });
    }
  return [...ranked.values()]
    .sort((a, b) => b.score - a.score || byTimeKindId(a.item, b.item))
    .slice(0, filters.limit)
    .map(({ item }) => item);
}
