import { mkdirSync, renameSync, statSync, unlinkSync } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { Failure, systemCode, toFailure } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";

/* The files of blobs. A store decides under its lock which of them exist. */

/** Syncs the file before it is moved; otherwise a power cut could leave an empty file that stored steps refer to. */
export async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Moves a written file to the path of its blob. */
export function placeFile(temporary: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  renameSync(temporary, path);
}

/** Not `rmSync`, whose error on a read-only disk has no code. */
export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
  }
}

/** Bytes of a file; undefined if it is missing. */
export function sizeOf(path: string): number | undefined {
  try {
    return statSync(path).size;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Reads the file of a blob. Throws `Failure`: `store-damaged` if its bytes have changed, `file-unreadable`. */
export async function readBlob(path: string, hash: string): Promise<Uint8Array> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw toFailure(error, "file-unreadable", `reading the blob ${hash}`);
  });
  if (sha256(bytes) === hash) return bytes;
  throw new Failure(
    "store-damaged",
    `The contents of ${path} do not match the hash in its name. Forget its video and run again.`,
    { hash, path },
  );
}

/** The failure for a blob that the store does not have. */
export function unknownBlob(hash: string): Failure {
  return new Failure("not-found", `The store has no blob ${hash}.`, { hash });
}
