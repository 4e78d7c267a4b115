import { mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { toFailure } from "../../src/core/errors.ts";
import { hashOf } from "../../src/core/hash.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import { bestAudio } from "../../src/media/container-header.ts";
import { cutClip } from "../../src/media/cut.ts";
import { heldPicture } from "../../src/media/held-picture.ts";
import type { Medium } from "../../src/models/chat.ts";
import { temporaryPath } from "../../src/storage/temporary.ts";
import { frameTable, type Video } from "./video.ts";

export interface VideoClipSpec {
  /** Frames whose time is in [from_s, to_s). */
  from_s: number;
  to_s: number;
  /** Longest side in pixels; null: as stored. */
  max_side: number | null;
}

/**
 * Returns a range of a video as MP4 with its sound, cut at frame boundaries; made once and stored. It begins with the
 * picture on screen if the next one is not there soon. `made` identifies how it was cut and is the same on every machine.
 * Throws `Failure`: `wrong-usage` (the range is empty), `no-video`, `damaged`, `media-limit`, `cancelled`,
 * `disk-full`, `disk-unwritable`.
 */
export async function videoClip(
  video: Video,
  spec: VideoClipSpec,
  job: JobContext,
): Promise<Medium> {
  const { from_s, to_s, max_side } = spec;
  const { store, run, signal } = job;
  const { audio } = video.probe;
  const sound = bestAudio(audio);
  // Clips with the first sound keep their key, and the calls that were paid for them.
  const track = sound === undefined || sound === audio[0] ? [] : [sound.index];
  const held_s = heldPicture(await frameTable(video, job), spec);
  const held = held_s === null ? [] : ["held", held_s];
  const key = hashOf(["video clip", 2, video.hash, from_s, to_s, max_side, ...track, ...held]);
  const { value } = await store.memo.once(
    { key, tags: [video.hash], run, signal },
    async (inner) => {
      // In the store, so that the next start removes what a killed process leaves.
      const made = mkdtemp(`${temporaryPath(store.folder)}-clip-`);
      const folder = await made.catch((error: unknown) => {
        throw toFailure(error, "disk-unwritable", "cutting a clip");
      });
      try {
        const file = join(folder, "clip.mp4");
        const cut = { from_s, to_s, max_side, sound: true, held_s };
        await cutClip(video.path, video.probe, cut, file, { signal: inner });
        const bytes = await readFile(file);
        const { hash } = await store.blobs.put(video.hash, bytes, "mp4");
        return { hash, bytes: bytes.byteLength };
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  );
  const cut = { from_s, to_s };
  return { type: "video", ...value, mime: "video/mp4", made: key, cut, seconds: to_s - from_s };
}
