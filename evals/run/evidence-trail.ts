import type { AskResult } from "../../graphs/ask.ts";
import type { CallRecord, Role } from "../../src/core/events.ts";
import type { Evidence, EvidenceKind } from "../../src/core/shapes.ts";
import type { EvidenceTrail, TrailItem } from "./run-line.ts";

/** Roles that turn the video into evidence; all other roles reason over evidence or check it. */
const RECOGNISING: readonly Role[] = ["recogniser", "embedder", "transcriber"];

/** Kinds that a search cannot find: results of reasoning, and frames, which have no text. */
const NOT_INDEXED: readonly EvidenceKind[] = ["frame", "comparison", "calculation"];

/**
 * The evidence that was indexed, retrieved, shown and cited for one question, from its events and its evidence set.
 * `duration_s` is the length of the video in seconds. Failed calls are ignored.
 */
export function trailOf(
  { answer, evidence, events }: Pick<AskResult, "answer" | "evidence" | "events">,
  duration_s: number,
): EvidenceTrail {
  const byId = new Map(evidence.items.map((item) => [item.id, item]));
  const items = (ids: Iterable<string>) =>
    [...new Set(ids)].flatMap((id) => trailItem(byId.get(id)));
  const searches = events.flatMap((event) => (event.type === "retrieved" ? [event.ids] : []));
  const calls = events.flatMap((event) =>
    event.type === "call" && event.call.error === undefined ? [event.call] : [],
  );
  const reasoning = calls.filter(({ role }) => !RECOGNISING.includes(role));
  const searched = searches.length > 0;
  return {
    duration_s: milliseconds(duration_s),
    indexed: searched
      ? evidence.items
          .filter(({ kind, text }) => text !== "" && !NOT_INDEXED.includes(kind))
          .map(({ start_s, end_s }) => [milliseconds(start_s), milliseconds(end_s)])
      : null,
    retrieved: searched ? items(searches.flat()) : null,
    shown:
      reasoning.length === 0
        ? null
        : {
            items: items(reasoning.flatMap((call) => call.evidence ?? [])).filter(
              ({ kind }) => kind !== "frame",
            ),
            frames_s: timesOf(reasoning),
            footage_s: footageOf(reasoning, duration_s),
          },
    recognised_frames_s: timesOf(calls.filter(({ role }) => role === "recogniser")),
    cited: items(answer.cites),
  };
}

function trailItem(item: Evidence | undefined): TrailItem[] {
  if (item === undefined) return [];
  const { id, kind, start_s, end_s } = item;
  return [{ id, kind, start_s: milliseconds(start_s), end_s: milliseconds(end_s) }];
}

function timesOf(calls: readonly CallRecord[]): number[] {
  const times = calls.flatMap(({ frames }) => frames.map(({ t_s }) => milliseconds(t_s)));
  return [...new Set(times)].sort((a, b) => a - b);
}

/** Each segment once, because every turn of a conversation repeats the segments of earlier turns. */
function footageOf(calls: readonly CallRecord[], duration_s: number): [number, number][] {
  const parts = calls.flatMap(({ footage = [] }) =>
    footage.map(({ from_s, to_s }): [number, number] => [
      milliseconds(from_s),
      milliseconds(to_s ?? duration_s),
    ]),
  );
  return [...new Map(parts.map((part) => [part.join(), part])).values()];
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
