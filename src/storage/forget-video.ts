import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Store } from "../core/contracts.ts";
import { makeFolder } from "./make-folder.ts";
import { checkHash, derivedFolder, uploadPath } from "./paths.ts";

type Parts = Pick<Store, "memo" | "blobs" | "events" | "catalogue" | "service" | "files">;

/** The start of the names of files that are derived from a video. */
export const DERIVED = "derived/";

/** Removes everything stored for a video, its uploads of all owners included. If interrupted, call it again. */
export async function forgetVideo(parts: Parts, root: string, video: string): Promise<void> {
  const { memo, blobs, events, catalogue, service, files } = parts;
  checkHash(video, "the hash of a video");
  // The row first: the next start of the service removes a folder that an interruption leaves.
  for (const { id } of await service.uploadsOf(video)) {
    await service.dropUpload(id);
    await rm(dirname(uploadPath(root, id)), { recursive: true, force: true });
  }
  // The catalogue is last: it lists the questions, if this is interrupted and called again.
  await memo.forget(video);
  for (const { name } of (await files?.list(video)) ?? []) await files?.drop(video, name);
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

/** Removes what is derived from a video and can be rebuilt. */
export async function dropDerived(
  files: Store["files"],
  root: string,
  video: string,
): Promise<void> {
  checkHash(video, "the hash of a video");
  for (const { name } of (await files?.list(video)) ?? [])
    if (name.startsWith(DERIVED)) await files?.drop(video, name);
  await rm(derivedFolder(root, video), { recursive: true, force: true });
}
