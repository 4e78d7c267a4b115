import { z } from "zod";
import { hashOf } from "../../src/core/hash.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import type { Box, FrameRef } from "../../src/core/shapes.ts";
import { DECODE_VERSION, decodeFrames } from "../../src/media/decode.ts";
import { videoOf } from "../../src/media/frame-stream.ts";
import { frameAt } from "../../src/media/frame-table.ts";
import { checked } from "../read-request.ts";
import { BoxInput, placeBox } from "./box.ts";
import { frameTable, type Video } from "./video.ts";
import { withinVideo } from "./view-frames.ts";

export const ZoomSpec = z.strictObject({
  at_s: z.number().min(0),
  box: BoxInput,
  /** Longest side of the picture in pixels. */
  max_side: z.int().min(64).max(4096).default(1024),
  /** JPEG quality. */
  quality: z.int().min(1).max(100).default(92),
});
export type ZoomSpec = z.input<typeof ZoomSpec>;

export interface Zoomed {
  /** The part alone; `t_s` is the frame's own time. */
  frame: FrameRef;
  /** The frame's own time. */
  at_s: number;
  /** The part shown, pixels of the upright frame. */
  box: Box;
  /** Pixels of the picture for one of the video's. */
  scale: number;
  /** One sentence where another part is shown than was asked for; else null. */
  said: string | null;
}

/** Enlarged more than this, a part shows no more. */
const MOST_ENLARGED = 4;

/**
 * A part of the frame on screen at a time, at the resolution that the video stores: made smaller only above `max_side`,
 * and enlarged up to four times below it. Kept by content.
 * Throws `Failure`: `wrong-usage` (a time after the end, a box outside the frame), `no-video`, `damaged`,
 * `media-limit`, `cancelled`, `disk-full`.
 */
export async function zoomCrop(video: Video, spec: ZoomSpec, job: JobContext): Promise<Zoomed> {
  const { at_s, box: given, max_side, quality } = checked(ZoomSpec, spec, "a zoom");
  const { width, height } = videoOf(video.probe);
  const { box: crop, said } = placeBox(given, { width, height });
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
      // `decodeFrames` throws where nothing can be decoded.
      const { jpeg, ...part } = found as NonNullable<typeof found>;
      const { hash } = await job.store.blobs.put(video.hash, jpeg, "jpg");
      return { hash, video: video.hash, ...part };
    },
  );
  return { frame, at_s: frame.t_s, box: crop, scale: frame.width / crop.width, said };
}
