import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { Failure, systemCode, toFailure } from "../../core/errors.ts";
import { Hash } from "../../core/shapes.ts";

/*
 * A backup is a folder: `backup.json`, which is written last, the copy of the database that it names, `blobs/` and
 * `videos/` by content hash, and `loose/` with unfinished uploads and subtitles by upload and content. Files that
 * `backup.json` and its database do not name belong to a backup that was interrupted.
 */

/** Marks the folder of a backup before its first `backup.json` exists. */
export const BACKUP_MARKER = "video-rrd-backup";

const LOOSE_PATH = /^[\w-]+\/[\w-][\w.-]*$/;

/** A file in the folder of an upload whose hash is not in the database: an unfinished upload, subtitles. */
const LooseFile = z.object({
  /** `UPLOAD/NAME`. */
  path: z.string().regex(LOOSE_PATH),
  /** Where it is within `loose/`, by content: `UPLOAD/NAME-HASH`. Older backups have it at `path`. */
  file: z.string().regex(LOOSE_PATH).optional(),
  bytes: z.int(),
  sha256: Hash,
});

export const Manifest = z.looseObject({
  format: z.literal(1),
  /** Version of the program that wrote it. */
  version: z.string(),
  /** When the copy of the database was begun, RFC 3339: everything stored before is in the backup. */
  created_at: z.string(),
  /** The data folder that was backed up, absolute. */
  folder: z.string(),
  database: z.object({
    file: z.string().regex(/^database-[0-9a-f]{16}\.db$/),
    bytes: z.int(),
    sha256: Hash,
  }),
  loose: z.array(LooseFile),
  /** Files and bytes, the database included. */
  files: z.int(),
  bytes: z.int(),
  /** Files that the data folder itself lacks or has with other bytes. */
  missing: z.array(z.string()),
  damaged: z.array(z.string()),
});
/** What a backup holds, as `backup.json` says it. */
export type Manifest = z.infer<typeof Manifest>;

export function manifestPath(folder: string): string {
  return join(folder, "backup.json");
}

/** The manifest of a backup; undefined if there is none. Throws `Failure`: `data-malformed`, `file-unreadable`. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const path = manifestPath(folder);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) return undefined;
    throw toFailure(error, "file-unreadable", `reading ${path}`);
  }
  try {
    return Manifest.parse(JSON.parse(text));
  } catch (error) {
    throw new Failure(
      "data-malformed",
      `${path} is not the manifest of a backup that this version can read.`,
      { path },
      { cause: error },
    );
  }
}
