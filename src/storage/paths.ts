import { join } from "node:path";
import { z } from "zod";
import { Failure, oneLine } from "../core/errors.ts";
import { Hash } from "../core/shapes.ts";

/** A file extension without the dot. */
const BlobType = z.string().regex(/^[a-z0-9]{1,8}$/);

/** Checks a hash before it becomes part of a path. Throws `Failure` `wrong-usage`. */
export function checkHash(hash: string, what: string): string {
  const read = Hash.safeParse(hash);
  if (read.success) return read.data;
  throw refusal(what, hash, "64 lower-case hex digits");
}

export function checkType(type: string): string {
  const read = BlobType.safeParse(type);
  if (read.success) return read.data;
  throw refusal("the type of a blob", type, "1 to 8 lower-case letters or digits");
}

/** Two levels, so that no folder holds hundreds of thousands of files. */
export function blobFolder(folder: string, hash: string): string {
  return join(folder, "blobs", checkHash(hash, "the hash of a blob").slice(0, 2));
}

export function blobPath(folder: string, hash: string, type: string): string {
  return join(blobFolder(folder, hash), `${hash}.${checkType(type)}`);
}

export function derivedFolder(folder: string, video: string): string {
  return join(folder, "derived", checkHash(video, "the hash of a video"));
}

/** The folder of all uploads of a service. */
export function uploadFolder(folder: string): string {
  return join(folder, "uploads");
}

/** The file of an upload. */
export function uploadPath(folder: string, id: string): string {
  return join(uploadFolder(folder), id, id);
}

/** Holds the lock of a service that uses the folder. */
export function serviceFolder(folder: string): string {
  return join(folder, "service");
}

/** Exists while a backup is restored into a folder. */
export function restoreMarker(folder: string): string {
  return join(folder, "restoring.json");
}

export function temporaryFolder(folder: string): string {
  return join(folder, "tmp");
}

function refusal(what: string, got: unknown, expected: string): Failure {
  return new Failure(
    "wrong-usage",
    `Invalid ${what} ${oneLine(String(JSON.stringify(got)), 80)}: use ${expected}.`,
    {
      got,
    },
  );
}
