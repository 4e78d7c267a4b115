import type { Store } from "../../src/core/contracts.ts";
import { byTimeKindId } from "../../src/core/evidence.ts";
import type { EvidenceSet } from "../../src/core/shapes.ts";
import { isWithin, type SearchFilters, type SearchHit, searchEvidence } from "./search.ts";

/** What a model makes of a text, compared by direction. */
type Vector = ArrayLike<number>;

export interface HybridTools {
  store: Pick<Store, "derived">;
  /** A vector for each text; null in place of the function, or of what it gives: words alone are searched. */
  embed: ((texts: string[]) => Promise<readonly Vector[] | null>) | null;
}

/** What one ranking adds for a place: 1 / (60 + place). The 60 is that of Cormack, Clarke and Büttcher, SIGIR 2009. */
const DAMPING = 60;
/** Hits of each search that are joined, where fewer are asked for. */
const DEPTH = 60;

/**
 * Reciprocal rank fusion: each item's score is the sum over the rankings of 1 / (k + its place in it, from 1). An item
 * that a ranking holds twice counts by its first place.
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
 * The evidence of a set that shares words with `query` (BM25) or means something alike (cosine of embeddings), best
 * first, then by time; `score` is that of `fuseRanks`. Words find the rare name, meaning what is said in other words.
 * Without embeddings it is `searchEvidence`, by rank. Throws what `embed` throws.
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

/** Ids of the items whose embeddings point most nearly where the query's does; null where there are no embeddings. */
async function nearest(
  set: EvidenceSet,
  query: string,
  filters: SearchFilters & { limit: number },
  embed: NonNullable<HybridTools["embed"]>,
): Promise<string[] | null> {
  const items = set.items.filter((item) => item.text.trim() !== "");
  if (query.trim() === "" || items.length === 0) return null;
  // All items whatever the filters: the same texts are asked for at every search of the set, and kept.
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

/** -1 to 1; 0 where a vector has no direction, or another number of dimensions. */
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
