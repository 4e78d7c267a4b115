import { randomBytes } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { basename } from "node:path";
import type { Readable } from "node:stream";
import type { Logger } from "pino";
import { openVideo } from "../../../tools/video/video.ts";
import type { Store, UploadRow } from "../../core/contracts.ts";
import { Failure, isFailure, toFailure } from "../../core/errors.ts";
import { hashOf } from "../../core/hash.ts";
import { createTurns } from "../../core/turns.ts";
import { makeFolder } from "../../storage/make-folder.ts";
import { uploadFolder } from "../../storage/paths.ts";
import type { Caller } from "./auth.ts";
import type { ByteRange } from "./byte-ranges.ts";
import { forgetSeenByOwner } from "./forget-seen-by-owner.ts";
import { createIdleTimes } from "./idle-times.ts";
import type { Metrics } from "./metrics.ts";
import type { ServiceOptions } from "./options.ts";
import { httpProblem, notFound } from "./problems.ts";
import type { Quota } from "./quota.ts";
import { isStoreAway } from "./retry-write.ts";
import type { UploadFiles } from "./upload-files/contract.ts";
import { createUploadLock } from "./upload-lock.ts";
import { writeBody } from "./write-body.ts";

/** How long a row may lack its file: the row of an upload is written before its file. */
const CREATING_MS = 60_000;
/** Time limit for reading the packets of the largest file. */
const PROBE_MS = 600_000;

const ID_BYTES = 18;

/** A random URL-safe id of 144 bits. */
export function newId(): string {
  return randomBytes(ID_BYTES).toString("base64url");
}

/** An id of the same form, which is always the same for the same part of what has the id `whole`. */
export function idOfPart(whole: string, part: string): string {
  return Buffer.from(hashOf([whole, part]), "hex")
    .subarray(0, ID_BYTES)
    .toString("base64url");
}

/**
 * Uploads of callers, whose bytes `files` keeps.
 *
 * Only a resumable upload has a row before it is complete. An upload in a single request has none: if the process is
 * killed, the next start removes its folder.
 */
