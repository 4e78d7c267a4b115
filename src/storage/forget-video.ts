import { rm } from "node:fs/promises";
import type { Store } from "../core/contracts.ts";
import { makeFolder } from "./make-folder.ts";
import { checkHash, derivedFolder } from "./paths.ts";

type Parts = Pick<Store, "memo" | "blobs" | "events" | "catalogue" | "service">;

/** Removes everything stored for a video. If interrupted, call it again. */
export async function forgetVideo(parts: Parts, root: string, video: string): Promise<void> {
  const { memo, blobs, events, catalogue, service } = parts;
  checkHash(video, "the hash of a video");
  // The catalogue is last: it lists the questions, if this is interrupted and called again.
  await memo.forget(video);
  await blobs.forget(video);
  await rm(derivedFolder(root, video), { recursive: true, force: true });
  await service.forget(video);
  for (const { id } of await catalogue.questions(video)) await events.forget(id);
  for (const id of await catalogue.forget(video)) await events.forget(id);
}

/** The folder of data derived from a video, which is created if it is missing. */
export async function makeDerivedFolder(root: string, video: string): Promise<string> {
  const path = derivedFolder(root, video);
  await makeFolder(path);
  return path;
}
