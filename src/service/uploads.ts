import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import pLimit from "p-limit";
import { openVideo } from "../../tools/video.ts";
import type { Store, UploadRow } from "../core/contracts.ts";
import { Failure, isFailure, toFailure } from "../core/errors.ts";
import type { Caller } from "./admission.ts";
import type { Metrics } from "./metrics.ts";
import type { ServiceOptions } from "./options.ts";
import { notFound, refuse } from "./problems.ts";
import type { Span } from "./ranges.ts";
import { receive } from "./receive.ts";

/** Kept free for the store itself. */
const SPARE_BYTES = 16 * 2 ** 20;

/** A row stands before its file does. */
const MAKING_MS = 60_000;
/** Reading the packets of the largest file. */
const PROBE_MS = 600_000;

/** Random names in the alphabet of URLs, 144 bits. */
export function newId(): string {
  return randomBytes(18).toString("base64url");
}

type Limits = Pick<ServiceOptions, "upload_limit" | "quota" | "patience">;

/**
 * Files of the service: `uploads/ID/ID` in the data folder, the only place that a request's bytes are written to.
 * How much of one has arrived is what its file holds, so that a part is neither lost nor counted twice by any end.
 */
export function createUploads(store: Store, limits: Limits, metrics: Metrics) {
  const root = join(store.folder, "uploads");
  const folderOf = (id: string) => join(root, id);
  const fileOf = (id: string) => join(root, id, id);
  /** Uploads that a request is writing to. */
  const busy = new Set<string>();
  /** One at a time, so that each sees the room that those before it take. */
  const oneByOne = pLimit(1);

  /** Bytes that a caller may still bring, or why there is no room for `size` of them as a problem 413 or 507. */
  async function roomFor(size: number, caller: Caller): Promise<number> {
    if (size > limits.upload_limit)
      throw refuse(
        413,
        "too-large",
        `Expected a file of at most ${limits.upload_limit} bytes, got ${size}.`,
      );
    const rows = await store.desk.uploads();
    const own = total(rows.filter((row) => row.owner === caller.owner));
    const most = caller.limits.bytes;
    if (most !== null && own + size > most)
      throw refuse(
        507,
        "quota",
        `Expected at most ${most} bytes under this key, and ${own} are taken: remove a video first.`,
      );
    const { bavail, bsize } = await statfs(store.folder);
    const left = Math.min(limits.quota - total(rows), bavail * bsize - SPARE_BYTES);
    if (size > left)
      throw refuse(
        507,
        "quota",
        "Expected room for this file, but what the service may keep is full: remove a video first.",
      );
    return Math.max(0, Math.min(left, limits.upload_limit, (most ?? Infinity) - own));
  }

  /** Holds room for `size` bytes; for all that may come where it is not announced (null). */
  async function begin(caller: Caller, name: string, size: number | null): Promise<UploadRow> {
    const id = newId();
    const row = await oneByOne(async () => {
      const room = await roomFor(size ?? 1, caller);
      const about = { id, owner: caller.owner, name, size: size ?? room };
      const begun = { ...about, created_at: Date.now(), video: null };
      await store.desk.putUpload(begun);
      return begun;
    });
    try {
      await mkdir(folderOf(id), { recursive: true });
      await (await open(fileOf(id), "wx")).close();
    } catch (error) {
      await store.desk.dropUpload(id);
      throw toFailure(error, "file-unreadable", "beginning an upload");
    }
    return row;
  }

  /** Bytes that have arrived. */
  async function arrived(row: UploadRow): Promise<number> {
    const file = await stat(fileOf(row.id)).catch(() => null);
    if (file === null) throw notFound("an upload");
    return file.size;
  }

  async function alone<T>(id: string, work: () => Promise<T>): Promise<T> {
    if (busy.has(id))
      throw refuse(409, "upload-busy", "Expected one request at a time to write to an upload.");
    busy.add(id);
    try {
      return await work();
    } finally {
      busy.delete(id);
    }
  }

  /** Takes one part; the last one makes a video of the upload, or removes it with a problem that says why. */
  async function append(
    row: UploadRow,
    span: Span & { size: number },
    announced: number | null,
    body: Readable,
  ): Promise<{ row: UploadRow; offset: number }> {
    return alone(row.id, async () => {
      const offset = await arrived(row);
      if (row.video !== null || span.size !== row.size || span.first !== offset)
        throw refuse(
          409,
          "wrong-offset",
          `Expected the part from byte ${offset} of ${row.size}, got bytes ${span.first}-${span.last} of ${span.size}.`,
          { offset },
        );
      const length = span.last - span.first + 1;
      if (announced !== null && announced !== length)
        throw refuse(
          400,
          "wrong-range",
          `Expected a body of the ${length} bytes that Content-Range names, got Content-Length ${announced}.`,
        );
      const came = await take(row, offset, length, body);
      if (offset + came < row.size) return { row, offset: offset + came };
      return { row: await finish(row), offset: row.size };
    });
  }

  function take(row: UploadRow, from: number, most: number, body: Readable): Promise<number> {
    return receive(body, {
      file: fileOf(row.id),
      from,
      most,
      patience: limits.patience,
      onBytes: (count) => metrics.received.inc(count),
    });
  }

  /** One request's whole body as a video; nothing stays of one that did not arrive whole. `size` null: not announced. */
  async function whole(
    caller: Caller,
    name: string,
    size: number | null,
    body: Readable,
  ): Promise<UploadRow> {
    const row = await begin(caller, name, size);
    return alone(row.id, async () => {
      try {
        const came = await take(row, 0, row.size, body);
        if (came === 0 || (size !== null && came < size))
          throw refuse(400, "incomplete", `Expected ${size ?? "some"} bytes, but ${came} came.`);
        return await finish({ ...row, size: came });
      } catch (error) {
        await remove(row);
        throw error;
      }
    });
  }

  /** The type is told by what ffmpeg finds in the file, with the demuxers that are allowed; its name says nothing. */
  async function finish(row: UploadRow): Promise<UploadRow> {
    try {
      const work = { store, run: "service", signal: AbortSignal.timeout(PROBE_MS) };
      const { hash, probe } = await openVideo(fileOf(row.id), work);
      if (probe.video === null && probe.audio.length === 0)
        throw new Failure(
          "not-media",
          `Expected ${row.id} to hold a video, got a file without pictures and sound.`,
        );
      const { duration_s, container, video } = probe;
      const [width, height] = [video?.width ?? null, video?.height ?? null];
      const kept = { ...row, video: { hash, duration_s, container, width, height } };
      await store.desk.putUpload(kept);
      return kept;
    } catch (error) {
      await remove(row);
      if (!isFailure(error)) throw error;
      // The file's name on disk is ours; a person knows it by another.
      const message = error.message.replaceAll(row.id, JSON.stringify(row.name));
      throw new Failure(error.kind, message, {}, { cause: error });
    }
  }

  /** Removes file and rows; and all that was derived, unless the same bytes belong to another upload as well. */
  async function remove(row: UploadRow): Promise<void> {
    const hash = row.video?.hash ?? (await knownHash(row.id));
    await rm(folderOf(row.id), { recursive: true, force: true });
    const others =
      hash === undefined
        ? []
        : (await store.desk.uploadsOf(hash)).filter((other) => other.id !== row.id);
    if (hash !== undefined && others.length === 0) await store.forget(hash);
    await store.desk.dropUpload(row.id);
  }

  async function knownHash(id: string): Promise<string | undefined> {
    const file = await stat(fileOf(id)).catch(() => null);
    return file === null
      ? undefined
      : store.catalogue.knownVideo(fileOf(id), file.size, Math.trunc(file.mtimeMs));
  }

  /** Removes what was abandoned, and what a killed process left half removed. */
  async function sweep(): Promise<void> {
    const rows = await store.desk.uploads();
    for (const row of rows) {
      if (busy.has(row.id)) continue;
      const file = await stat(fileOf(row.id)).catch(() => null);
      const idle_ms = Date.now() - (file?.mtimeMs ?? row.created_at);
      const left = row.video === null && idle_ms > limits.patience.abandoned_ms;
      if (left || (file === null && idle_ms > MAKING_MS)) await remove(row);
    }
    const damaged = await store.damaged("service");
    const known = new Set([
      ...rows.map((row) => row.id),
      ...damaged.filter(({ table }) => table === "uploads").map(({ key }) => key.id),
    ]);
    await mkdir(root, { recursive: true });
    for (const name of await readdir(root))
      if (!known.has(name) && (await store.desk.upload(name)) === undefined)
        await rm(join(root, name), { recursive: true, force: true });
  }

  return {
    begin,
    append,
    whole,
    arrived,
    remove,
    sweep,
    pathOf: (row: UploadRow) => fileOf(row.id),
    isBusy: (id: string) => busy.has(id),
    used: async () => total(await store.desk.uploads()),
  };
}

export type Uploads = ReturnType<typeof createUploads>;

function total(rows: readonly UploadRow[]): number {
  return rows.reduce((sum, row) => sum + row.size, 0);
}