export function createUploads(
  store: Store,
  files: UploadFiles,
  limits: Pick<ServiceOptions, "upload_limit" | "timeouts">,
  quota: Quota,
  metrics: Metrics,
  log: Logger,
) {
  const root = uploadFolder(store.folder);
  const lock = createUploadLock(store.claims, (id) => store.service.upload(id));
  /** A video is not forgotten while an upload with the same bytes becomes complete. */
  const inTurn = createTurns(store.claims);
  const idle = createIdleTimes();

  /** Starts a resumable upload of `size` bytes. */
  async function begin(
    caller: Caller,
    name: string,
    size: number,
    id = newId(),
  ): Promise<UploadRow> {
    const known = await store.service.upload(id);
    if (known !== undefined) return known;
    const row = { id, owner: caller.owner, name, size, created_at: Date.now(), video: null };
    await quota.reserve(caller, size, () => store.service.putUpload(row));
    try {
      await files.create(id);
    } catch (error) {
      await store.service.dropUpload(id);
      throw toFailure(error, "file-unreadable", "starting an upload");
    }
    return row;
  }

  /** Bytes that arrived so far. Throws a 404 problem. */
  async function arrived(row: UploadRow): Promise<number> {
    const found = await files.arrived(row);
    if (found === null) throw notFound("an upload");
    return found.bytes;
  }

  /** Appends one chunk. The last chunk turns the upload into a video, or removes it and throws the reason. */
  async function append(
    caller: Caller,
    id: string,
    span: ByteRange & { size: number },
    announced: number | null,
    body: Readable,
  ): Promise<{ row: UploadRow; offset: number }> {
    return lock.runWithRow(id, async (row) => {
      const offset = await arrived(row);
      if (row.video !== null || span.size !== row.size || span.first !== offset)
        throw httpProblem(
          409,
          "wrong-offset",
          `The next chunk starts at byte ${offset} of ${row.size}, but the request sends bytes ${span.first}-${span.last} of ${span.size}.`,
          { offset },
        );
      const length = span.last - span.first + 1;
      if (announced !== null && announced !== length)
        throw httpProblem(
          400,
          "wrong-range",
          `Content-Range covers ${length} bytes, but Content-Length is ${announced}.`,
        );
      try {
        const came = await take(caller, row, offset, length, body);
        if (offset + came < row.size) return { row, offset: offset + came };
        return { row: await finish(row), offset: row.size };
      } finally {
        quota.release(row.id);
      }
    });
  }

  function take(
    caller: Caller,
    row: UploadRow,
    from: number,
    max: number,
    body: Readable,
  ): Promise<number> {
    return files.append(row, from, (file, start) =>
      writeBody(body, {
        ...{ file, from: start, max },
        extend: async (arrived) =>
          (await quota.extend(row.id, caller, arrived + from - start, row.size)) - from + start,
        timeouts: limits.timeouts,
        onBytes: (count) => metrics.received.inc(count),
      }),
    );
  }

  /** Stores the body of one request as a video. An incomplete body leaves nothing. `size` null: not announced. */
  async function uploadOnce(
    caller: Caller,
    name: string,
    size: number | null,
    body: Readable,
    id = newId(),
  ): Promise<UploadRow> {
    const max = size ?? limits.upload_limit;
    const about = { id, owner: caller.owner, name, created_at: Date.now(), video: null };
    const known = await store.service.upload(id);
    if (known !== undefined) return known;
    return lock.run(id, async () => {
      try {
        await quota.reserve(caller, size, () => quota.hold(id, caller, max));
        await files.create(id);
        const came = await take(caller, { ...about, size: max }, 0, max, body);
        if (came === 0 || (size !== null && came < size))
          throw httpProblem(
            400,
            "incomplete",
            size ? `Only ${came} of ${size} bytes arrived.` : "The body is empty.",
          );
        return await finish({ ...about, size: came });
      } catch (error) {
        await remove({ ...about, size: max });
        throw error;
      } finally {
        quota.release(id);
      }
    });
  }

  /** Probes a complete file and stores its row. ffmpeg and the allowed demuxers decide the type, not the file name. */
  async function finish(row: UploadRow, stop?: AbortSignal): Promise<UploadRow> {
    const late = AbortSignal.timeout(PROBE_MS);
    // Somebody ended ffmpeg, or this process is about to end: nothing is known of the file.
    const isInterruption = (error: unknown) => isFailure(error, "cancelled") && !late.aborted;
    try {
      const signals = [late, ...(stop === undefined ? [] : [stop])];
      const work = { store, run: "service", signal: AbortSignal.any(signals) };
      const { hash, probe } = await openVideo(await files.whole(row.id), work);
      if (probe.video === null && probe.audio.length === 0)
        throw new Failure("not-media", `${row.id} has no video or audio stream.`);
      const { duration_s, container, video } = probe;
      const [width, height] = [video?.width ?? null, video?.height ?? null];
      const complete = { ...row, video: { hash, duration_s, container, width, height } };
      await inTurn(`bytes ${hash}`, async () => {
        await files.settle(row.id, hash);
        await store.service.putUpload(complete);
      });
      await files.dropChunks(row.id).catch(() => {}); // they go with the upload
      return complete;
    } catch (error) {
      // `finishArrived` tries again.
      const isLeft = stop?.aborted || isFailure(error, "store-unreachable");
      if (!isLeft && !isInterruption(error)) await remove(row);
      if (isLeft || !isFailure(error)) throw error;
      // The caller knows the file by its own name, not by its id.
      const message = error.message.replaceAll(row.id, JSON.stringify(row.name));
      throw new Failure(error.kind, message, {}, { cause: error });
    }
  }

  /**
   * Removes an upload and, unless another upload has the same bytes, the data derived from it; unless another one of the
   * owner has them, what the owner's questions saw. The row is removed before the file: if the process is killed, no list
   * shows a video without a file, and `sweep` removes the rest. On a full disk the file is removed first, and what cannot be
   * written then is left to `sweep`.
   */
  async function remove(row: UploadRow): Promise<void> {
    const hash = row.video?.hash ?? (await files.hashOf(row.id));
    let isDropped = true;
    try {
      await dropRow(row, hash);
    } catch (error) {
      if (!isFailure(error, "disk-full") || files.shared) throw error;
      await files.remove(row.id, hash);
      if (hash !== undefined) await store.dropDerived(hash);
      isDropped = false;
    }
    try {
      if (!isDropped) await dropRow(row, hash);
      await removeFiles(row.id, hash);
    } catch (error) {
      if (!isStoreAway(error)) throw error;
      log.error({ upload: row.id, err: error }, "cannot remove all data of an upload yet");
    }
  }

  async function dropRow(row: UploadRow, hash: string | undefined): Promise<void> {
    if (hash === undefined) return store.service.dropUpload(row.id);
    // Two uploads that are removed at a time would each count the other.
    await inTurn(`bytes ${hash}`, async () => {
      await forgetSeenByOwner(store, row, hash);
      await store.service.dropUpload(row.id);
    });
  }

  async function removeFiles(id: string, hash: string | undefined): Promise<void> {
    try {
      await forgetUnused(hash);
    } catch (error) {
      if (!isStoreAway(error)) throw error;
      // On a full disk there may be space once the file is removed.
      await files.remove(id, hash);
      await forgetUnused(hash);
    }
    await files.remove(id, hash);
  }

  /** Removes what is stored for a video, unless an upload has its bytes. */
  async function forgetUnused(hash: string | undefined): Promise<void> {
    if (hash === undefined) return;
    await inTurn(`bytes ${hash}`, async () => {
      if ((await store.service.uploadsOf(hash)).length === 0) await store.forget(hash);
    });
  }

  /** Removes an upload that is not complete. Throws a 404 or 409 problem. */
  async function cancel(id: string): Promise<void> {
    await lock.runWithRow(id, async (row) => {
      if (row.video !== null)
        throw httpProblem(409, "upload-busy", "The upload is complete. Delete its video instead.");
      await remove(row);
    });
  }

  /**
   * Removes abandoned uploads, rows without a file, and files without a row that a killed process left.
   * `starting`: no request is being served yet, so that rows without a file are removed at once.
   */
  async function sweep(starting = false): Promise<void> {
    // Other processes of the store may be receiving uploads.
    const isFirst = starting && store.claims === null;
    const rows = await store.service.uploads();
    for (const row of rows) {
      if (lock.isBusy(row.id)) continue;
      const found =
        row.video !== null && files.shared ? { bytes: 0, at: null } : await files.arrived(row);
      const before = isFirst ? (found?.at ?? row.created_at) : null;
      const idle_ms = idle.of(row.id, found?.bytes ?? -1, before);
      const abandoned = row.video === null && idle_ms > limits.timeouts.abandoned_ms;
      const missing = found === null && (isFirst || row.video !== null || idle_ms > CREATING_MS);
      if (abandoned || missing)
        await lock.tryRun(row.id, async (now) => {
          // Another process may have completed or removed it.
          if (now !== undefined && (now.video === null) === (row.video === null)) await remove(now);
        });
    }
    idle.keep(new Set(rows.map(({ id }) => id)));
    const damaged = await store.damaged("uploads");
    const known = new Set([...rows.map((row) => row.id), ...damaged.map(({ key }) => key.id)]);
    await makeFolder(root);
    for (const id of await readdir(root))
      if (!known.has(id))
        await lock.tryRun(id, async (row) => {
          if (row === undefined) await removeFiles(id, await files.hashOf(id));
        });
    // Derived data of a removal that was interrupted after the file.
    for (const { path, hash } of await store.catalogue.videosBelow(root)) {
      const id = basename(path);
      if (known.has(id) || (await stat(path).catch(() => null)) !== null) continue;
      await lock.tryRun(id, async (row) => {
        if (row === undefined) await forgetUnused(hash);
      });
    }
  }

  /**
   * Finishes resumable uploads that had arrived completely when this or another process ended: their clients have no
   * further chunk to send. `stop` leaves the rest for later.
   */
  async function finishArrived(stop: AbortSignal): Promise<void> {
    for (const row of await store.service.uploads()) {
      if (stop.aborted) return;
      if (row.video !== null || lock.isBusy(row.id)) continue;
      const hasArrived = async () => (await files.arrived(row))?.bytes === row.size;
      if (!(await hasArrived())) continue;
      const work = lock.tryRun(row.id, async (now) => {
        // Another process may have completed or removed it.
        if (now?.video === null && (await hasArrived())) await finish(now, stop);
      });
      // `finish` removes a file that is not a video.
      await work.catch((error: unknown) => {
        if (!isFailure(error)) throw error;
      });
    }
  }

  return {
    begin,
    append,
    uploadOnce,
    arrived,
    cancel,
    remove,
    sweep,
    finishArrived,
    /** Whether the file of an upload exists. */
    fileExists: files.exists,
    pathOf: files.path,
    read: files.read,
    settleSubtitles: files.settleSubtitles,
  };
}

export type Uploads = ReturnType<typeof createUploads>;
