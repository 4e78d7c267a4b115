import { resolve } from "node:path";
import { Failure, isFailure } from "../../src/core/errors.ts";
import { hashFile, hashOf } from "../../src/core/hash.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import { videoOf } from "../../src/media/frame-stream.ts";
import { type FrameTable, packFrameTable, unpackFrameTable } from "../../src/media/frame-table.ts";
import { inspect, mediaFile, PROBE_VERSION, type Probe } from "../../src/media/probe.ts";
import { readDerived, writeDerived } from "./derived-files.ts";

/** A video file, identified by the hash of its content. */
export interface Video {
  hash: string;
  path: string;
  probe: Probe;
  /** The subtitle file that whoever supplied the video named for it. */
  subtitles?: { path: string; from_s?: number };
  /** Absolute paths, without links, of the folders from which files next to the video may be read. Default: any. */
  within?: readonly string[];
}

/** Formats of recordings, whose clock begins again where two were joined. */
const RESTARTING = /^(?:mpegts|mpeg|flv|ogg)$/;

const TABLE = `frames-${PROBE_VERSION}.bin`;

/**
 * Opens a media file. Its hash is reused while path, size and modification time stay the same; its probe is stored by
 * hash.
 * A file without pictures opens too. Functions that need frames fail on it with `no-video`.
 * Throws `Failure`: `file-unreadable`, `not-media`, `damaged`, `media-limit`, `cancelled`.
 */
export async function openVideo(path: string, job: JobContext): Promise<Video> {
  const { hash, absolute } = await identify(path, job);
  let made: Probe | undefined;
  const probe = async (...more: string[]) => {
    const key = hashOf(["probe", PROBE_VERSION, hash, ...more]);
    const step = { key, tags: [hash], run: job.run, signal: job.signal };
    const { value } = await job.store.memo.once(step, async (signal) => {
      made ??= (await inspectAndKeep(absolute, hash, { ...job, signal })).probe;
      return made;
    });
    return value;
  };
  const value = await probe();
  // Kept apart, because probes of older stores do not have it: how several tracks are marked, and a note on the clock.
  const more = [
    ...(value.audio.length > 1 || value.subtitles.length > 1 ? ["marks"] : []),
    ...(RESTARTING.test(value.container) ? ["clock"] : []),
  ];
  const whole = more.length > 0 ? await probe(...more) : value;
  return { hash, path: absolute, probe: { ...whole, path: absolute } };
}

/**
 * A media file by its hash alone, for whoever does not look into it: its probe has no streams and a duration of 0.
 * Throws `Failure`: `file-unreadable`, `cancelled`.
 */
export async function closedVideo(path: string, job: JobContext): Promise<Video> {
  const { hash, absolute, size } = await identify(path, job);
  const unknown = { container: "", origin_s: 0, duration_s: 0, claimed_duration_s: null };
  const streams = { video: null, audio: [], subtitles: [], cover_art: false, notes: [] };
  return { hash, path: absolute, probe: { path: absolute, size, ...unknown, ...streams } };
}

async function identify(path: string, { store, signal }: JobContext) {
  // `resolve` would take no path for the working folder.
  const absolute = path === "" ? "" : resolve(path);
  const { size, modified_ms } = await mediaFile(absolute);
  let hash = await store.catalogue.knownVideo(absolute, size, modified_ms);
  if (hash === undefined) {
    hash = await hashFile(absolute, signal);
    await store.catalogue.putVideo({ hash, path: absolute, size, modified_ms });
  }
  return { hash, absolute, size };
}

/** Frame tables that this process has read or made, or is making. */
const tables = new WeakMap<Video, Promise<FrameTable>>();

/**
 * Returns the frame table of a video, read or made once. Throws `Failure` `no-video`, and what `openVideo` throws.
 */
export async function frameTable(video: Video, job: JobContext): Promise<FrameTable> {
  videoOf(video.probe);
  const known = tables.get(video);
  if (known !== undefined) {
    try {
      return await known;
    } catch (error) {
      // The cancellation of another caller does not apply to this one.
      if (!isFailure(error, "cancelled") || job.signal?.aborted) throw error;
    }
  }
  const made = readOrMake(video, job);
  tables.set(video, made);
  made.catch(() => {
    if (tables.get(video) === made) tables.delete(video);
  });
  return made;
}

async function readOrMake({ path, hash }: Video, job: JobContext): Promise<FrameTable> {
  const kept = await readDerived(job.store, hash, TABLE);
  if (kept !== undefined) return unpackFrameTable(kept);
  const { table } = await inspectAndKeep(path, hash, job);
  if (table !== null) return table;
  throw new Failure("no-video", `Cannot read frames of ${path}: it has no video track.`, {
    path,
  });
}

async function inspectAndKeep(path: string, hash: string, job: JobContext) {
  const inspected = await inspect(path, { signal: job.signal });
  const { table } = inspected;
  if (table !== null) await writeDerived(job.store, hash, TABLE, packFrameTable(table));
  return inspected;
}
