import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { link, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { systemCode, toFailure } from "../../core/errors.ts";
import { hashFile } from "../../core/hash.ts";

/** What became of a file: placed, there already, or not placed because the source lacks it or has other bytes. */
export type CopyResult = "copied" | "kept" | "missing" | "damaged";

/** How a file gets to its place: as a second name of the same bytes, or as a copy. */
export type CopyMode = "link" | "copy";

/** Codes of a system on which these two paths cannot share a file. */
const NO_LINK = new Set(["EXDEV", "EPERM", "EMLINK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

export interface FileCopy {
  from: string;
  to: string;
  /** A path on the same disk as `to`, for the draft. */
  draft: string;
  hash: string;
  mode: CopyMode;
  /** Whether a file that is there already is read again. */
  verify: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Places a file whose bytes have this hash, complete or not at all. A file that is there already stays, if its size is
 * that of the source and, with `verify`, its bytes have the hash.
 */
export async function copyVerified(file: FileCopy): Promise<CopyResult> {
  const { from, to, draft, hash, signal } = file;
  try {
    const source = await sizeOf(from);
    const there = await sizeOf(to);
    const unread = there !== undefined && (source === undefined || there === source);
    if (unread && (!file.verify || (await hashFile(to, signal)) === hash)) return "kept";
    if (source === undefined) return "missing";
    const found = file.mode === "link" ? await linked(from, draft, signal) : undefined;
    if ((found ?? (await copied(from, draft, signal)).hash) !== hash) return "damaged";
    await mkdir(dirname(to), { recursive: true });
    await rename(draft, to);
    // The rename of two names of one file does nothing.
    await rm(draft, { force: true });
    return "copied";
  } catch (error) {
    if (systemCode(error) === "ENOENT" && (await sizeOf(from)) === undefined) return "missing";
    throw toFailure(error, "file-unreadable", `copying ${from}`);
  } finally {
    await rm(draft, { force: true });
  }
}

/** The hash of the source, of which the draft is another name; undefined if the disk allows none. */
async function linked(
  from: string,
  draft: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  try {
    await link(from, draft);
  } catch (error) {
    if (NO_LINK.has(systemCode(error) ?? "")) return undefined;
    throw error;
  }
  return hashFile(draft, signal);
}

/** Copies the bytes that a file has now. */
export async function copied(
  from: string,
  draft: string,
  signal?: AbortSignal,
): Promise<{ hash: string; bytes: number }> {
  const { size } = await stat(from);
  const hash = createHash("sha256");
  const file = await open(draft, "w");
  try {
    let bytes = 0;
    if (size > 0)
      await pipeline(
        createReadStream(from, { end: size - 1, highWaterMark: 1 << 20 }),
        async (chunks: AsyncIterable<Buffer>) => {
          for await (const chunk of chunks) {
            hash.update(chunk);
            await file.writeFile(chunk);
            bytes += chunk.byteLength;
          }
        },
        { signal },
      );
    await file.sync();
    return { hash: hash.digest("hex"), bytes };
  } finally {
    await file.close();
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
