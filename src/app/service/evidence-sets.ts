import type { Store, UploadRow } from "../../core/contracts.ts";
import {
  applyCorrection,
  type CorrectedSets,
  type Correction,
  type Corrector,
  itemNamer,
  namesById,
} from "../../core/corrections.ts";
import { Failure, isFailure } from "../../core/errors.ts";
import { extendNames } from "../../core/evidence.ts";
import { jsonOrUndefined } from "../../core/json-or-undefined.ts";
import { type Evidence, EvidenceSet } from "../../core/shapes.ts";
import type { EvidenceList, EvidenceView } from "./api.ts";
import { toItemView } from "./event-view.ts";
import { httpProblem } from "./problems.ts";
import type { QuestionRecord, StoredQuestion } from "./question-record.ts";

/** Reads an evidence set. Throws `Failure` `not-found`. */
export async function readSet(store: Store, id: string): Promise<EvidenceSet> {
  const json = await store.catalogue.set(id);
  const read = json === undefined ? undefined : EvidenceSet.safeParse(jsonOrUndefined(json));
  if (read?.success) return withNames(store, read.data);
  throw new Failure("not-found", `The evidence set ${id} is missing or damaged.`, { id });
}

/** An edited set that was stored without names gets those of its base. */
async function withNames(store: Store, set: EvidenceSet): Promise<EvidenceSet> {
  if (set.names !== undefined || set.base === null) return set;
  const base = await readSet(store, set.base);
  return { ...set, names: extendNames(namesById(base), set.items) };
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
  const nameOf = itemNamer({ first, now });
  const before = new Map(first.items.map((item) => [nameOf(item), item]));
  const current = new Set(now.items.map(nameOf));
  const view = (item: Evidence): EvidenceView => {
    const name = nameOf(item);
    const old = before.get(name);
    return {
      ...toItemView(item, question.upload),
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

function thumbnailOf(upload: string, { frame, start_s, end_s }: Evidence): string {
  if (frame !== undefined) return `/api/v1/frames/${frame.hash}?width=320`;
  const middle = Math.round(((start_s + end_s) / 2) * 100) / 100;
  return `/api/v1/videos/${upload}/thumbnail?t_s=${middle}`;
}

/** The 409 problem of a question without an answer whose evidence could be used. */
export function withoutEvidence({ state }: Pick<QuestionRecord, "state">) {
  const hasEnded = state === "failed" || state === "cancelled";
  return httpProblem(
    409,
    "not-answered",
    hasEnded
      ? `The question ${state === "failed" ? "failed" : "was cancelled"} and has no evidence. Ask it as a new question.`
      : "The question has no evidence yet. Wait for its answer.",
  );
}

/** `first`: the set of the answer. `now`: the current set. */
async function setsOf(store: Store, { record }: StoredQuestion): Promise<CorrectedSets> {
  if (record.set === null || record.answer === null) throw withoutEvidence(record);
  const first = await readSet(store, record.answer.set);
  const now = record.set === first.id ? first : await readSet(store, record.set);
  return { first, now };
}

/**
 * Creates a new evidence set from the current one with one edit of a person, and stores it with the video. Sets are
 * immutable. Throws a 404 problem (unknown item) or 422 (invalid times, an item
 * that reasoning produced).
 */
export async function editEvidence(
  store: Store,
  question: StoredQuestion,
  edit: Correction,
  { person, duration_s }: { person: string; duration_s: number },
): Promise<EvidenceSet> {
  const sets = await setsOf(store, question);
  const { video } = question.record.asked;
  const set = corrected(sets, edit, { person, video, duration_s });
  await store.catalogue.putSet({ id: set.id, video, json: JSON.stringify(set) });
  return set;
}

function corrected(sets: CorrectedSets, edit: Correction, by: Corrector): EvidenceSet {
  try {
    return applyCorrection(sets, edit, by);
  } catch (error) {
    if (isFailure(error, "wrong-usage"))
      throw httpProblem(422, String(error.facts.reason), error.message);
    throw error;
  }
}
