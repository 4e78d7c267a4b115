import type { JobContext } from "../../src/core/job-context.ts";
import type { FrameRef } from "../../src/core/shapes.ts";
import { type Scan, timeOf } from "../../src/media/scan.ts";
import { sampleFrames } from "../video/frames.ts";
import { scanVideo } from "../video/scan.ts";
import { frameTable, type Video } from "../video/video.ts";
import { findScreenStates, type ScreenState } from "./screen-states.ts";

/** Number of frames that are decoded before they are read. */
const BATCH = 48;
const QUALITY = 92;

/** The states of a video's picture, and the frames to read them in. */
export interface PicturesToRead {
  scan: Scan;
  states: readonly ScreenState[];
  /** The frame of each state, in batches; undefined where none could be decoded. */
  batches(): AsyncGenerator<{ first: number; frames: (FrameRef | undefined)[] }>;
}

/**
 * Finds the pictures in which the text of a video is read. `max_side` is in pixels. Frames are stored, so that a second
 * use decodes nothing. Throws `Failure`: `no-video`, `damaged`, `media-limit`, `cancelled`, `disk-full`.
 */
export async function picturesToRead(
  video: Video,
  max_side: number | null,
  job: JobContext,
): Promise<PicturesToRead> {
  const scan = await scanVideo(video, job);
  const { keys_s } = await frameTable(video, job);
  const states = findScreenStates(scan, keys_s);
  async function* batches() {
    for (let first = 0; first < states.length; first += BATCH) {
      const times_s = states.slice(first, first + BATCH).map((state) => timeOf(scan, state.read));
      yield { first, frames: await framesAt(video, times_s, max_side, job) };
    }
  }
  return { scan, states, batches };
}

/** Returns the frame at each of the times, which must be times of frames. */
async function framesAt(
  video: Video,
  times_s: number[],
  max_side: number | null,
  job: JobContext,
): Promise<(FrameRef | undefined)[]> {
  const frames = await sampleFrames(
    video,
    { sampler: "times", times_s, max_side, max_area: null, quality: QUALITY },
    { ...job, progress: undefined },
  );
  return times_s.map((t_s) =>
    frames.reduce<FrameRef | undefined>(
      (best, frame) =>
        best === undefined || Math.abs(frame.t_s - t_s) < Math.abs(best.t_s - t_s) ? frame : best,
      undefined,
    ),
  );
}
