import { hashOf } from "../../src/core/hash.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import type { FrameRef } from "../../src/core/shapes.ts";
import { DECODE_VERSION, decodeEach } from "../../src/media/decode.ts";
import { parseRequest } from "../parse-request.ts";
import { chooseFrames, SampleSpec } from "./samplers.ts";
import { throttleProgress } from "./throttle-progress.ts";
import { frameTable, type Video } from "./video.ts";

export type { SampleSpec } from "./samplers.ts";

/**
 * Returns frames of a video as JPEGs in the store: sorted by time, without duplicates, upright, each with its own
 * time.
 * The same frames at the same size and quality are decoded once for all samplers.
 * `timeout_s` limits each decoding process, for a caller that can continue without the frames.
 * Throws `Failure`: `wrong-usage`, `no-video`, `damaged`, `media-limit`, `cancelled`, `disk-full`.
 */
export async function sampleFrames(
  video: Video,
  spec: SampleSpec,
  job: JobContext,
  limits: { timeout_s?: number } = {},
): Promise<FrameRef[]> {
  const asked = parseRequest(SampleSpec, spec, "frames");
  const { max_side, max_area, quality } = asked;
  const table = await frameTable(video, job);
  const times_s = chooseFrames(asked, table).map((frame) => table.pts_s[frame] ?? 0);
  const { value } = await job.store.memo.once<FrameRef[]>(
    {
      key: hashOf(["frames", DECODE_VERSION, video.hash, times_s, max_side, max_area, quality]),
      tags: [video.hash],
      run: job.run,
      signal: job.signal,
    },
    (signal) =>
      decodeEach(
        video.path,
        video.probe,
        table,
        times_s,
        {
          max_side,
          max_area,
          quality,
          ...limits,
          signal,
          progress: throttleProgress(job.progress, "frames"),
        },
        async ({ jpeg, ...frame }) => {
          const { hash } = await job.store.blobs.put(video.hash, jpeg, "jpg");
          return { hash, video: video.hash, ...frame };
        },
      ),
  );
  return value;
}
