import { byTimeKindId, makeEvidenceSet, SPOKEN_KINDS } from "../../src/core/evidence.ts";
import type { Evidence, EvidenceKind } from "../../src/core/shapes.ts";
import type { GraphContext } from "../context.ts";
import type { State, Update } from "../state.ts";
import { retrieve } from "./retrieve.ts";

/** Up to this many items of a sort are all shown; of more, only the retrieved ones. */
export const SHOWN_WHOLE = 40;
/** Items of a sort that are retrieved; their neighbours in time are shown with them. */
export const FOUND = 16;

/** Kinds that are recognised in the same way, which are counted and searched together. */
const SORTS: readonly (readonly EvidenceKind[])[] = [
  ["caption"],
  ["text", "equation"],
  SPOKEN_KINDS,
  ["calculation", "comparison"],
];

/**
 * Chooses the evidence for the reasoner: all of few items, the best matches of many. Does nothing if the caller has
 * chosen it.
 */
export async function searchForQuestion(state: State, context: GraphContext): Promise<Update> {
  if (state.found !== null) return {};
  const set = makeEvidenceSet(state.evidence);
  const subtitles = context.settings.recognition.subtitles;
  const chosen = await Promise.all(
    SORTS.map(async (kinds) => {
      const items = set.items.filter(({ kind, text }) => kinds.includes(kind) && text !== "");
      const retrieved =
        kinds === SPOKEN_KINDS ? subtitles === "retrieved" : items.length > SHOWN_WHOLE;
      if (!retrieved) return items;
      const filters = { kinds, limit: FOUND };
      const hits = await retrieve(state.question, set, filters, context.store);
      return withNeighbours(hits, items);
    }),
  );
  const found = chosen.flat().map((item) => item.id);
  context.emit("search", { type: "retrieved", ids: found });
  return { found, diagnostics: { recognised: set.items.length, shown: found.length } };
}

/** Adds the items just before and just after each hit. */
function withNeighbours(hits: readonly Evidence[], all: readonly Evidence[]): Evidence[] {
  const items = [...all].sort(byTimeKindId);
  const places = new Map(items.map((item, place) => [item.id, place]));
  const near = new Set(
    hits.flatMap(({ id }) => {
      const place = places.get(id) ?? 0;
      return [place - 1, place, place + 1];
    }),
  );
  return items.filter((_, place) => near.has(place));
}
