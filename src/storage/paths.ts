import { join } from "node:path";
import { z } from "zod";
import { Failure, oneLine } from "../core/errors.ts";
import { Hash } from "../core/shapes.ts";

/** A file ending without the dot. */
const BlobType = z.string().regex(/^[a-z0-9]{1,8}$/);

/** Nothing becomes part of a path before it has passed here. Throws `Failure` `wrong-usage`. */
export function checkHash(hash: string, what: string): string {
  const read = Hash.safeParse(hash);
  if (read.success) return read.data;
  throw refusal(`${what} to be 64 lower-case hex digits`, hash);
}

export function checkType(type: string): string {
  const read = BlobType.safeParse(type);
  if (read.success) return read.data;
  throw refusal("the type of a blob to be 1 to 8 lower-case letters or digits", type);
}

/** Two levels, so that no folder grows to hundreds of thousands of files. */
export function blobFolder(folder: string, hash: string): string {
  return join(folder, "blobs", checkHash(hash, "the hash of a blob").slice(0, 2));
}

export function blobPath(folder: string, hash: string, type: string): string {
  return join(blobFolder(folder, hash), `${hash}.${checkType(type)}`);
}

export function derivedFolder(folder: string, video: string): string {
  return join(folder, "derived", checkHash(video, "the hash of a video"));
}

export function temporaryFolder(folder: string): string {
  return join(folder, "tmp");
}

function refusal(expected: string, got: unknown): Failure {
  return new Failure(
    "wrong-usage",
    `Expected ${expected}, got ${oneLine(String(JSON.stringify(got)), 80)}.`,
    {
      got,
    },
  );
}
