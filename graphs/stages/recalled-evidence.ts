import { type CorrectedSets, editsOf } from "../../src/core/corrections.ts";
import { hashOf } from "../../src/core/hash.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import { jsonOrUndefined } from "../../src/core/json-or-undefined.ts";
import { type Evidence, EvidenceSet, type Question } from "../../src/core/shapes.ts";
import type { GraphContext } from "../context.ts";

/** Key of the captions of an index. What was seen for a question has the question's id as its key. */
export const INDEX = "index";

/*
 * Evidence that a search saw is stored with the video, by question and owner. It is deleted with the video, and that of an
 * owner with the owner's last upload of it.
 */

/** Stores what was seen for a question of `owner`; replaces what was stored before. */
export async function storeSeen(
  source: Question["id"] | typeof INDEX,
  items: readonly Evidence[],
  { store, run, signal, owner }: Pick<JobContext, "store" | "run" | "signal"> & { owner?: string },
): Promise<void> {
  const [first] = items;
  if (first === undefined) return;
  const key = keyOf(first.video, source, owner);
  await store.memo.forget(key);
  const step = { key, tags: [first.video, key], run, signal };
  await store.memo.once(step, async () => [...items]);
}

/** Removes what all questions of an owner on a video saw. */
export async function forgetSeen(
  video: string,
  owner: string,
  { memo, catalogue }: Pick<JobContext["store"], "memo" | "catalogue">,
): Promise<void> {
  for (const { id } of await catalogue.questions(video)) await memo.forget(keyOf(video, id, owner));
}

/**
 * Evidence that earlier questions of the same owner on the same video saw, as people left it: without what they rejected,
 * and with their corrections. The selection for a question is fixed when it is first asked in a run, so that a resumed
 * run sends the same.
 */
export async function recallEvidence(
  question: Question,
  context: GraphContext,
): Promise<Evidence[]> {
  const { store, video, run, signal } = context;
  const step = {
    key: hashOf(["recalled", video.hash, question.id, run]),
    tags: [video.hash],
    run,
    signal,
  };
  const { value } = await store.memo.once(step, () => seenBefore(question, context));
  return value;
}

/** Like `recallEvidence`, as it is now. */
export async function seenBefore(question: Question, context: GraphContext): Promise<Evidence[]> {
  const { store, video, run, owner } = context;
  const ids = (await store.catalogue.questions(video.hash)).map(({ id }) => id);
  const others = ids.filter((id) => id !== question.id).sort();
  const keys = [keyOf(video.hash, INDEX), ...others.map((id) => keyOf(video.hash, id, owner))];
  const kept = await Promise.all(keys.map((key) => store.memo.peek<Evidence[]>(key, run)));
  const seen = new Map(kept.flatMap((items) => items ?? []).map((item) => [item.id, item]));
  return withEdits(seen, await editedSets(context));
}

/** The sets of the owner's questions on the video that people edited. Missing and damaged ones are left out. */
async function editedSets({ store, video, owner = "" }: GraphContext): Promise<CorrectedSets[]> {
  const read = async (id: string) => {
    const json = await store.catalogue.set(id);
    return json === undefined ? undefined : EvidenceSet.safeParse(jsonOrUndefined(json)).data;
  };
  const edited = await store.service.editedSets(video.hash, owner);
  const sets = await Promise.all(
    edited.map(async (ids) => ({ first: await read(ids.first), now: await read(ids.now) })),
  );
  return sets.flatMap(({ first, now }) =>
    first === undefined || now === undefined ? [] : { first, now },
  );
}

/** Evidence by id, with the edits of people, in the order of their questions. */
function withEdits(
  seen: ReadonlyMap<string, Evidence>,
  edited: readonly CorrectedSets[],
): Evidence[] {
  const items = new Map(seen);
  for (const { gone, written } of edited.map(editsOf)) {
    for (const id of gone) items.delete(id);
    for (const item of written) {
      if (item.replaces === undefined || !seen.has(item.replaces)) continue;
      items.delete(item.replaces);
      items.set(item.id, item);
    }
  }
  return [...items.values()];
}

function keyOf(video: string, question: string, owner = ""): string {
  return hashOf(["seen", video, question, owner]);
}
