import { hashOf } from "../../src/core/hash.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import type { Evidence, Question } from "../../src/core/shapes.ts";
import type { GraphContext } from "../context.ts";

/** Key of the captions of an index. What was seen for a question has the question's id as its key. */
export const INDEX = "index";

/* Evidence that a search saw is stored with the video, by question and owner, and is deleted with the video. */

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

/**
 * Evidence that earlier questions of the same owner on the same video saw, by time. The selection for a question is
 * fixed when it is first asked in a run, so that a resumed run sends the same.
 */
export async function recallEvidence(
  question: Question,
  context: GraphContext,
): Promise<Evidence[]> {
  const { store, video, run, signal, owner } = context;
  const step = {
    key: hashOf(["recalled", video.hash, question.id, run]),
    tags: [video.hash],
    run,
    signal,
  };
  const { value } = await store.memo.once<Evidence[]>(step, async () => {
    const ids = (await store.catalogue.questions(video.hash)).map(({ id }) => id);
    const others = ids.filter((id) => id !== question.id).sort();
    const keys = [keyOf(video.hash, INDEX), ...others.map((id) => keyOf(video.hash, id, owner))];
    const kept = await Promise.all(keys.map((key) => store.memo.peek<Evidence[]>(key, run)));
    return [
      ...new Map(kept.flatMap((items) => items ?? []).map((item) => [item.id, item])).values(),
    ];
  });
  return value;
}

function keyOf(video: string, question: string, owner = ""): string {
  return hashOf(["seen", video, question, owner]);
}
