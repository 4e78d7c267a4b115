import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { DerivedSize } from "../core/contracts.ts";
import { blobPath, derivedFolder } from "./paths.ts";

/** The bytes of a video's files in a data folder, added to those of its rows. */
export async function addFileSizes(
  folder: string,
  video: string,
  blobs: readonly Record<string, unknown>[],
  rows: Pick<DerivedSize, "steps" | "events">,
  blobSize = (hash: string, type: string) => sizeOf(blobPath(folder, hash, type)),
): Promise<DerivedSize> {
  const sizes = await Promise.all(
    blobs.map(({ hash, type }) => blobSize(String(hash), String(type))),
  );
  const frames = sizes.reduce((total, size) => total + size, 0);
  const index = await folderSize(derivedFolder(folder, video));
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
