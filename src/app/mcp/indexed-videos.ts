import type { Store } from "../../core/contracts.ts";
import { hashOf } from "../../core/hash.ts";
import { EvidenceSet } from "../../core/shapes.ts";

/* Which evidence set is the index of a video, by owner. It is deleted with the video. */

const RUN = "mcp";

export async function storeIndexed(
  set: EvidenceSet,
  video: string,
  owner: string,
  { memo, catalogue }: Pick<Store, "memo" | "catalogue">,
): Promise<void> {
  await catalogue.putSet({ id: set.id, video, json: JSON.stringify(set) });
  const key = keyOf(video, owner);
  if ((await memo.peek<string>(key, RUN)) === set.id) return;
  await memo.forget(key);
  await memo.once({ key, tags: [video, key], run: RUN }, async () => set.id);
}

/** The index of a video, or null if it was not indexed. */
export async function readIndexed(
  video: string,
  owner: string,
  { memo, catalogue }: Pick<Store, "memo" | "catalogue">,
): Promise<EvidenceSet | null> {
  const id = await memo.peek<string>(keyOf(video, owner), RUN);
  const json = id === undefined ? undefined : await catalogue.set(id);
  return json === undefined ? null : EvidenceSet.parse(JSON.parse(json));
}

function keyOf(video: string, owner: string): string {
  return hashOf(["mcp index", video, owner]);
}
