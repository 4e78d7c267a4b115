import { z } from "zod";
import { hashOf } from "../../src/core/hash.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import type { Box, FrameRef } from "../../src/core/shapes.ts";
import { DECODE_VERSION, decodeFrames } from "../../src/media/decode.ts";
import { videoOf } from "../../src/media/frame-stream.ts";
import { frameAt } from "../../src/media/frame-table.ts";
import { parseRequest } from "../parse-request.ts";
import { BoxInput, placeBox } from "./box.ts";
import { frameTable, type Video } from "./video.ts";
import { withinVideo } from "./view-frames.ts";

/** Which part of which frame is enlarged. */
export const ZoomSpec = z.strictObject({
  at_s: z.number().min(0),
  box: BoxInput,
  /** Longest side of the picture in pixels. */
  max_side: z.int().min(64).max(4096).default(1024),
  /** JPEG quality. */
  quality: z.int().min(1).max(100).default(92),
});
export type ZoomSpec = z.input<typeof ZoomSpec>;

/** An enlarged part of a frame. */
export interface ZoomResult {
  /** The cropped area; `t_s` is the time of the frame. */
  frame: FrameRef;
  /** The time of the frame, in seconds. */
  at_s: number;
  /** The area shown, in pixels of the upright frame. */
  box: Box;
  /** Pixels of the picture per pixel of the video. */
  scale: number;
  /** A sentence for the caller if the box was cut to the frame; else null. */
  note: string | null;
}

/** Greater enlargement shows no more detail. */
const MOST_ENLARGED = 4;

/**
 * Returns an area of the frame on screen at a time, at the stored resolution: downscaled only above `max_side`,
 * enlarged up to four times below it. The result is stored by content.
 * Throws `Failure`: `wrong-usage` (a time after the end, a box outside the frame), `no-video`, `damaged`,
 * `media-limit`, `cancelled`, `disk-full`.
 */
export async function zoomCrop(video: Video, spec: ZoomSpec, job: JobContext): Promise<ZoomResult> {
  const { at_s, box: given, max_side, quality } = parseRequest(ZoomSpec, spec, "a zoom");
  const { width, height } = videoOf(video.probe);
  const { box: crop, note } = placeBox(given, { width, height });
  const table = await frameTable(video, job);
  withinVideo(table, at_s);
  const t_s = table.pts_s[frameAt(table, at_s)] ?? 0;
  const { value: frame } = await job.store.memo.once<FrameRef>(
    {
      key: hashOf(["zoom", DECODE_VERSION, video.hash, t_s, crop, max_side, quality]),
      tags: [video.hash],
      run: job.run,
      signal: job.signal,
    },
    async (signal) => {
      const options = { max_side, max_area: null, quality, crop, enlarge: MOST_ENLARGED, signal };
      const [found] = await decodeFrames(video.path, video.probe, table, [t_s], options);
      // `decodeFrames` throws if nothing can be decoded.
      const { jpeg, ...part } = found as NonNullable<typeof found>;
      const { hash } = await job.store.blobs.put(video.hash, jpeg, "jpg");
      return { hash, video: video.hash, ...part };
    },
  );
  return { frame, at_s: frame.t_s, box: crop, scale: frame.width / crop.width, note };
}
