import type { Store } from "../../src/core/contracts.ts";
import { byTimeKindId } from "../../src/core/evidence.ts";
import type { EvidenceSet } from "../../src/core/shapes.ts";
import { isWithin, type SearchFilters, type SearchHit, searchEvidence } from "./keyword-search.ts";

/** An embedding, compared by cosine. */
type Vector = ArrayLike<number>;

/** Where vectors come from and are kept. */
export interface HybridTools {
  store: Pick<Store, "derived">;
  /** Returns an embedding for each text. If the function or its result is null, only words are searched. */
  embed: ((texts: string[]) => Promise<readonly Vector[] | null>) | null;
}

/** A ranking adds 1 / (60 + rank) to a score, with the constant of Cormack, Clarke and Büttcher, SIGIR 2009. */
const DAMPING = 60;
/** Number of hits of each search that are fused, at least. */
const DEPTH = 60;

/**
 * Reciprocal rank fusion: the score of an item is the sum over the rankings of 1 / (k + rank), with ranks from 1. A
 * duplicate in a ranking counts at its first rank.
 */
export function fuseRanks(
  rankings: readonly (readonly string[])[],
  k: number = DAMPING,
): Map<string, number> {
  const scores = new Map<string, number>();
  for (const ranking of rankings)
    for (const [index, id] of [...new Set(ranking)].entries())
      scores.set(id, (scores.get(id) ?? 0) + 1 / (k + index + 1));
  return scores;
}

/**
 * Returns the evidence of a set that shares words with `query` (BM25) or is close in meaning (cosine of embeddings),
 * best first, then by time. `score` is that of `fuseRanks`. Words find rare names; embeddings find paraphrases. Without
 * embeddings the result is that of `searchEvidence`, by rank. Throws what `embed` throws.
 */
export async function hybridSearch(
  set: EvidenceSet,
  query: string,
  filters: SearchFilters,
  { store, embed }: HybridTools,
): Promise<SearchHit[]> {
  const { limit = 20 } = filters;
  const deep = { ...filters, limit: Math.max(limit, DEPTH) };
  const [byWords, byMeaning] = await Promise.all([
    searchEvidence(set, query, deep, store),
    embed === null ? null : nearest(set, query, deep, embed),
  ]);
  const rankings = [byWords.map(({ evidence }) => evidence.id)];
  if (byMeaning !== null) rankings.push(byMeaning);
  const items = new Map(set.items.map((item) => [item.id, item]));
  return [...fuseRanks(rankings)]
    .flatMap(([id, score]) => {
      const evidence = items.get(id);
      return evidence === undefined ? [] : [{ evidence, score }];
    })
    .sort((a, b) => b.score - a.score || byTimeKindId(a.evidence, b.evidence))
    .slice(0, limit);
}

/** Ids of the items whose embeddings are closest to that of the query; null without embeddings. */
async function nearest(
  set: EvidenceSet,
  query: string,
  filters: SearchFilters & { limit: number },
  embed: NonNullable<HybridTools["embed"]>,
): Promise<string[] | null> {
  const items = set.items.filter((item) => item.text.trim() !== "");
  if (query.trim() === "" || items.length === 0) return null;
  // All items, whatever the filters: every search of the set requests the same texts, whose embeddings are cached.
  const vectors = await embed([query, ...items.map((item) => item.text)]);
  const [asked, ...others] = vectors ?? [];
  if (asked === undefined || others.length !== items.length) return null;
  return items
    .map((item, i) => ({ item, likeness: cosine(asked, others[i] ?? []) }))
    .filter(({ item, likeness }) => likeness > 0 && isWithin(item, filters))
    .sort((a, b) => b.likeness - a.likeness || byTimeKindId(a.item, b.item))
    .slice(0, filters.limit)
    .map(({ item }) => item.id);
}

/** Cosine similarity, -1 to 1; 0 for a zero vector or different dimensions. */
export function cosine(a: Vector, b: Vector): number {
  if (a.length !== b.length) return 0;
  let dot = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    const x = a[i] ?? 0;
    const y = b[i] ?? 0;
    dot += x * y;
    aa += x * x;
    bb += y * y;
  }
  const length = Math.sqrt(aa) * Math.sqrt(bb);
  return length > 0 ? dot / length : 0;
}
