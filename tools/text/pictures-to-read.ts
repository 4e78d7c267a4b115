import type { JobContext } from "../../src/core/job-context.ts";
import type { FrameRef } from "../../src/core/shapes.ts";
import type { Frame } from "../../src/media/decode.ts";
import { type Scan, timeOf } from "../../src/media/scan.ts";
import { type SampleSpec, sampleOtherFrames } from "../video/frames.ts";
import { scanVideo } from "../video/scan.ts";
import { frameTable, type Video } from "../video/video.ts";
import {
  findScreenStates,
  KNOWN_S,
  likelyMoments,
  moves,
  type ScreenState,
} from "./screen-states.ts";

/** Number of frames that are decoded before they are read. */
const BATCH = 48;
const QUALITY = 92;
/** Most pictures that are made while the video is scanned, before it is known whether they are read. They are in memory. */
const EARLY = 32;

/** The states of a video's picture, and the frames to read them in. */
export interface PicturesToRead {
  scan: Scan;
  states: readonly ScreenState[];
  /** The frames of the states, in batches. The next batch is decoded when it is asked for. */
  batches(): AsyncGenerator<Batch>;
}

/** Frames that are decoded together. */
export interface Batch {
  /** Index of the first state. */
  first: number;
  /** Each settles when its frame is decoded, in any order; undefined if none could be decoded. */
  frames: Promise<FrameRef | undefined>[];
}

/** The states of videos that are in use: they are needed again to find out the script of their text. */
const statesOf = new WeakMap<Video, readonly ScreenState[]>();

/**
 * Finds the pictures in which the text of a video is read. `max_side` is in pixels. Frames are stored, so that a second
 * use decodes nothing. `onMoment` receives frames of a moving film, which will probably be read, while the film is still
 * scanned. Throws `Failure`: `no-video`, `damaged`, `media-limit`, `cancelled`, `disk-full`.
 */
export async function picturesToRead(
  video: Video,
  max_side: number | null,
  job: JobContext,
  onMoment?: (frame: Promise<FrameRef | undefined>, scan: Scan) => void,
): Promise<PicturesToRead> {
  const table = await frameTable(video, job);
  const size = { max_side, max_area: null, quality: QUALITY };
  const decoded: Frame[] = [];
  let unknown: Frame[] = [];
  const onPicture = (frame: Frame, soFar: Scan) => {
    decoded.push(frame);
    unknown.push(frame);
    const moving = onMoment === undefined ? undefined : moves(soFar);
    if (moving === undefined) return;
    if (moving)
      for (const moment of unknown) {
        const [stored] = framesAt(video, [moment.t_s], { size, decoded: [moment] }, job);
        if (stored !== undefined) onMoment?.(stored, soFar);
      }
    unknown = [];
  };
  const frames = likelyMoments(table.pts_s, EARLY);
  const scan = await scanVideo(video, job, {
    pictures: { table, frames, size, after_s: KNOWN_S, onPicture },
  });
  const states = statesOf.get(video) ?? findScreenStates(scan, table.keys_s);
  statesOf.set(video, states);
  async function* batches() {
    for (let first = 0; first < states.length; first += BATCH) {
      const times_s = states.slice(first, first + BATCH).map((state) => timeOf(scan, state.read));
      const frames = framesAt(video, times_s, { size, decoded }, job);
      yield { first, frames };
      await Promise.allSettled(frames);
    }
  }
  return { scan, states, batches };
}

type PictureSize = Pick<SampleSpec, "max_side" | "max_area" | "quality">;

/** Times of frames that differ by less are those of one frame, in seconds. */
const SAME_S = 0.0006;

/** The frame at each of the times, which must be times of frames. */
function framesAt(
  video: Video,
  times_s: number[],
  { size, decoded }: { size: PictureSize; decoded: readonly Frame[] },
  job: JobContext,
): Promise<FrameRef | undefined>[] {
  const waiting = times_s.map((t_s) => {
    const decoded = Promise.withResolvers<FrameRef | undefined>();
    return { t_s, ...decoded };
  });
  const onFrame = (frame: FrameRef) => {
    for (const { t_s, resolve } of waiting) if (Math.abs(frame.t_s - t_s) < SAME_S) resolve(frame);
  };
  const nearest = (frames: readonly FrameRef[], t_s: number) =>
    frames.reduce<FrameRef | undefined>(
      (best, frame) =>
        best === undefined || Math.abs(frame.t_s - t_s) < Math.abs(best.t_s - t_s) ? frame : best,
      undefined,
    );
  sampleOtherFrames(
    decoded,
    video,
    { sampler: "times", times_s, ...size },
    { ...job, progress: undefined },
    { onFrame },
  ).then(
    (frames) => {
      for (const { t_s, resolve } of waiting) resolve(nearest(frames, t_s));
    },
    (error: unknown) => {
      for (const { reject } of waiting) reject(error);
    },
  );
  return waiting.map(({ promise }) => promise);
}
