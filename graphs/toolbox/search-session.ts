import { makeEvidenceSet } from "../../src/core/evidence.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import type { ToolContext } from "../../tools/agent/tool-context.ts";
import { hybridSearch } from "../../tools/search/hybrid-search.ts";
import type { SearchFilters } from "../../tools/search/keyword-search.ts";
import { isSearched } from "../../tools/search/searched-kinds.ts";
import type { GraphContext } from "../context.ts";
import { searchSettings } from "./search-settings.ts";
import type { ShownEvidence } from "./shown-evidence.ts";

/** The state that one stage of a search works with. */
export interface SearchSession {
  context: GraphContext;
  /** All evidence of the video so far. */
  evidence: readonly Evidence[];
  shownEvidence: ShownEvidence;
  /** Stage of events and progress. */
  stage: string;
}

/** The context of tools in a session; how much a call may show is decided for each call. */
export function toolContext(session: SearchSession): Omit<ToolContext, "allowed"> {
  const { context, evidence, shownEvidence, stage } = session;
  return {
    video: context.video,
    settings: context.settings,
    evidence,
    overviewFrames: searchSettings(context.settings).cells,
    framesLeft: shownEvidence.room,
    search: (query, filters) => findEvidence(query, filters, session),
    job: context.job(stage),
  };
}

/** The evidence that best matches a query: by words and, with embeddings, by meaning. */
export async function findEvidence(
  query: string,
  filters: SearchFilters,
  { context, evidence, stage }: Pick<SearchSession, "context" | "evidence" | "stage">,
): Promise<Evidence[]> {
  const set = makeEvidenceSet(evidence.filter(isSearched));
  const embed = (texts: string[]) => context.embed(texts, stage);
  const hits = await hybridSearch(set, query, filters, { store: context.store, embed });
  const found = hits.map((hit) => hit.evidence);
  context.emit(stage, { type: "retrieved", ids: found.map(({ id }) => id) });
  return found;
}
