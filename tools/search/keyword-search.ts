import { rm } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import type { Evidence, EvidenceKind, EvidenceSet } from "../../src/core/shapes.ts";
import { type DerivedStore, derivedPath, makeDerived } from "../video/derived-files.ts";
import { indexable, queryExpression } from "./query-terms.ts";

/** Which evidence a search considers. */
export interface SearchFilters {
  /** Default: all kinds. */
  kinds?: readonly EvidenceKind[];
  /** Only evidence that overlaps this range of the video, in seconds. */
  from_s?: number;
  to_s?: number;
  /** Default 20. */
  limit?: number;
}

/** Evidence that a search found. */
export interface SearchHit {
  evidence: Evidence;
  /** BM25; higher is better. Comparable only within one query of one set. */
  score: number;
}

/** Raise when text is tokenised differently, so that stored indexes are rebuilt. */
const FORMAT = 2;

/**
 * Returns the evidence of a set that shares words with `query`, best first, then by time. Any text is a valid query:
 * words are matched by stem and without diacritics; one match is enough, and rare words count more. Scripts without
 * spaces are compared by pairs of characters. A text without words finds nothing.
 *
 * The index is one derived file per set, made at the first search.
 */
export async function searchEvidence(
  set: EvidenceSet,
  query: string,
  filters: SearchFilters,
  store: DerivedStore,
): Promise<SearchHit[]> {
  const expression = queryExpression(query);
  const { limit = 20 } = filters;
  const video = set.items[0]?.video;
  if (expression === null || video === undefined) return [];
  const file = await indexEvidence(set, video, store);
  const rows = await ranked(file, expression).catch(async () => {
    // A crash can leave a file that is not an index. It is derived, so it is rebuilt.
    await rm(file, { force: true });
    return ranked(await indexEvidence(set, video, store, true), expression);
  });
  const hits: SearchHit[] = [];
  for (const { rowid, rank } of rows) {
    if (hits.length >= limit) break;
    const evidence = set.items[rowid - 1];
    if (evidence === undefined || !isWithin(evidence, filters)) continue;
    hits.push({ evidence, score: -rank });
  }
  return hits;
}

/** Whether an item has one of the kinds and overlaps the range of a search. */
export function isWithin(
  { kind, start_s, end_s }: Evidence,
  { kinds, from_s = 0, to_s = Number.POSITIVE_INFINITY }: SearchFilters,
): boolean {
  return end_s >= from_s && start_s <= to_s && (kinds === undefined || kinds.includes(kind));
}

async function ranked(
  file: string,
  expression: string,
): Promise<{ rowid: number; rank: number }[]> {
  const index = new DatabaseSync(file, { readOnly: true });
  try {
    return index
      .prepare("SELECT rowid, rank FROM evidence WHERE evidence MATCH ? ORDER BY rank, rowid")
      .all(expression) as { rowid: number; rank: number }[];
  } finally {
    index.close();
  }
}

const making = new Map<string, Promise<string>>();

/** Returns the path of the index of a set, and makes it if missing. Concurrent searches share one build. */
async function indexEvidence(
  set: EvidenceSet,
  video: string,
  store: DerivedStore,
  renew = false,
): Promise<string> {
  const name = `search-${FORMAT}/${set.id}.sqlite`;
  const known = renew ? undefined : await derivedPath(store, video, name);
  if (known !== undefined) return known;
  const key = `${await store.derived(video)} ${name}`;
  const made =
    making.get(key) ??
    makeDerived(store, video, name, (draft) => writeIndex(draft, set.items)).finally(() =>
      making.delete(key),
    );
  making.set(key, made);
  return made;
}

/** Row n is item n of the set, whose id fixes the order. Vowel signs are marks, and belong to their words. */
function writeIndex(file: string, items: readonly Evidence[]): void {
  const index = new DatabaseSync(file);
  try {
    index.exec(`
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      CREATE VIRTUAL TABLE evidence USING fts5(
        text, content = '', tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'");
      BEGIN`);
    const insert = index.prepare("INSERT INTO evidence(rowid, text) VALUES (?, ?)");
    for (const [at, item] of items.entries()) insert.run(at + 1, indexable(item.text));
    index.exec("COMMIT; INSERT INTO evidence(evidence) VALUES ('optimize')");
  } finally {
    index.close();
  }
}
