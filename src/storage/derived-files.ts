import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { DerivedSize, VideoFile } from "../core/contracts.ts";
import { DERIVED } from "./forget-video.ts";
import { blobPath, derivedFolder } from "./paths.ts";

/** The bytes of a video's files in a data folder, and of `files` outside it, added to those of its rows. */
export async function addFileSizes(
  folder: string,
  video: string,
  blobs: readonly Record<string, unknown>[],
  rows: Pick<DerivedSize, "steps" | "events">,
  files: readonly VideoFile[],
  blobSize = (hash: string, type: string) => sizeOf(blobPath(folder, hash, type)),
): Promise<DerivedSize> {
  // The bytes of the video itself count as its upload.
  const named = new Set(files.map(({ hash }) => hash));
  const unnamed = blobs.filter(({ hash }) => !named.has(String(hash)));
  const sizes = await Promise.all(
    unnamed.map(({ hash, type }) => blobSize(String(hash), String(type))),
  );
  const frames = sizes.reduce((total, size) => total + size, 0);
  const derived = files.filter(({ name }) => name.startsWith(DERIVED));
  const index =
    (await folderSize(derivedFolder(folder, video))) +
    derived.reduce((total, { size }) => total + size, 0);
  return { ...rows, frames, index, bytes: rows.steps + rows.events + frames + index };
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0;
}

async function folderSize(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries)
    if (entry.isFile()) bytes += await sizeOf(join(entry.parentPath, entry.name));
  return bytes;
}
