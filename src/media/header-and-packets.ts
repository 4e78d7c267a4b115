import { z } from "zod";
import { isFailure } from "../core/errors.ts";
import { bestVideo, Header } from "./container-header.ts";
import {
  collectPackets,
  countUpTo,
  MAX_PACKETS,
  type PacketOptions,
  type PacketTimes,
  readPackets,
} from "./packets.ts";
import { readHeader } from "./read-header.ts";
import { inputArgs, runFfprobe } from "./run-ffmpeg.ts";

/** What ffprobe tells of a file. */
interface HeaderAndPackets {
  header: Header;
  packets: PacketTimes;
}

/** Largest file, in bytes, that one process reads; most output of it in bytes. */
const SMALL_BYTES = 32 * 2 ** 20;
const SMALL_OUTPUT_BYTES = 8 * 2 ** 20;

/**
 * Reads the header of a file of `size` bytes and the times of its packets. Most of the time for a short file is the start of
 * ffprobe, so that one process reads both; of a long file, the packets are streamed by a process of their own.
 * Throws as `readHeader` and `readPackets` do.
 */
export async function readHeaderAndPackets(
  path: string,
  size: number,
  opts: PacketOptions,
): Promise<HeaderAndPackets> {
  const small = size > SMALL_BYTES ? null : await readTogether(path, opts);
  return small ?? readApart(path, opts);
}

const Packets = z.object({
  packets: z
    .array(
      z.object({
        stream_index: z.int(),
        pts: z.number().default(NaN),
        dts: z.number().default(NaN),
        duration: z.number().default(NaN),
        flags: z.string(),
      }),
    )
    .default([]),
});

/** Returns null for a file that is not as small as its size, or not whole: `readApart` says what is wrong with it. */
async function readTogether(
  path: string,
  { maxPackets = MAX_PACKETS, ...opts }: PacketOptions,
): Promise<HeaderAndPackets | null> {
  const { stdout, code } = await runFfprobe(
    [
      ...["-show_format", "-show_streams", "-show_packets"],
      ...["-show_entries", "packet=stream_index,pts,dts,duration,flags"],
      ...["-of", "json=c=1", ...inputArgs(path)],
    ],
    { timeout_s: 60, ...opts, maxOutput: SMALL_OUTPUT_BYTES, anyExit: true },
  ).catch((error: unknown) => {
    if (isFailure(error, "media-limit") && error.facts.maxOutput !== undefined)
      return { stdout: null, code: 0 };
    throw error;
  });
  if (stdout === null || code !== 0) return null;
  const text = JSON.parse(stdout.toString("utf8"));
  const header = Header.safeParse(text);
  const read = Packets.safeParse(text);
  if (!header.success || !read.success || header.data.streams.length === 0) return null;
  const video = bestVideo(header.data.streams);
  const collecting = collectPackets(header.data, video, countUpTo(maxPackets, path));
  for (const { stream_index, ...packet } of read.data.packets)
    collecting.add({ stream: stream_index, ...packet });
  return { header: header.data, packets: await collecting.finish() };
}

/** Reads the header and the packets at the same time. */
async function readApart(path: string, opts: PacketOptions): Promise<HeaderAndPackets> {
  const stop = new AbortController();
  const signal =
    opts.signal === undefined ? stop.signal : AbortSignal.any([opts.signal, stop.signal]);
  const heading = readHeader(path, { signal: opts.signal });
  const reading = readPackets(path, heading, { ...opts, signal });
  reading.catch(() => undefined);
  try {
    return { header: await heading, packets: await reading };
  } catch (error) {
    stop.abort();
    await reading.catch(() => undefined);
    throw error;
  }
}
