import type { Store, UploadRow } from "../../core/contracts.ts";
import { Failure } from "../../core/errors.ts";
import { makeEvidence, makeEvidenceSet, numberEvidence } from "../../core/evidence.ts";
import { type Evidence, EvidenceSet } from "../../core/shapes.ts";
import type { EvidenceList, EvidencePatch, EvidenceView, NewEvidence } from "./api.ts";
import { refuse } from "./problems.ts";
import type { Kept } from "./record.ts";

/** Throws `Failure` `not-found`. */
export async function readSet(store: Store, id: string): Promise<EvidenceSet> {
  const json = await store.catalogue.set(id);
  const read = json === undefined ? undefined : EvidenceSet.safeParse(parsed(json));
  if (read?.success) return read.data;
  throw new Failure("not-found", `The evidence set ${id} is missing or damaged.`, { id });
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Seconds that an end may lie behind the video's: a player rounds up. */
const PAST_END_S = 0.5;

/** What reasoning makes is made anew by reasoning; all else can be given to it, and corrected. */
export function isRecognised({ kind }: Evidence): boolean {
  return kind !== "comparison" && kind !== "calculation";
}

/** The evidence at hand and what was rejected from the answer's set. Throws a problem 409 where there is none yet. */
export async function listEvidence(
  store: Store,
  kept: Kept,
  { video }: UploadRow,
): Promise<EvidenceList> {
  const { first, now } = await setsOf(store, kept);
  const cited = new Set(kept.record.answer?.cites ?? []);
  const before = new Map(first.items.map((item) => [item.id, item]));
  const corrected = new Set(now.items.flatMap((item) => item.replaces ?? []));
  const there = new Set(now.items.map((item) => item.id));
  const view = ([name, item]: [string, Evidence]): EvidenceView => {
    const old = item.replaces === undefined ? undefined : before.get(item.replaces);
    return {
      ...item,
      name,
      // What corrects a cited item stands where that one stood.
      cited: cited.has(item.id) || (item.replaces !== undefined && cited.has(item.replaces)),
      thumbnail: video?.width == null ? null : thumbnailOf(kept.upload, item),
      was: old !== undefined && old.text !== item.text ? old.text : null,
    };
  };
  return {
    set: now.id,
    base: now.base,
    items: [...numberEvidence(now.items)].map(view),
    rejected: [...numberEvidence(first.items)]
      .filter(([, item]) => !there.has(item.id) && !corrected.has(item.id))
      .map(view),
  };
}

function thumbnailOf(upload: string, { frame, start_s, end_s }: Evidence): string {
  if (frame !== undefined) return `/api/frames/${frame.hash}?width=320`;
  const middle = Math.round(((start_s + end_s) / 2) * 100) / 100;
  return `/api/videos/${upload}/thumbnail?t_s=${middle}`;
}

/** The answer's own set, and the one at hand. */
async function setsOf(store: Store, { record }: Kept) {
  if (record.set === null || record.answer === null)
    throw refuse(
      409,
      "not-answered",
      "Expected a question that has evidence, but it has none yet.",
    );
  const first = await readSet(store, record.answer.set);
  const now = record.set === first.id ? first : await readSet(store, record.set);
  return { first, now };
}

export type Edit =
  | { do: "add"; item: NewEvidence }
  | { do: "change"; id: string; change: EvidencePatch }
  | { do: "reject"; id: string };

/**
 * A set made by one edit of a person, based on the one at hand; neither is changed. It is kept with the video.
 * Throws a problem 404 (no such item), 409 (the edit was made on another set) or 422 (times, a kind that is reasoned).
 */
export async function editEvidence(
  store: Store,
  kept: Kept,
  edit: Edit,
  { person, duration_s }: { person: string; duration_s: number },
): Promise<EvidenceSet> {
  const { first, now } = await setsOf(store, kept);
  const base =
    edit.do === "add" ? edit.item.base : edit.do === "change" ? edit.change.base : undefined;
  if (base !== undefined && base !== now.id)
    throw refuse(
      409,
      "stale",
      "Expected an edit of the evidence at hand, but it was edited meanwhile: read it again.",
    );
  const by = { who: "person", name: person } as const;
  const video = kept.record.asked.video;
  let items: Evidence[];
  if (edit.do === "add") {
    const { base: _base, ...item } = edit.item;
    const added = { ...item, video, by, confidence: null, from: [] };
    checkTimes(added, duration_s);
    items = [...now.items, makeEvidence(added)];
  } else {
    const found = now.items.find((item) => item.id === edit.id);
    const old = found ?? first.items.find((item) => item.id === edit.id);
    if (old === undefined || (edit.do === "reject" && found === undefined))
      throw refuse(
        404,
        "not-found",
        "Expected an item of the evidence at hand, but there is none of that id.",
      );
    const others = now.items.filter(({ id, replaces }) => id !== edit.id && replaces !== edit.id);
    items = edit.do === "reject" ? others : [...others, changed(old, edit.change, by, duration_s)];
  }
  const set = makeEvidenceSet(items, now.id);
  await store.catalogue.putSet({ id: set.id, video, json: JSON.stringify(set) });
  return set;
}

function changed(
  old: Evidence,
  { text, start_s, end_s }: EvidencePatch,
  by: Evidence["by"],
  duration_s: number,
): Evidence {
  const next = {
    text: text ?? old.text,
    start_s: start_s ?? old.start_s,
    end_s: end_s ?? old.end_s,
  };
  const same = next.text === old.text && next.start_s === old.start_s && next.end_s === old.end_s;
  if (same) return old;
  if (!isRecognised(old))
    throw refuse(
      422,
      "wrong-kind",
      `Expected an item that was recognised, but a ${old.kind} is made by reasoning: correct what it was made from.`,
    );
  // A subtitle may outlast the video: its words can be corrected as they stand.
  checkTimes(next, Math.max(duration_s, old.end_s));
  const { id, replaces, ...rest } = old;
  // A correction of a correction stands for what was first recognised.
  return makeEvidence({ ...rest, ...next, by, confidence: null, replaces: replaces ?? id });
}

function checkTimes({ start_s, end_s }: { start_s: number; end_s: number }, duration_s: number) {
  if (start_s <= end_s && start_s <= duration_s && end_s <= duration_s + PAST_END_S) return;
  throw refuse(
    422,
    "wrong-time",
    `Expected start_s <= end_s within the ${duration_s.toFixed(2)} s of the video, got ${start_s} to ${end_s}.`,
  );
}
