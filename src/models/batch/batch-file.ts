import { type FileHandle, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemCode, toFailure } from "../../core/errors.ts";
import { writeBytes } from "../../core/write-bytes.ts";
import type { PiecedBody } from "../media-body.ts";

/** A body as a client gives it to fetch. */
export type RequestBody = string | PiecedBody;

/** The file of a batch while requests are added to it: one line of JSON each. */
export interface BatchFile {
  path: string;
  /** Bytes written so far, and those of a request that is being written. */
  bytes(): number;
  /** Appends a line; `size` is that of the body in bytes. A failed line is removed. */
  append(line: { before: string; after: string }, body: RequestBody, size: number): Promise<void>;
  /** Ends the writing. */
  close(): Promise<void>;
  remove(): Promise<void>;
}

/** Bodies are written as they come, so that only the media of one request are in memory. */
export async function createBatchFile(path: string): Promise<BatchFile> {
  const doing = `writing ${path}`;
  let handle: FileHandle;
  try {
    await mkdir(dirname(path), { recursive: true });
    handle = await open(path, "w");
  } catch (error) {
    throw toFailure(error, "file-unreadable", doing);
  }
  let planned = 0;
  let end = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function write(pieces: AsyncIterable<Uint8Array>): Promise<void> {
    let at = end;
    try {
      for await (const piece of pieces) {
        await writeBytes(handle, piece, at);
        at += piece.length;
      }
      end = at;
    } catch (error) {
      await handle.truncate(end);
      throw error;
    }
  }

  return {
    path,
    bytes: () => planned,
    append({ before, after }, body, size) {
      planned += Buffer.byteLength(before) + size + Buffer.byteLength(after) + 1;
      const written = last.then(() => write(lineOf(before, body, after)));
      last = written.catch(() => undefined);
      return written.catch((error: unknown) => {
        throw toFailure(error, "file-unreadable", doing);
      });
    },
    async close() {
      await last;
      await handle.close();
    },
    remove: () => rm(path, { force: true }),
  };
}

/** A draft that nothing was added to for so long was left by a process that was killed. */
const LIFE_MS = 7 * 24 * 3600 * 1000;

/** Removes the files in a folder of batches that killed processes have left. Throws `Failure` `file-unreadable`. */
export async function removeOldFiles(folder: string): Promise<void> {
  try {
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      if (!name.endsWith(".jsonl") || (await stat(path)).mtimeMs > Date.now() - LIFE_MS) continue;
      await rm(path, { force: true });
    }
  } catch (error) {
    if (systemCode(error) !== "ENOENT")
      throw toFailure(error, "file-unreadable", `clearing ${folder}`);
  }
}

async function* lineOf(before: string, body: RequestBody, after: string) {
  yield Buffer.from(before);
  if (typeof body === "string") yield Buffer.from(body);
  else yield* body;
  yield Buffer.from(`${after}\n`);
}
