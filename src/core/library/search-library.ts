import type { LibraryHit, LibraryIndex, LibraryPage, LibrarySearch } from "./library-index.ts";
import { parseLibraryQuery, withoutShortEnd } from "./library-query.ts";
import { snippetOf } from "./snippet.ts";

/** A match of a library search. `text` is the part of the text around the first match. */
export interface LibraryMatch extends LibraryHit {
  /** Start and end of each match in `text`, in UTF-16 code units, in order and without overlap. */
  match: [number, number][];
}

/**
 * Searches the names, tags, transcripts, texts on screen and captions of the videos in a library, best first. All words
 * of `query` must occur in a text, phrases in quotes as they are; a last word of two letters or more may be the beginning
 * of one, and a shorter one that occurs in no such text is left out. Case and diacritics do not count. Any text is a valid query; one without words finds nothing.
 *
 * @example
 * const { hits, total } = await searchLibrary(store.library, "chain rule", { limit: 20, after: null });
 */
export async function searchLibrary(
  index: Pick<LibraryIndex, "search">,
  query: string,
  filter: Omit<LibrarySearch, "terms">,
): Promise<Omit<LibraryPage, "hits"> & { hits: LibraryMatch[] }> {
  let terms = parseLibraryQuery(query);
  if (terms.length === 0) return { hits: [], total: 0, last: null };
  let page = await index.search({ ...filter, terms });
  const shorter = page.total === 0 ? parseLibraryQuery(withoutShortEnd(query) ?? "") : [];
  if (shorter.length > 0) {
    terms = shorter;
    page = await index.search({ ...filter, terms });
  }
  return { ...page, hits: page.hits.map((hit) => ({ ...hit, ...snippetOf(hit.text, terms) })) };
}
