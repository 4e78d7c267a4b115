import { randomBytes } from "node:crypto";
import { open, readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Readable } from "node:stream";
import { openVideo } from "../../../tools/video/video.ts";
import type { Store, UploadRow } from "../../core/contracts.ts";
import { Failure, isFailure, toFailure } from "../../core/errors.ts";
import { makeFolder } from "../../storage/make-folder.ts";
import type { Caller } from "./admission.ts";
import { createIdleTimes } from "./idle-times.ts";
import type { Metrics } from "./metrics.ts";
import type { ServiceOptions } from "./options.ts";
import { notFound, refuse } from "./problems.ts";
import type { Quota } from "./quota.ts";
import type { Span } from "./ranges.ts";
import { receive } from "./receive.ts";

/** The row of an announced upload is written before its file is. */
const MAKING_MS = 60_000;
/** Reading the packets of the largest file. */
const PROBE_MS = 600_000;

/** Random names in the alphabet of URLs, 144 bits. */
export function newId(): string {
  return randomBytes(18).toString("base64url");
}

/** Where the file of an upload lies, below the data folder. */
export function uploadFolder(data: string): string {
  return join(data, "uploads");
}

/**
 * Files of the service: `uploads/ID/ID` in the data folder, the only place that a request's bytes are written to.
 * How much of one has arrived is what its file holds, so that a part is neither lost nor counted twice by any end.
 *
 * Only an upload that can be continued has a row before it is whole. One that comes in a single request has none: a
 * process that is killed leaves a folder without a row, which the next start removes.
 */
