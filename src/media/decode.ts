import { availableParallelism } from "node:os";
import type { Box } from "../core/shapes.ts";
import { type DecodeRun, planRuns, selectExpression } from "./decode-plan.ts";
import { type FrameStream, noFrame, streamFrames, videoOf } from "./frame-stream.ts";
import { type FrameTable, frameAt, frameOf } from "./frame-table.ts";
import type { Probe, VideoStream } from "./probe.ts";

export interface Frame {
  /** The frame's own time in seconds. */
  t_s: number;
  width: number;
  height: number;
  jpeg: Uint8Array;
}

export interface DecodeOptions {
  /** Longest side and area of a frame in pixels; null: no limit. */
  max_side: number | null;
  max_area: number | null;
  /** Area to keep, in whole pixels of the upright frame and within it. Default: the whole frame. */
  crop?: Box;
  /** Largest factor by which frames smaller than `max_side` are enlarged. Default 1: never. */
  enlarge?: number;
  /** JPEG quality on libjpeg's scale, 1 to 100; mapped to the nearest step of ffmpeg's encoder. */
  quality: number;
  /** Most seconds of each process. Default: 10 minutes plus four times the video's duration. */
  timeout_s?: number;
  signal?: AbortSignal;
  progress?: (done: number, total: number) => void;
}

/** Increase it whenever the same request would return other bytes. */
export const DECODE_VERSION = 1;

/** Most runs that one process decodes, each with its own decoder. */
const RUNS_AT_ONCE = 8;
/** Frames that decode in the time in which a decoder opens the file. */
const RUN_FRAMES = 8;
/** Frames of a process from which it is long: their number may differ from what the processes take. */
const LONG_FRAMES = 1000;
/** Most pixels of the frames that the decoders of one process decode at a time, each of which holds several frames. */
const PIXELS_AT_ONCE = 4 * 1920 * 1080;
/** Most packets in the indexes of one process: each of its decoders reads that of the file, some 40 bytes per packet. */
const INDEXED_AT_ONCE = 2_000_000;
/** Packets of a second of sound, of the usual codecs. */
const SOUND_PACKETS = 50;

/** Codecs whose decoders can skip frames that no other frame references, without changing the others. */
const SKIPPING = new Set(["h264", "hevc"]);

/**
 * Returns the frames on screen at the given times: each is the last that has begun by then, or the first of the video.
 * Frames are upright, with their own times, sorted and unique. Few frames are decoded by seeking to their key frames,
 * many by decoding through; the pixels equal those of a full decode. If a frame cannot be decoded, the one before it is
 * returned.
 * Throws `Failure`: `no-video`, `damaged` (nothing could be decoded), `media-limit`, `cancelled`.
 */
export async function decodeFrames(
  path: string,
  probe: Probe,
  table: FrameTable,
  times_s: number[],
  opts: DecodeOptions,
): Promise<Frame[]> {
  return decodeEach(path, probe, table, times_s, opts, (frame) => frame);
}

/**
 * As `decodeFrames`, but passes each frame to `keep` once it is decoded and returns the results. Decoding waits for
 * `keep`, so that each process has at most one frame in memory. `keep` may receive a frame twice in a damaged video.
 */
export async function decodeEach<T>(
  path: string,
  probe: Probe,
  table: FrameTable,
  times_s: number[],
  opts: DecodeOptions,
  keep: (frame: Frame) => T | Promise<T>,
): Promise<T[]> {
  const wanted = framesAt(table, times_s);
  const found = await decodeAll(path, probe, table, wanted, opts, keep);
  if (wanted.every((frame) => found.has(frame))) return inOrder(found);
  const decodable = await decodableTable(path, probe, table, opts);
  const again = await decodeAll(path, probe, decodable, framesAt(decodable, times_s), opts, keep);
  if (again.size === 0) throw noFrame(probe, "");
  return inOrder(again);
}

function framesAt(table: FrameTable, times_s: number[]): number[] {
  return [...new Set(times_s.map((t_s) => frameAt(table, t_s)))].sort((a, b) => a - b);
}

/** Sorted by index in the frame table, which is in the order of time. */
function inOrder<T>(found: Map<number, T>): T[] {
  return [...found].sort(([a], [b]) => a - b).map(([, made]) => made);
}

