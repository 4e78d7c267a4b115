import { makeEvidenceSet } from "../../src/core/evidence.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import { SEARCHED_KINDS } from "../../tools/agent/arguments.ts";
import { hybridSearch } from "../../tools/search/hybrid-search.ts";
import type { SearchFilters } from "../../tools/search/search.ts";
import type { Desk } from "./tool-results.ts";

/** The evidence that best matches some words, by the words and, where there are embeddings, by what they mean. */
export async function find(
  query: string,
  filters: SearchFilters,
  { context, evidence, stage }: Pick<Desk, "context" | "evidence" | "stage">,
): Promise<Evidence[]> {
  const set = makeEvidenceSet(evidence.filter(isSearched));
  const embed = (texts: string[]) => context.embed(texts, stage);
  const hits = await hybridSearch(set, query, filters, { store: context.store, embed });
  const found = hits.map((hit) => hit.evidence);
  context.emit(stage, { type: "retrieved", ids: found.map(({ id }) => id) });
  return found;
}

function isSearched({ kind, text }: Evidence): boolean {
  return text !== "" && (SEARCHED_KINDS as readonly string[]).includes(kind);
}
