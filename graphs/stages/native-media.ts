import type { Role } from "../../src/core/events.ts";
import type { Medium, Part } from "../../src/models/chat.ts";
import { isUploaded } from "../../src/models/media-rules.ts";
import { spanClip, spanSound, toMilliseconds } from "../../tools/video/span-media.ts";
import type { GraphContext } from "../context.ts";
import type { Segment } from "../state.ts";
import { images } from "./call-model.ts";
import { bySegment, segmentSpan, wholeVideo } from "./frames.ts";
import { rulesFor } from "./media-target.ts";
import { wholeFile, wholeSound } from "./whole-media.ts";

/*
 * The media of a video that a model receives, as set with `recognition.media` and `recognition.audio`: frames or the
 * video itself, and its sound.
 */

/** The whole video. */
export async function wholeMedia(
  context: GraphContext,
  stage: string,
  role: Role,
): Promise<Part[]> {
  const { media, audio } = context.settings.recognition;
  return [
    ...(media === "video"
      ? [await wholeFile(context, stage, role)]
      : images(await wholeVideo(context, stage))),
    ...(audio ? [await wholeSound(context, stage, role)] : []),
  ];
}

/** One list per segment, in their order; empty for a segment of no length. */
export async function mediaBySegment(
  context: GraphContext,
  stage: string,
  role: Role,
  segments: readonly Segment[],
): Promise<Part[][]> {
  const { media, audio, max_side } = context.settings.recognition;
  const frames = media === "frames" ? await bySegment(context, stage, segments) : [];
  const whole = media === "video" ? await uploadedFile(context, stage, role) : null;
  const lists: Part[][] = [];
  for (const [place, segment] of segments.entries()) {
    const shown: Part[] = images(frames[place] ?? []);
    const span = toMilliseconds(segmentSpan(segment));
    if (span.to_s > span.from_s) {
      // A clip is cut out, so that its title card is not sent.
      if (media === "video")
        shown.push(
          whole !== null && segment.kind === "part"
            ? { ...whole, span, seconds: span.to_s - span.from_s }
            : await spanClip(context.video, span, max_side, context.job(stage)),
        );
      if (audio) shown.push(await spanSound(context.video, span, context.job(stage)));
    }
    lists.push(shown);
  }
  return lists;
}

/**
 * The video file if it is large enough to be uploaded: its parts are then given by their times instead of being cut
 * out.
 */
async function uploadedFile(
  context: GraphContext,
  stage: string,
  role: Role,
): Promise<Medium | null> {
  const { rules } = rulesFor(role, context.settings);
  if (!rules.uploads) return null;
  const file = await wholeFile(context, stage, role);
  return isUploaded(file.bytes ?? 0, rules) ? file : null;
}
