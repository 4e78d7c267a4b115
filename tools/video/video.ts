import { resolve } from "node:path";
import { hashFile, hashOf } from "../../src/core/hash.ts";
import type { Work } from "../../src/core/job-context.ts";
import { videoOf } from "../../src/media/frame-stream.ts";
import { type FrameTable, packFrameTable, unpackFrameTable } from "../../src/media/frame-table.ts";
import { inspect, mediaFile, PROBE_VERSION, type Probe } from "../../src/media/probe.ts";
import { readDerived, writeDerived } from "./derived.ts";

/** A file whose content is known by its hash. */
export interface Video {
  hash: string;
  path: string;
  probe: Probe;
}

const TABLE = `frames-${PROBE_VERSION}.bin`;

/**
 * Opens a media file: its hash (kept as long as path, size and time stay the same) and its probe (kept by hash).
 * A file without pictures opens too; what needs frames fails on it with `no-video`.
 * Throws `Failure`: `file-unreadable`, `not-media`, `damaged`, `media-limit`, `cancelled`.
 */
export async function openVideo(path: string, work: Work): Promise<Video> {
  const absolute = resolve(path);
  const { catalogue, memo } = work.store;
  const { size, modified_ms } = await mediaFile(absolute);
  let hash = await catalogue.knownVideo(absolute, size, modified_ms);
  if (hash === undefined) {
    hash = await hashFile(absolute, work.signal);
    await catalogue.putVideo({ hash, path: absolute, size, modified_ms });
  }
  const { value } = await memo.once(
    {
      key: hashOf(["probe", PROBE_VERSION, hash]),
      tags: [hash],
      run: work.run,
      signal: work.signal,
    },
    (signal) => inspectAndKeep(absolute, hash, { ...work, signal }),
  );
  return { hash, path: absolute, probe: { ...value, path: absolute } };
}

/** The frame table of a video, or `Failure` `no-video`. */
export async function frameTable(video: Video, work: Work): Promise<FrameTable> {
  videoOf(video.probe);
  const kept = await readDerived(work, video.hash, TABLE);
  if (kept !== undefined) return unpackFrameTable(kept);
  await inspectAndKeep(video.path, video.hash, work);
  return unpackFrameTable((await readDerived(work, video.hash, TABLE)) ?? new Uint8Array());
}

async function inspectAndKeep(path: string, hash: string, work: Work): Promise<Probe> {
  const { probe, table } = await inspect(path, { signal: work.signal });
  if (table !== null) await writeDerived(work, hash, TABLE, packFrameTable(table));
  return probe;
}