async function decodeAll<T>(
  path: string,
  probe: Probe,
  table: FrameTable,
  wanted: number[],
  opts: DecodeOptions,
  keep: (frame: Frame) => T | Promise<T>,
): Promise<Map<number, T>> {
  const found = new Map<number, T>();
  const cores = availableParallelism();
  const runs = planRuns(table, wanted, cores);
  const threads = Math.max(1, Math.floor(cores / Math.max(1, runs.length)));
  const failed = new AbortController();
  const signal =
    opts.signal === undefined ? failed.signal : AbortSignal.any([opts.signal, failed.signal]);
  const take = async (frame: number, decoded: Frame) => {
    found.set(frame, await keep(decoded));
    opts.progress?.(found.size, wanted.length);
  };
  const decode = (batch: DecodeRun[]) =>
    decodeRuns(path, probe, table, batch, threads, { ...opts, signal }, take);
  try {
    await Promise.all(
      batched(runs, cores, decodersAtOnce(probe, table)).map(async (batch) => {
        await decode(batch);
        const again = batch
          .filter((run) => run.referencesOnly)
          .map((run) => ({ ...run, frames: run.frames.filter((frame) => !found.has(frame)) }))
          .filter((run) => run.frames.length > 0);
        if (again.length > 0) await decode(again.map((run) => ({ ...run, referencesOnly: false })));
      }),
    );
  } finally {
    failed.abort();
  }
  return found;
}

/** Most decoders of one process, so that neither their pictures nor their copies of a long file's index fill the memory. */
export function decodersAtOnce(probe: Probe, table: Pick<FrameTable, "pts_s">): number {
  const { width, height } = videoOf(probe);
  const packets = table.pts_s.length + probe.audio.length * probe.duration_s * SOUND_PACKETS;
  const fitting = Math.min(PIXELS_AT_ONCE / (width * height), INDEXED_AT_ONCE / packets);
  return Math.max(1, Math.min(RUNS_AT_ONCE, Math.floor(fitting)));
}

/**
 * Runs share processes, because starting one costs as much as decoding about twenty frames. Every core gets one, or two
 * of long ones, with about the same number of frames and at most `most` runs.
 */
function batched(runs: DecodeRun[], cores: number, most: number): DecodeRun[][] {
  const total = runs.reduce((sum, run) => sum + run.length + RUN_FRAMES, 0);
  const share = Math.max(Math.min(LONG_FRAMES, total / cores), total / (2 * cores));
  const batches: DecodeRun[][] = [];
  let frames = Number.POSITIVE_INFINITY;
  for (const run of runs) {
    const cost = run.length + RUN_FRAMES;
    const last = batches.at(-1);
    if (last === undefined || last.length >= most || frames + cost / 2 > share) {
      batches.push([run]);
      frames = cost;
    } else {
      last.push(run);
      frames += cost;
    }
  }
  return batches;
}

async function decodeRuns(
  path: string,
  probe: Probe,
  table: FrameTable,
  runs: DecodeRun[],
  threads: number,
  opts: DecodeOptions,
  take: (frame: number, decoded: Frame) => Promise<void>,
): Promise<void> {
  const skipping = SKIPPING.has(videoOf(probe).codec);
  const stretch = (run: DecodeRun): FrameStream => ({
    ...jpegStream(probe, table, run.frames, opts),
    before: [
      ...["-threads", String(threads)],
      ...(skipping && run.referencesOnly ? ["-skip_frame", "noref"] : []),
      ...(run.length_s === null ? [] : ["-t", run.length_s.toFixed(6)]),
      ...(run.seek_s === null ? [] : ["-noaccurate_seek", "-ss", run.seek_s.toFixed(6)]),
    ],
  });
  await streamFrames(
    path,
    probe,
    runs.map(stretch),
    (t_s, picture) => {
      const frame = frameOf(table, t_s);
      return frame < 0 ? undefined : take(frame, frameFrom(probe, t_s, picture, opts));
    },
    limitsOf(opts),
  );
}

/** How a picture is made of a decoded frame. */
export type PictureOptions = Pick<
  DecodeOptions,
  "max_side" | "max_area" | "crop" | "enlarge" | "quality"
>;

