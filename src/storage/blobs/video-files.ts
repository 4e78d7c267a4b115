import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { extname } from "node:path";
import type { VideoFile, VideoFiles } from "../../core/contracts.ts";
import { Failure, toFailure } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import type { Turns } from "../../core/turns.ts";
import { checkHash } from "../paths.ts";
import type { OwnedBlobs } from "./owned-blobs.ts";

/** Bytes of a part that is checked by itself, so that a range of a film can be read without all of it. */
const PART_BYTES = 8 * 1024 * 1024;

/** Parts that are kept in memory. */
const KEPT_PARTS = 4;

/** The rows of files of videos. */
export interface VideoFileRows {
  /** Writes or replaces a row. */
  put(row: StoredVideoFile): Promise<void>;
  get(video: string, name: string): Promise<StoredVideoFile | undefined>;
  list(video: string): Promise<StoredVideoFile[]>;
  drop(video: string, name: string): Promise<void>;
}

export interface StoredVideoFile extends VideoFile {
  video: string;
  /** SHA-256 of each part of `part_bytes` bytes. */
  part_bytes: number;
  parts: string[];
}

/**
 * Files of videos as blobs with a name. A row is written after the bytes and removed before them. Changes of a video's files
 * are made one after the other: two names may have the same bytes.
 */
export function createVideoFiles(
  rows: VideoFileRows,
  blobs: OwnedBlobs,
  inTurn: Turns,
  part_bytes = PART_BYTES,
): VideoFiles {
  /** Ends the ownership of bytes that no other name of the video has. */
  async function release(video: string, hash: string): Promise<void> {
    const others = await rows.list(video);
    if (others.every((other) => other.hash !== hash)) await blobs.release(video, hash);
  }

  /** The parts that were read last: a player asks for many ranges of one part. */
  const recent = new Map<string, Promise<Uint8Array>>();

  function readPart(row: StoredVideoFile, index: number): Promise<Uint8Array> {
    const key = `${row.hash} ${row.part_bytes} ${index}`;
    const known = recent.get(key);
    const part = known ?? fetchPart(row, index);
    recent.delete(key);
    recent.set(key, part);
    for (const old of recent.keys()) if (recent.size > KEPT_PARTS) recent.delete(old);
    if (known === undefined)
      part.catch(() => {
        if (recent.get(key) === part) recent.delete(key);
      });
    return part;
  }

  /** One part, checked. */
  async function fetchPart(
    { hash, size, part_bytes: length, parts, name }: StoredVideoFile,
    index: number,
  ): Promise<Uint8Array> {
    const start = index * length;
    const bytes = await blobs.readRange(hash, start, Math.min(start + length, size));
    if (sha256(bytes) === parts[index]) return bytes;
    throw new Failure(
      "store-damaged",
      `The stored bytes of ${name} have changed. Forget its video and add it again.`,
      { hash, name, part: index },
    );
  }

  return {
    async put(video, name, path) {
      checkHash(video, "the hash of a video");
      const [{ hash, parts }, { size }] = [await hashParts(path, part_bytes), await stat(path)];
      return inTurn(turnOf(video), async () => {
        const before = await rows.get(video, name);
        await blobs.putFile(video, path, hash, typeOf(name));
        await rows.put({ video, name, hash, size, part_bytes, parts });
        if (before !== undefined && before.hash !== hash) await release(video, before.hash);
        return { name, hash, size };
      });
    },
    async path(video, name) {
      const row = await rows.get(video, name);
      return row === undefined ? undefined : blobs.path(row.hash);
    },
    list: (video) => rows.list(video),
    async *read(video, name, first, last) {
      const row = await rows.get(video, name);
      if (row === undefined) throw new Failure("not-found", `There is no file ${name}.`, { name });
      const length = row.part_bytes;
      const end = Math.min(last + 1, row.size);
      for (let at = first; at < end; ) {
        const index = Math.floor(at / length);
        const part = await readPart(row, index);
        const from = at - index * length;
        const bytes = part.subarray(from, Math.min(part.byteLength, from + end - at));
        yield bytes;
        at += bytes.byteLength;
      }
    },
    drop: (video, name) =>
      inTurn(turnOf(video), async () => {
        const row = await rows.get(video, name);
        if (row === undefined) return;
        await rows.drop(video, name);
        await release(video, row.hash);
      }),
  };
}

const turnOf = (video: string) => `files of ${video}`;

function typeOf(name: string): string {
  const ending = extname(name).slice(1).toLowerCase();
  return /^[a-z0-9]{1,8}$/.test(ending) ? ending : "bin";
}

/** The SHA-256 of a file and of each of its parts, in one pass. */
async function hashParts(path: string, part_bytes: number) {
  const whole = createHash("sha256");
  const parts: string[] = [];
  let part = createHash("sha256");
  let filled = 0;
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
      whole.update(chunk);
      for (let at = 0; at < chunk.length; ) {
        const taken = chunk.subarray(at, at + part_bytes - filled);
        part.update(taken);
        at += taken.length;
        filled += taken.length;
        if (filled < part_bytes) continue;
        parts.push(part.digest("hex"));
        part = createHash("sha256");
        filled = 0;
      }
    }
  } catch (error) {
    throw toFailure(error, "file-unreadable", `reading ${path}`);
  }
  if (filled > 0) parts.push(part.digest("hex"));
  return { hash: whole.digest("hex"), parts };
}
