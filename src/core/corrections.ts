import { z } from "zod";
import { Failure } from "./errors.ts";
import { type EvidenceNames, evidenceNames, makeEvidence, makeEvidenceSet } from "./evidence.ts";
import { type Evidence, type EvidenceSet, Hash } from "./shapes.ts";

/* Corrections of recognised evidence by a person. */

/** Most characters of a text that a person writes. */
const TEXT_LENGTH = 20_000;
const MAX_VIDEO_S = 1_000_000;
/** Tolerance in seconds for an end time after the end of the video: players round up. */
const PAST_END_S = 0.5;

/** A text that a person writes: not blank, without control characters except tabs and ends of lines. */
const WrittenText = z
  .string()
  .min(1)
  .max(TEXT_LENGTH)
  .refine((text) => text.trim() !== "", { error: "a non-empty string" })
  .refine((text) => !CONTROL.test(text), { error: "without control characters" });
const CONTROL = /(?![\t\n\r])\p{Cc}/u;

const seconds = z.number().min(0).max(MAX_VIDEO_S);

/** Kinds of evidence that a person may add. */
const EDITABLE_KINDS = ["caption", "text", "equation", "subtitle", "speech"] as const;

export const NewEvidence = z
  .strictObject({
    kind: z.enum(EDITABLE_KINDS),
    start_s: seconds,
    end_s: seconds,
    text: WrittenText,
    clip: z
      .int()
      .positive()
      .max(10_000)
      .optional()
      .meta({ description: "The clip that a caption describes, by the number on its title card." }),
  })
  .meta({ id: "NewEvidence", description: "An observation of a person." });
export type NewEvidence = z.infer<typeof NewEvidence>;

/** Changes of an item. A rejected item is restored with the changes. */
export const EvidencePatch = z
  .strictObject({
    text: WrittenText.optional(),
    start_s: seconds.optional(),
    end_s: seconds.optional(),
  })
  .meta({
    id: "EvidencePatch",
    description: "Changes of an item. A rejected item is restored with the changes.",
  });
export type EvidencePatch = z.infer<typeof EvidencePatch>;

/** One edit of an evidence set by a person. */
export const Correction = z.discriminatedUnion("do", [
  z.strictObject({ do: z.literal("add"), item: NewEvidence }),
  z.strictObject({ do: z.literal("change"), id: Hash, change: EvidencePatch }),
  z.strictObject({ do: z.literal("reject"), id: Hash }),
]);
export type Correction = z.infer<typeof Correction>;

/** `first`: the set before any correction. `now`: the current set. */
export interface CorrectedSets {
  first: EvidenceSet;
  now: EvidenceSet;
}

/** What people changed in a set: the ids of items that are gone, and the items that they wrote. */
export function editsOf({ first, now }: CorrectedSets): { gone: string[]; written: Evidence[] } {
  const before = new Set(first.items.map(({ id }) => id));
  const after = new Set(now.items.map(({ id }) => id));
  return {
    gone: first.items.flatMap(({ id }) => (after.has(id) ? [] : id)),
    written: now.items.filter(({ id }) => !before.has(id)),
  };
}

/** Who corrects which video. */
export interface Corrector {
  person: string;
  /** Hash of the video file. */
  video: string;
  duration_s: number;
}

/** Whether an item was recognised in the video and can be corrected. Reasoning replaces the items that it produced. */
export function isRecognised({ kind }: Evidence): boolean {
  return kind !== "comparison" && kind !== "calculation";
}

/** The name of each item of a set, by id, also of items that were corrected. */
export function namesById(set: EvidenceSet): EvidenceNames {
  return set.names ?? Object.fromEntries(evidenceNames(set));
}

/** The name of an item of either set: an item and its corrections have the same. */
export function itemNamer({ first, now }: CorrectedSets): (item: Evidence) => string {
  const names = evidenceNames({ items: [...first.items, ...now.items], names: namesById(now) });
  return ({ id }) => names.get(id) as string;
}

/**
 * The set after one edit; its `base` is the current set. Throws `Failure` `not-found` (unknown item) and `wrong-usage`
 * (an item that reasoning produced, or times outside the video), with the reason as the fact `reason`.
 */
export function applyCorrection(
  sets: CorrectedSets,
  edit: Correction,
  { person, video, duration_s }: Corrector,
): EvidenceSet {
  const { first, now } = sets;
  const by = { who: "person", name: person } as const;
  if (edit.do === "add") {
    const added = { ...edit.item, video, by, confidence: null, from: [] };
    checkTimes(added, duration_s);
    return makeEvidenceSet([...now.items, makeEvidence(added)], now.id, namesById(now));
  }
  const found = now.items.find((item) => item.id === edit.id);
  const old = found ?? first.items.find((item) => item.id === edit.id);
  if (old === undefined || (edit.do === "reject" && found === undefined))
    throw new Failure("not-found", "There is no evidence item with this id.", { id: edit.id });
  const nameOf = itemNamer(sets);
  const others = now.items.filter((item) => nameOf(item) !== nameOf(old));
  const items =
    edit.do === "reject" ? others : [...others, changed(old, edit.change, by, duration_s)];
  return makeEvidenceSet(items, now.id, namesById(now));
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
    throw new Failure(
      "wrong-usage",
      `Cannot correct a ${old.kind}: it is a result of reasoning. Correct the evidence that it is based on.`,
      { reason: "wrong-kind" },
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
  throw new Failure(
    "wrong-usage",
    `Invalid times ${start_s} to ${end_s}: use start_s <= end_s within the ${duration_s.toFixed(2)} s of the video.`,
    { reason: "wrong-time" },
  );
}