/** The frames of these indices as JPEGs, from a decoder that returns at least these. */
export function jpegStream(
  probe: Probe,
  table: FrameTable,
  frames: number[],
  opts: PictureOptions,
): Omit<FrameStream, "before"> {
  const { width, height } = outputSize(opts.crop ?? videoOf(probe), opts);
  return {
    filter: [
      `select='${selectExpression(table, frames, probe.origin_s)}'`,
      ...cropFilter(opts.crop, videoOf(probe)),
      // A JPEG's colours are BT.601 in full range, whatever the video's are.
      `scale=${width}:${height}:flags=bicubic+accurate_rnd:out_color_matrix=bt601:out_range=pc`,
      "format=yuvj420p",
    ].join(","),
    encode: { mjpeg: ["-qmin", "1", "-q:v", quantiser(opts.quality)] },
    limit: frames.length,
  };
}

/** The frame of a picture of `jpegStream`. */
export function frameFrom(
  probe: Probe,
  t_s: number,
  picture: Uint8Array,
  opts: PictureOptions,
): Frame {
  const size = outputSize(opts.crop ?? videoOf(probe), opts);
  return { t_s, ...size, jpeg: Uint8Array.from(picture) };
}

function limitsOf({ signal, timeout_s }: Pick<DecodeOptions, "signal" | "timeout_s">) {
  return { signal, ...(timeout_s === undefined ? {} : { timeout_s }) };
}

/** Times of the frames that the decoder returns, for files whose packets claim more frames or have no times. */
async function decodableTable(
  path: string,
  probe: Probe,
  table: FrameTable,
  opts: Pick<DecodeOptions, "signal" | "timeout_s">,
): Promise<FrameTable> {
  const times: number[] = [];
  const { stderr } = await streamFrames(
    path,
    probe,
    [{ before: [], filter: "scale=16:16:flags=fast_bilinear,format=gray", encode: "raw" }],
    (t_s) => {
      times.push(t_s);
    },
    limitsOf(opts),
  );
  if (times.length === 0) throw noFrame(probe, stderr);
  return { ...table, pts_s: Float64Array.from(times), seekable: false };
}

/** Size within the limits, with the aspect ratio of the stored pixels; never larger than the frame. */
export function fitWithin(
  size: { width: number; height: number },
  limits: { max_side: number | null; max_area: number | null },
): { width: number; height: number } {
  const { width, height } = size;
  const side = (limits.max_side ?? Infinity) / Math.max(width, height);
  const area = Math.sqrt((limits.max_area ?? Infinity) / (width * height));
  if (side >= 1 && area >= 1) return { width, height };
  const scale = Math.min(side, area);
  const round = area < side ? Math.floor : Math.round;
  const within = (length: number) => Math.max(1, round(length * scale + 1e-9));
  return { width: within(width), height: within(height) };
}

function cropFilter(crop: Box | undefined, { width, height }: VideoStream): string[] {
  if (crop === undefined) return [];
  // The size of the pictures may change within a stream, and each shows the same area as a share of itself.
  const area = [
    ...[`iw*${crop.width}/${width}`, `ih*${crop.height}/${height}`],
    ...[`iw*${crop.x}/${width}`, `ih*${crop.y}/${height}`],
  ];
  // A crop that begins at an odd pixel is garbled in 10-bit formats, and shifted in formats with subsampled colours.
  return ["format=yuv444p", `crop=${area.join(":")}:exact=1`];
}

/** As `fitWithin`, and enlarged if requested. */
export function outputSize(
  size: { width: number; height: number },
  limits: Pick<DecodeOptions, "max_side" | "max_area" | "enlarge">,
): { width: number; height: number } {
  const { enlarge = 1 } = limits;
  const larger = { width: size.width * enlarge, height: size.height * enlarge };
  const longest = Math.max(size.width, size.height);
  const max_side = Math.max(longest, limits.max_side ?? longest);
  return fitWithin(enlarge > 1 ? fitWithin(larger, { max_side, max_area: null }) : size, limits);
}

/**
 * ffmpeg's quantiser for a quality: libjpeg scales its table by (200 - 2 quality) / 100, or 50 / quality below 50;
 * ffmpeg scales a table half as coarse by q / 8.
 */
function quantiser(quality: number): string {
  const scale = quality < 50 ? 50 / quality : (200 - 2 * quality) / 100;
  return Math.min(31, Math.max(1, scale / 0.064)).toFixed(2);
}
