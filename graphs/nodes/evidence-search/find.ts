import { makeEvidenceSet } from "../../../src/core/evidence.ts";
import type { Evidence } from "../../../src/core/shapes.ts";
import { type SearchFilters, searchEvidence } from "../../../tools/search.ts";
import { SEARCHED_KINDS } from "../../../tools/tool-arguments.ts";
import type { Desk } from "./results.ts";

/** The evidence that best matches some words, best first. */
export async function find(
  query: string,
  filters: SearchFilters,
  { context, evidence }: Pick<Desk, "context" | "evidence">,
): Promise<Evidence[]> {
  const set = makeEvidenceSet(evidence.filter(isSearched));
  const hits = await searchEvidence(set, query, filters, context.store);
  return hits.map((hit) => hit.evidence);
}

function isSearched({ kind, text }: Evidence): boolean {
  return text !== "" && (SEARCHED_KINDS as readonly string[]).includes(kind);
}
