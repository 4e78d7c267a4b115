import type { JobContext } from "../../src/core/job-context.ts";
import type { Medium } from "../../src/models/chat.ts";
import { CLIP_KBPS, soundClip } from "../speech/sound-clip.ts";
import type { Video } from "./video.ts";
import { videoClip } from "./video-clip.ts";

/** A part of a video. Seconds. */
export interface Span {
  from_s: number;
  to_s: number;
}

/** To the millisecond, so that the last bits of a sum make no other request. */
export function toMilliseconds({ from_s, to_s }: Span): Span {
  return { from_s: Math.round(from_s * 1000) / 1000, to_s: Math.round(to_s * 1000) / 1000 };
}

/** A part of a video as a clip of at most this many pixels a side (null: as the video has it). Throws as `videoClip`. */
export function spanClip(
  video: Video,
  span: Span,
  max_side: number | null,
  job: JobContext,
): Promise<Medium> {
  return videoClip(video, { ...toMilliseconds(span), max_side }, job);
}

/** The sound of a part of a video. Throws as `soundClip`. */
export function spanSound(video: Video, span: Span, job: JobContext): Promise<Medium> {
  return soundClip(video, { ...toMilliseconds(span), kbps: CLIP_KBPS }, job);
}
