import { byTimeKindId, makeEvidenceSet, SPOKEN_KINDS } from "../../src/core/evidence.ts";
import type { Evidence, EvidenceKind } from "../../src/core/shapes.ts";
import { type TimeRange, timeExpressions } from "../../tools/search/time-expressions.ts";
import type { GraphContext } from "../context.ts";
import type { State, Update } from "../state.ts";
import { retrieve } from "./retrieve.ts";

/** Up to this many items of a sort are all shown; of more, only the retrieved ones. */
export const SHOWN_WHOLE = 40;
/**
 * Items of a sort that are retrieved; their neighbours in time are shown with them. Also the most items of the times that
 * a question names.
 */
export const FOUND = 16;

/** Kinds that are recognised in the same way, which are counted and searched together. */
const SORTS: readonly (readonly EvidenceKind[])[] = [
  ["caption"],
  ["text", "equation"],
  SPOKEN_KINDS,
  ["calculation", "comparison"],
];

/**
 * Chooses the evidence for the reasoner: all of few items; of many, the best matches and those of the times that the
 * question names, or a sample if there are neither. Does nothing if the caller has chosen it.
 */
export async function searchForQuestion(state: State, context: GraphContext): Promise<Update> {
  if (state.found !== null) return {};
  const set = makeEvidenceSet(state.evidence);
  const subtitles = context.settings.recognition.subtitles;
  const { ranges } = timeExpressions(state.question.text, context.video.probe.duration_s);
  const chosen = await Promise.all(
    SORTS.map(async (kinds) => {
      const items = set.items.filter(({ kind, text }) => kinds.includes(kind) && text !== "");
      const retrieved =
        kinds === SPOKEN_KINDS ? subtitles === "retrieved" : items.length > SHOWN_WHOLE;
      if (!retrieved) return items;
      const filters = { kinds, limit: FOUND };
      const hits = await retrieve(state.question, set, filters, context.store);
      const named = within(ranges, items);
      if (hits.length === 0 && named.length === 0) return spread(items, FOUND);
      const ids = new Set([...withNeighbours(hits, items), ...named].map(({ id }) => id));
      return items.filter(({ id }) => ids.has(id));
    }),
  );
  const found = chosen.flat().map((item) => item.id);
  context.emit("search", { type: "retrieved", ids: found });
  return { found, diagnostics: { recognised: set.items.length, shown: found.length } };
}

/** The items of each range, evenly spread where there are many. */
function within(ranges: readonly TimeRange[], items: readonly Evidence[]): Evidence[] {
  const most = Math.max(1, Math.floor(FOUND / ranges.length));
  return ranges.flatMap(({ start_s, end_s }) => {
    const there = items.filter((item) => item.end_s >= start_s && item.start_s <= end_s);
    return spread(there, most);
  });
}

/** At most `most` items, evenly spread. */
function spread(items: readonly Evidence[], most: number): Evidence[] {
  const count = Math.min(most, items.length);
  return Array.from(
    { length: count },
    (_, index) => items[Math.floor(((index + 0.5) * items.length) / count)] as Evidence,
  );
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
