import { Failure } from "../../src/core/errors.ts";
import { hashOf } from "../../src/core/hash.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import { bestAudio } from "../../src/media/container-header.ts";
import { MP3_KBPS, readMp3 } from "../../src/media/read-sound.ts";
import { soundCut } from "../../src/media/sound-input.ts";
import type { Medium } from "../../src/models/chat.ts";
import type { MediaRules } from "../../src/models/media-rules.ts";
import { encoded } from "../../src/models/media-support.ts";
import type { Video } from "../video/video.ts";

/** Bit rate for uploaded sound, whose size matters little. */
const USUAL_KBPS = 32;

/** Bit rate for the sound of a clip, which is short. */
export const CLIP_KBPS = 64;

/**
 * Returns the highest bit rate, in kbit/s, at which sound of this duration can be sent as MP3; null if the lowest is
 * too large.
 */
export function highestKbps(
  seconds: number,
  { request, largest, uploads }: Pick<MediaRules, "request" | "largest" | "uploads">,
): number | null {
  const bytes = (kbps: number) => Math.ceil((seconds * kbps * 1000) / 8);
  const inside = request ?? largest.audio;
  const fits = MP3_KBPS.find((kbps) => encoded(bytes(kbps)) <= inside - ROOM_FOR_WORDS);
  if (fits !== undefined) return fits;
  return uploads && bytes(USUAL_KBPS) <= largest.audio ? USUAL_KBPS : null;
}

/** Bytes of a request that are reserved for text and pictures. */
const ROOM_FOR_WORDS = 2 ** 20;

/**
 * Returns the sound of a range of a video as MP3, made once and stored. Seconds count from the start of the container.
 * Throws `Failure`: `no-audio`, `damaged`, `media-limit`, `cancelled`, `disk-full`.
 */
export async function soundClip(
  { hash: video, path, probe }: Video,
  { from_s, to_s, kbps }: { from_s: number; to_s: number; kbps: number },
  { store, run, signal }: JobContext,
): Promise<Medium> {
  const stream = bestAudio(probe.audio)?.index;
  if (stream === undefined)
    throw new Failure("no-audio", `${path} has no sound: leave out \`--audio\`.`, { path });
  const cut = soundCut(probe, stream);
  const key = hashOf(["sound clip", 1, video, from_s, to_s, kbps, ...cut]);
  const { value } = await store.memo.once({ key, tags: [video], run, signal }, async (inner) => {
    const mp3 = await readMp3(path, probe, { stream, from_s, to_s, kbps, signal: inner });
    const { hash } = await store.blobs.put(video, mp3, "mp3");
    return { hash, bytes: mp3.byteLength };
  });
  return { type: "audio", ...value, mime: "audio/mpeg", made: key, seconds: to_s - from_s };
}
