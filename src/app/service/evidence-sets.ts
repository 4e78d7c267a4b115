import type { Store, UploadRow } from "../../core/contracts.ts";
import { Failure } from "../../core/errors.ts";
import {
  type EvidenceNames,
  evidenceNames,
  extendNames,
  makeEvidence,
  makeEvidenceSet,
} from "../../core/evidence.ts";
import { type Evidence, EvidenceSet } from "../../core/shapes.ts";
import type { EvidenceList, EvidencePatch, EvidenceView, NewEvidence } from "./api.ts";
import { toItemView } from "./event-view.ts";
import { httpProblem } from "./problems.ts";
import type { StoredQuestion } from "./question-record.ts";

/** Reads an evidence set. Throws `Failure` `not-found`. */
export async function readSet(store: Store, id: string): Promise<EvidenceSet> {
  const json = await store.catalogue.set(id);
  const read = json === undefined ? undefined : EvidenceSet.safeParse(parsed(json));
  if (read?.success) return withNames(store, read.data);
  throw new Failure("not-found", `The evidence set ${id} is missing or damaged.`, { id });
}

/** An edited set that was stored without names gets those of its base. */
async function withNames(store: Store, set: EvidenceSet): Promise<EvidenceSet> {
  if (set.names !== undefined || set.base === null) return set;
  const base = await readSet(store, set.base);
  return { ...set, names: extendNames(namesById(base), set.items) };
}

function namesById(set: EvidenceSet): EvidenceNames {
  return set.names ?? Object.fromEntries(evidenceNames(set));
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Tolerance in seconds for an end time after the end of the video: players round up. */
const PAST_END_S = 0.5;

/** Whether an item was recognised in the video and can be corrected. Reasoning replaces the items that it produced. */
export function isRecognised({ kind }: Evidence): boolean {
  return kind !== "comparison" && kind !== "calculation";
}

/** The current evidence, and the items of the answer's set that were rejected. Throws a 409 problem if there is none. */
export async function listEvidence(
  store: Store,
  question: StoredQuestion,
  { video }: UploadRow,
): Promise<EvidenceList> {
  const { first, now } = await setsOf(store, question);
  const cited = new Set(question.record.answer?.cites ?? []);
  const moments = question.record.answer?.moments ?? [];
  const shown = new Set([...cited, ...moments.flatMap(({ evidence }) => evidence[0] ?? [])]);
  const nameOf = namer(first, now);
  const before = new Map(first.items.map((item) => [nameOf(item), item]));
  const current = new Set(now.items.map(nameOf));
  const view = (item: Evidence): EvidenceView => {
    const name = nameOf(item);
    const old = before.get(name);
    return {
      ...toItemView(item),
      name,
      // The correction of a cited item counts as cited.
      cited: cited.has(item.id) || (old !== undefined && cited.has(old.id)),
      thumbnail: video?.width == null ? null : thumbnailOf(question.upload, item),
      was: old !== undefined && old.text !== item.text ? old.text : null,
    };
  };
  return {
    set: now.id,
    base: now.base,
    items: now.items.map(view),
    rejected: first.items.filter((item) => !current.has(nameOf(item))).map(view),
    basis: first.items.filter(({ id }) => shown.has(id)).map(view),
  };
}

/** The name of an item of either set: an item and its corrections have the same. */
function namer(first: EvidenceSet, now: EvidenceSet): (item: Evidence) => string {
  const names = evidenceNames({ items: [...first.items, ...now.items], names: namesById(now) });
  return ({ id }) => names.get(id) as string;
}

function thumbnailOf(upload: string, { frame, start_s, end_s }: Evidence): string {
  if (frame !== undefined) return `/api/v1/frames/${frame.hash}?width=320`;
  const middle = Math.round(((start_s + end_s) / 2) * 100) / 100;
  return `/api/v1/videos/${upload}/thumbnail?t_s=${middle}`;
}

/** `first`: the set of the answer. `now`: the current set. */
async function setsOf(store: Store, { record }: StoredQuestion) {
  if (record.set === null || record.answer === null)
    throw httpProblem(
      409,
      "not-answered",
      "The question has no evidence yet. Wait for its answer.",
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
 * Creates a new evidence set from the current one with one edit of a person, and stores it with the video. Sets are
 * immutable. Throws a 404 problem (unknown item) or 422 (invalid times, an item
 * that reasoning produced).
 */
export async function editEvidence(
  store: Store,
  question: StoredQuestion,
  edit: Edit,
  { person, duration_s }: { person: string; duration_s: number },
): Promise<EvidenceSet> {
  const { first, now } = await setsOf(store, question);
  const by = { who: "person", name: person } as const;
  const video = question.record.asked.video;
  let items: Evidence[];
  if (edit.do === "add") {
    const added = { ...edit.item, video, by, confidence: null, from: [] };
    checkTimes(added, duration_s);
    items = [...now.items, makeEvidence(added)];
  } else {
    const found = now.items.find((item) => item.id === edit.id);
    const old = found ?? first.items.find((item) => item.id === edit.id);
    if (old === undefined || (edit.do === "reject" && found === undefined))
      throw httpProblem(404, "not-found", "There is no evidence item with this id.");
    const nameOf = namer(first, now);
    const others = now.items.filter((item) => nameOf(item) !== nameOf(old));
    items = edit.do === "reject" ? others : [...others, changed(old, edit.change, by, duration_s)];
  }
  const set = makeEvidenceSet(items, now.id, namesById(now));
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
    throw httpProblem(
      422,
      "wrong-kind",
      `Cannot correct a ${old.kind}: it is a result of reasoning. Correct the evidence that it is based on.`,
    );
  // A subtitle may end after the video: its text can be corrected without changing its times.
  checkTimes(next, Math.max(duration_s, old.end_s));
  const { id, replaces, data, ...rest } = old;
  // Times of single words do not fit other words.
  const { words: _words, ...kept } = data ?? {};
  // A correction of a correction replaces the recognised item.
  return makeEvidence({
    ...rest,
    ...next,
    ...(Object.keys(kept).length === 0 ? {} : { data: kept }),
    ...{ by, confidence: null, replaces: replaces ?? id },
  });
}

function checkTimes({ start_s, end_s }: { start_s: number; end_s: number }, duration_s: number) {
  if (start_s <= end_s && start_s <= duration_s && end_s <= duration_s + PAST_END_S) return;
  throw httpProblem(
    422,
    "wrong-time",
    `Invalid times ${start_s} to ${end_s}: use start_s <= end_s within the ${duration_s.toFixed(2)} s of the video.`,
  );
}
