import type { LibraryHit, LibraryIndex, LibraryPage, LibrarySearch } from "./library-index.ts";
import { parseLibraryQuery } from "./library-query.ts";
import { snippetOf } from "./snippet.ts";

/** A match of a library search. `text` is the part of the text around the first match. */
export interface LibraryMatch extends LibraryHit {
  /** Start and end of each match in `text`, in UTF-16 code units, in order and without overlap. */
  match: [number, number][];
}

/**
 * Searches the names, tags, transcripts, texts on screen and captions of the videos in a library, best first. All words
 * of `query` must occur in a text, phrases in quotes as they are; the last word may be the beginning of one. Case and
 * diacritics do not count. Any text is a valid query; one without words finds nothing.
 *
 * @example
 * const { hits, total } = await searchLibrary(store.library, "chain rule", { limit: 20, after: null });
 */
export async function searchLibrary(
  index: Pick<LibraryIndex, "search">,
  query: string,
  filter: Omit<LibrarySearch, "terms">,
): Promise<Omit<LibraryPage, "hits"> & { hits: LibraryMatch[] }> {
  const terms = parseLibraryQuery(query);
  if (terms.length === 0) return { hits: [], total: 0, last: null };
  const page = await index.search({ ...filter, terms });
  return { ...page, hits: page.hits.map((hit) => ({ ...hit, ...snippetOf(hit.text, terms) })) };
}