export function createUploads(
  store: Store,
  limits: Pick<ServiceOptions, "upload_limit" | "patience">,
  quota: Quota,
  metrics: Metrics,
) {
  const root = uploadFolder(store.folder);
  const folderOf = (id: string) => join(root, id);
  const fileOf = (id: string) => join(root, id, id);
  /** Uploads that a request is writing to or removing. */
  const busy = new Set<string>();
  const idle = createIdleTimes();

  /** Announces an upload in parts, of `size` bytes. */
  async function begin(caller: Caller, name: string, size: number): Promise<UploadRow> {
    const id = newId();
    const row = { id, owner: caller.owner, name, size, created_at: Date.now(), video: null };
    await quota.admit(caller, size, () => store.service.putUpload(row));
    try {
      await makeFile(id);
    } catch (error) {
      await store.service.dropUpload(id);
      throw toFailure(error, "file-unreadable", "beginning an upload");
    }
    return row;
  }

  async function makeFile(id: string): Promise<void> {
    await makeFolder(folderOf(id));
    await (await open(fileOf(id), "wx")).close();
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
    caller: Caller,
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
          `The next part starts at byte ${offset} of ${row.size}; the request has bytes ${span.first}-${span.last} of ${span.size}.`,
          { offset },
        );
      const length = span.last - span.first + 1;
      if (announced !== null && announced !== length)
        throw refuse(
          400,
          "wrong-range",
          `Content-Range names ${length} bytes, but Content-Length is ${announced}.`,
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
    most: number,
    body: Readable,
  ): Promise<number> {
    return receive(body, {
      file: fileOf(row.id),
      from,
      most,
      extend: (arrived) => quota.extend(row.id, caller, arrived, row.size),
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
    const id = newId();
    const most = size ?? limits.upload_limit;
    const about = { id, owner: caller.owner, name, created_at: Date.now(), video: null };
    return alone(id, async () => {
      try {
        await quota.admit(caller, size, () => quota.hold(id, caller, most));
        await makeFile(id);
        const came = await take(caller, { ...about, size: most }, 0, most, body);
        if (came === 0 || (size !== null && came < size))
          throw refuse(400, "incomplete", `Only ${came} of ${size ?? "some"} bytes arrived.`);
        return await finish({ ...about, size: came });
      } catch (error) {
        await remove({ ...about, size: most });
        throw error;
      } finally {
        quota.release(id);
      }
    });
  }

  /** The type is told by what ffmpeg finds in the file, with the demuxers that are allowed; its name says nothing. */
  async function finish(row: UploadRow, stop?: AbortSignal): Promise<UploadRow> {
    try {
      const signals = [AbortSignal.timeout(PROBE_MS), ...(stop === undefined ? [] : [stop])];
      const work = { store, run: "service", signal: AbortSignal.any(signals) };
      const { hash, probe } = await openVideo(fileOf(row.id), work);
      if (probe.video === null && probe.audio.length === 0)
        throw new Failure("not-media", `${row.id} has neither pictures nor sound.`);
      const { duration_s, container, video } = probe;
      const [width, height] = [video?.width ?? null, video?.height ?? null];
      const kept = { ...row, video: { hash, duration_s, container, width, height } };
      await store.service.putUpload(kept);
      return kept;
    } catch (error) {
      if (stop?.aborted) throw error;
      await remove(row);
      if (!isFailure(error)) throw error;
      // The file's name on disk is ours; a person knows it by another.
      const message = error.message.replaceAll(row.id, JSON.stringify(row.name));
      throw new Failure(error.kind, message, {}, { cause: error });
    }
  }

  /**
   * Removes an upload with all that was derived, unless another upload has the same bytes. The row goes first: whenever
   * the process is killed, no list shows a video whose file is gone, and `sweep` finds the rest by the file.
   */
  async function remove(row: UploadRow): Promise<void> {
    const hash = row.video?.hash ?? (await knownHash(row.id));
    try {
      await store.service.dropUpload(row.id);
    } catch (error) {
      if (!isFailure(error, "disk-full")) throw error;
      // A full disk has no room for the change of a row until the file is gone.
      await rm(folderOf(row.id), { recursive: true, force: true });
      await store.service.dropUpload(row.id);
    }
    await removeFiles(row.id, hash);
  }

  async function removeFiles(id: string, hash: string | undefined): Promise<void> {
    if (hash !== undefined && (await store.service.uploadsOf(hash)).length === 0)
      await store.forget(hash);
    await rm(folderOf(id), { recursive: true, force: true });
  }

  async function knownHash(id: string): Promise<string | undefined> {
    const file = await stat(fileOf(id)).catch(() => null);
    return file === null
      ? undefined
      : store.catalogue.knownVideo(fileOf(id), file.size, Math.trunc(file.mtimeMs));
  }

  /**
   * Removes uploads without progress, rows without their file, and what a killed process left without a row.
   * `starting`: nothing is being made yet, so that nothing has to be waited for.
   */
  async function sweep(starting = false): Promise<void> {
    const rows = await store.service.uploads();
    for (const row of rows) {
      if (busy.has(row.id)) continue;
      const file = await stat(fileOf(row.id)).catch(() => null);
      const before = starting ? (file?.mtimeMs ?? row.created_at) : null;
      const idle_ms = idle.of(row.id, file?.size ?? -1, before);
      const left = row.video === null && idle_ms > limits.patience.abandoned_ms;
      const gone = file === null && (starting || row.video !== null || idle_ms > MAKING_MS);
      if (left || gone) await alone(row.id, () => remove(row));
    }
    idle.keep(new Set(rows.map(({ id }) => id)));
    const damaged = await store.damaged("service");
    const known = new Set([
      ...rows.map((row) => row.id),
      ...damaged.filter(({ table }) => table === "uploads").map(({ key }) => key.id),
    ]);
    await makeFolder(root);
    for (const id of await readdir(root))
      if (!known.has(id) && !busy.has(id) && (await store.service.upload(id)) === undefined)
        await removeFiles(id, await knownHash(id));
    // A deletion that was cut short after its file.
    for (const { path, hash } of await store.catalogue.videosBelow(root)) {
      const id = basename(path);
      if (busy.has(id) || known.has(id) || (await store.service.uploadsOf(hash)).length > 0)
        continue;
      if ((await stat(path).catch(() => null)) === null) await store.forget(hash);
    }
  }

  /**
   * Makes videos of the uploads in parts that had arrived whole when the process ended: no part is left by which their
   * clients could continue them. `stop` leaves the rest for the next start.
   */
  async function finishArrived(stop: AbortSignal): Promise<void> {
    for (const row of await store.service.uploads()) {
      if (stop.aborted) return;
      if (row.video !== null || busy.has(row.id)) continue;
      const file = await stat(fileOf(row.id)).catch(() => null);
      if (file?.size !== row.size) continue;
      // A file that is no video is removed, as at the end of an upload.
      await alone(row.id, () => finish(row, stop)).catch((error: unknown) => {
        if (!isFailure(error)) throw error;
      });
    }
  }

  /** Whether the file of a video is there. */
  async function isThere(row: UploadRow): Promise<boolean> {
    return (await stat(fileOf(row.id)).catch(() => null)) !== null;
  }

  return {
    begin,
    append,
    whole,
    arrived,
    remove,
    sweep,
    finishArrived,
    isThere,
    pathOf: (row: UploadRow) => fileOf(row.id),
    isBusy: (id: string) => busy.has(id),
  };
}

export type Uploads = ReturnType<typeof createUploads>;
