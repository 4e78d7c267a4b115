import { hashOf } from "../../src/core/hash.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import type { FrameRef } from "../../src/core/shapes.ts";
import { type Scan, timeOf } from "../../src/media/scan.ts";
import { type SampleSpec, sampleFrames } from "../video/frames.ts";
import { scanVideo } from "../video/scan.ts";
import { throttleProgress } from "../video/throttle-progress.ts";
import type { Video } from "../video/video.ts";
import { holdsText } from "./read-image.ts";
import { findScreenStates, type ScreenState } from "./screen-states.ts";

/** A picture that probably contains text, and the time spans in which it was visible, in seconds. */
export interface TextPicture {
  frame: FrameRef;
  spans: { start_s: number; end_s: number }[];
}

export interface TextPictureSpec {
  /** Most pictures. The ones visible longest are used. */
  most: number;
  max_side: number | null;
  max_area: number | null;
  quality: number;
}

/** Raise when the same video would give other pictures. */
const VERSION = 1;

/**
 * Returns the distinct pictures of a video that have rows of marks, as text has, in order of time. Nothing is
 * recognised: the pictures are for a model that reads text. The result is stored by the video's content and the spec.
 * Throws `Failure`: `no-video`, `damaged`, `media-limit`, `ocr`, `cancelled`, `disk-full`.
 */
export async function textPictures(
  video: Video,
  spec: TextPictureSpec,
  job: JobContext,
): Promise<TextPicture[]> {
  const { value } = await job.store.memo.once<TextPicture[]>(
    {
      key: hashOf(["text pictures", VERSION, video.hash, spec]),
      tags: [video.hash],
      run: job.run,
      signal: job.signal,
    },
    (signal) => findPictures(video, spec, { ...job, signal }),
  );
  return value;
}

async function findPictures(
  video: Video,
  { most, ...size }: TextPictureSpec,
  job: JobContext,
): Promise<TextPicture[]> {
  const scan = await scanVideo(video, job);
  const pictures = distinctPictures(scan, findScreenStates(scan));
  const progress = throttleProgress(job.progress, "pictures checked");
  const found: TextPicture[] = [];
  for (const [index, { read_s, spans }] of pictures.entries()) {
    if (found.length >= most) break;
    const quiet = { ...job, progress: undefined };
    const spec = { sampler: "times", times_s: [read_s], ...size } satisfies SampleSpec;
    const [frame] = await sampleFrames(video, spec, quiet);
    if (frame !== undefined && (await holdsText(await job.store.blobs.read(frame.hash))))
      found.push({ frame, spans });
    progress(index + 1, pictures.length);
  }
  return found.sort((a, b) => a.frame.t_s - b.frame.t_s);
}

/** A picture of a video that differs from the others. Times are in seconds. */
export interface DistinctPicture {
  /** Index of its first state. */
  state: number;
  /** The time at which to read it. */
  read_s: number;
  spans: TextPicture["spans"];
}

/**
 * The still pictures of a video and a few moments of moving ones. Pictures that look the same are one; the ones visible
 * longest come first.
 */
export function distinctPictures(scan: Scan, states: readonly ScreenState[]): DistinctPicture[] {
  const first = (index: number): number => {
    const { same } = states[index] ?? {};
    return same === undefined ? index : first(same);
  };
  const pictures = new Map<number, DistinctPicture & { visible_s: number }>();
  for (const [index, { read, from, to }] of states.entries()) {
    const span = { start_s: timeOf(scan, from), end_s: timeOf(scan, to + 1) };
    const state = first(index);
    const picture = pictures.get(state) ?? {
      state,
      read_s: timeOf(scan, read),
      spans: [],
      visible_s: 0,
    };
    picture.spans.push(span);
    picture.visible_s += span.end_s - span.start_s;
    pictures.set(state, picture);
  }
  return [...pictures.values()].sort((a, b) => b.visible_s - a.visible_s || a.read_s - b.read_s);
}
