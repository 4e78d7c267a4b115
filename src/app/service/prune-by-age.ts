import type { QuestionRow, Store, UploadRow } from "../../core/contracts.ts";
import { isFailure } from "../../core/errors.ts";
import { forgetSeenByOwner } from "./forget-seen-by-owner.ts";
import type { KeptReason, Pruned } from "./prune-kinds.ts";
import { parseStoredQuestion } from "./question-record.ts";
import { createUploadFiles } from "./upload-files.ts";
import { uploadQuestions } from "./upload-questions.ts";

export interface PruneByAge {
  what: Pruned;
  /** Things that were last used before are old: milliseconds since 1970. */
  before: number;
  keep: readonly KeptReason[];
  dryRun: boolean;
}

/** One thing that is removed, or that is old and stays. */
export interface PrunedThing {
  video: string;
  /** Null for a whole video, or for what is derived from it. */
  question: string | null;
  /** Name of the video. */
  name: string;
  /** RFC 3339. For a video: the newest of its upload, its questions, their ends and reviews. */
  last_used: string;
}

export interface PruneResult {
  removed: PrunedThing[];
  kept: (PrunedThing & { why: KeptReason | "unfinished" })[];
  /** Bytes that were stored for what is removed; null for questions, which have little. */
  freed: number | null;
}

interface KnownQuestion {
  id: string;
  last_used: number;
  open: boolean;
  reviewed: boolean;
}

/**
 * Removes what was not used since an instant from a data folder, and lists it. Call it with the lock of a service. Unless
 * it runs dry, every removal is noted by `onRemoved`.
 */
export async function pruneByAge(
  store: Store,
  { what, before, keep, dryRun }: PruneByAge,
  onRemoved: (thing: PrunedThing) => Promise<void>,
): Promise<PruneResult> {
  const result: PruneResult = { removed: [], kept: [], freed: what === "questions" ? null : 0 };

  async function take(
    thing: PrunedThing,
    why: KeptReason | "unfinished" | null,
    remove: () => Promise<number>,
  ) {
    if (why !== null) {
      result.kept.push({ ...thing, why });
      return;
    }
    const bytes = await remove();
    if (result.freed !== null) result.freed += bytes;
    result.removed.push(thing);
    if (!dryRun) await onRemoved(thing);
  }

  for (const upload of await store.service.uploads()) {
    if (upload.video === null) continue;
    const questions = await questionsOf(store, upload);
    if (what === "questions") {
      for (const one of questions)
        if (one.last_used < before)
          await take(thingOf(upload, one), reasonOf([one], [], keep), async () => {
            if (!dryRun) await store.service.dropQuestion(one.id);
            return 0;
          });
      continue;
    }
    const last_used = Math.max(upload.created_at, ...questions.map((one) => one.last_used));
    if (last_used >= before) continue;
    const { tags } = await store.service.aboutUpload(upload.id);
    // What is derived can be made again, so that nothing is lost with it.
    const why = what === "videos" ? reasonOf(questions, tags, keep) : reasonOf(questions, [], []);
    await take(thingOf(upload, { id: null, last_used }), why, () =>
      what === "videos" ? removeVideo(store, upload, dryRun) : removeDerived(store, upload, dryRun),
    );
  }
  return result;
}

async function questionsOf(store: Store, upload: UploadRow): Promise<KnownQuestion[]> {
  const rows = await uploadQuestions(store, upload);
  const rated = new Set<string>();
  for (const row of rows)
    if ((await store.service.ratingsOf(row.id)).some(({ undone_at }) => undone_at === null))
      rated.add(row.id);
  return rows.map((row) => knownQuestion(row, rated.has(row.id)));
}

/** A damaged row counts as reviewed: what a person said about it cannot be read. */
function knownQuestion(row: QuestionRow, rated: boolean): KnownQuestion {
  const { id, open, created_at } = row;
  try {
    const { ended_at, review } = parseStoredQuestion(row).record;
    const last_used = Math.max(created_at, ended_at ?? 0, review?.at ?? 0);
    return { id, open, last_used, reviewed: rated || review !== null };
  } catch (error) {
    if (!isFailure(error, "store-damaged")) throw error;
    return { id, open, last_used: created_at, reviewed: true };
  }
}

function reasonOf(
  questions: readonly KnownQuestion[],
  tags: readonly string[],
  keep: readonly KeptReason[],
): KeptReason | "unfinished" | null {
  if (questions.some(({ open }) => open)) return "unfinished";
  if (keep.includes("reviewed") && questions.some(({ reviewed }) => reviewed)) return "reviewed";
  return keep.includes("tagged") && tags.length > 0 ? "tagged" : null;
}

function thingOf(
  upload: UploadRow,
  { id, last_used }: { id: string | null; last_used: number },
): PrunedThing {
  return {
    video: upload.id,
    question: id,
    name: upload.name,
    last_used: new Date(last_used).toISOString(),
  };
}

/** Returns the bytes of the file and, unless another upload has the same bytes, of what is derived from it. */
async function removeVideo(store: Store, upload: UploadRow, dryRun: boolean): Promise<number> {
  const hash = upload.video?.hash ?? "";
  const isLast = (await store.service.uploadsOf(hash)).length === 1;
  const bytes = upload.size + (isLast ? (await store.derivedSize(hash)).bytes : 0);
  if (dryRun) return bytes;
  if (!isLast) await forgetSeenByOwner(store, upload, hash);
  // The row before the file: if the process is killed, the next start of the service removes the rest.
  await store.service.dropUpload(upload.id);
  if (isLast) await store.forget(hash);
  await createUploadFiles(store).remove(upload.id, hash);
  return bytes;
}

async function removeDerived(store: Store, upload: UploadRow, dryRun: boolean): Promise<number> {
  const hash = upload.video?.hash ?? "";
  const { steps, index } = await store.derivedSize(hash);
  if (dryRun) return steps + index;
  await store.memo.forget(hash);
  await store.dropDerived(hash);
  return steps + index;
}
