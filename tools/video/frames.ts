import { hashOf } from "../../src/core/hash.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import type { FrameRef } from "../../src/core/shapes.ts";
import { DECODE_VERSION, decodeEach, type Frame } from "../../src/media/decode.ts";
import { type FrameTable, frameOf } from "../../src/media/frame-table.ts";
import { parseRequest } from "../parse-request.ts";
import { createFrameBatches } from "./frame-batches.ts";
import { chooseFrames, SampleSpec } from "./samplers.ts";
import { throttleProgress } from "./throttle-progress.ts";
import { frameTable, type Video } from "./video.ts";

export type { SampleSpec } from "./samplers.ts";

/** How long frames are decoded, and who receives them. */
export interface SampleOptions {
  /** Most seconds of each decoding process, for a caller that can continue without the frames. */
  timeout_s?: number;
  /** Receives each frame once this call has decoded and stored it, in any order; frames that were stored are not passed on. */
  onFrame?: (frame: FrameRef) => void;
}

/**
 * Returns frames of a video as JPEGs in the store: sorted by time, without duplicates, upright, each with its own
 * time.
 * The same frames at the same size and quality are decoded once for all samplers.
 * Throws `Failure`: `wrong-usage`, `no-video`, `damaged`, `media-limit`, `cancelled`, `disk-full`.
 */
export function sampleFrames(
  video: Video,
  spec: SampleSpec,
  job: JobContext,
  options: SampleOptions = {},
): Promise<FrameRef[]> {
  return sampleOtherFrames([], video, spec, job, options);
}

/** As `sampleFrames`; does not decode frames of that size which were `decoded` earlier, and stores them. */
export async function sampleOtherFrames(
  decoded: readonly Frame[],
  video: Video,
  spec: SampleSpec,
  job: JobContext,
  { onFrame, ...limits }: SampleOptions = {},
): Promise<FrameRef[]> {
  const table = await frameTable(video, job);
  return storedFrames(video, table, spec, job, ({ times_s, ...size }, job) =>
    decodeInto(video, table, times_s, { ...size, ...limits }, job, onFrame, decoded),
  );
}

/**
 * The frames of several requests, as `sampleFrames` returns and stores them. Those that must be decoded are decoded
 * together, which starts fewer processes.
 */
export async function sampleEach(
  video: Video,
  specs: readonly SampleSpec[],
  job: JobContext,
): Promise<FrameRef[][]> {
  // A file without pictures has no table of frames.
  if (specs.length === 0) return [];
  const table = await frameTable(video, job);
  const decode = createFrameBatches<FrameSize>(table, (times_s, size) =>
    decodeInto(video, table, times_s, size, job),
  );
  const asked = await Promise.allSettled(
    specs.map((spec) =>
      storedFrames(
        video,
        table,
        spec,
        job,
        async ({ times_s, ...size }, job) =>
          (await decode(times_s, size)) ?? decodeInto(video, table, times_s, size, job),
      ),
    ),
  );
  return asked.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
}

type FrameSize = Pick<SampleSpec, "max_side" | "max_area" | "quality">;

async function storedFrames(
  video: Video,
  table: FrameTable,
  spec: SampleSpec,
  job: JobContext,
  decode: (wanted: FrameSize & { times_s: number[] }, job: JobContext) => Promise<FrameRef[]>,
): Promise<FrameRef[]> {
  const asked = parseRequest(SampleSpec, spec, "frames");
  const { max_side, max_area, quality } = asked;
  const times_s = chooseFrames(asked, table).map((frame) => table.pts_s[frame] ?? 0);
  const { value } = await job.store.memo.once<FrameRef[]>(
    {
      key: hashOf(["frames", DECODE_VERSION, video.hash, times_s, max_side, max_area, quality]),
      tags: [video.hash],
      run: job.run,
      signal: job.signal,
    },
    (signal) => decode({ times_s, max_side, max_area, quality }, { ...job, signal }),
  );
  return value;
}

async function decodeInto(
  video: Video,
  table: FrameTable,
  times_s: number[],
  size: FrameSize & { timeout_s?: number },
  { store, signal, progress }: JobContext,
  onFrame?: (frame: FrameRef) => void,
  decoded: readonly Frame[] = [],
): Promise<FrameRef[]> {
  const keep = async ({ jpeg, ...frame }: Frame) => {
    const { hash } = await store.blobs.put(video.hash, jpeg, "jpg");
    const stored = { hash, video: video.hash, ...frame };
    onFrame?.(stored);
    return stored;
  };
  const known = new Map(decoded.map((frame) => [frameOf(table, frame.t_s), frame]));
  const found = times_s.flatMap((t_s) => known.get(frameOf(table, t_s)) ?? []);
  const missing = times_s.filter((t_s) => !known.has(frameOf(table, t_s)));
  const options = { ...size, signal, progress: throttleProgress(progress, "frames") };
  const stored = await Promise.all(found.map(keep));
  if (missing.length === 0) return stored;
  const others = await decodeEach(video.path, video.probe, table, missing, options, keep);
  return [...stored, ...others].sort((a, b) => a.t_s - b.t_s);
}
