import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { Failure } from "../core/errors.ts";
import { bestVideo, type Header, type Stream } from "./container-header.ts";
import { type FrameTable, frameOf } from "./frame-table.ts";
import {
  createNumberList,
  forEachIndex,
  gapsOf,
  medianOf,
  type NumberList,
  sortUnique,
} from "./number-list.ts";
import { inputArgs, type RunOptions, runFfprobe } from "./run-ffmpeg.ts";

/** Times of the packets of a file, in seconds from the start of the container. */
export interface PacketTimes {
  /** Packets of any kind. */
  count: number;
  /** End of the last picture or sound, or of the last cue if there is neither. */
  end_s: number;
  /** Start of each stream by its index. */
  starts: Map<number, number>;
  /** Of the chosen video stream; null if it has no packet. */
  table: FrameTable | null;
  /** Whether each packet of the video stream has the time of its frame. */
  timed: boolean;
  /** Packets of the video stream without any time, which are in no table. */
  untimed: number;
  /** How many times the clock begins again, as in recordings that were joined. */
  restarts: number;
}

/** Formats whose index finds the key frame before a time exactly. */
export const INDEXED = /^(mov|matroska)/;

/**
 * Most packets of any kind in a file: 5 million. 12 hours of 60 frames per second with an AAC sound track at 48 kHz have
 * 4.6 million. A table of 5 million frames takes at most 250 MB of memory.
 */
export const MAX_PACKETS = 5_000_000;

/** Seconds by which decoding times must go back for the clock to begin again. */
const RESTART_S = 1;

/** Seconds to read the packets of a file; a large file on a slow disk gets more. */
const READ_S = 60;
const BYTES_A_SECOND = 10e6;

export interface PacketOptions extends Pick<RunOptions, "signal" | "timeout_s"> {
  /** Default: `MAX_PACKETS`. */
  maxPackets?: number;
}

/**
 * Streams the times of all packets without decoding; the process stays responsive. Starts while the header is still
 * read, and fails if that fails.
 * Frames that an edit list removes (packets flagged as discarded) are not in the table, except as key frames.
 * Throws `Failure` `media-limit` for a file with more than `maxPackets` packets, as soon as they are counted, and for one
 * that takes longer than `timeout_s` (default: a minute, plus a second per 10 MB).
 */
export async function readPackets(
  path: string,
  header: Promise<Header>,
  { maxPackets = MAX_PACKETS, ...opts }: PacketOptions,
): Promise<PacketTimes> {
  const { timeout_s = READ_S + Math.ceil((await stat(path)).size / BYTES_A_SECOND) } = opts;
  const collecting = header.then((header) =>
    collectPackets(header, bestVideo(header.streams), countUpTo(maxPackets, path)),
  );
  collecting.catch(() => {
    // Thrown below, once the process has ended.
  });
  await runFfprobe(
    [
      ...["-show_packets", "-show_entries", "packet=stream_index,pts,dts,duration,flags"],
      ...["-of", "csv=p=0", ...inputArgs(path)],
    ],
    {
      ...opts,
      timeout_s,
      anyExit: true,
      onStdout: async (chunk) => (await collecting).take(chunk),
    },
  );
  return (await collecting).finish();
}

/** Throws `Failure` `media-limit` for a count of more packets than that, with the name of the file. */
export function countUpTo(maxPackets: number, path: string): (count: number) => void {
  return (count) => {
    if (count > maxPackets)
      throw new Failure(
        "media-limit",
        `${basename(path)} has more than ${maxPackets} packets, which is too many to read: convert it with ffmpeg, or split it.`,
        { path, max_packets: maxPackets },
      );
  };
}

/** A packet as ffprobe tells of it: its stream, its times in ticks of that stream (NaN: unknown), and its flags. */
export interface Packet {
  stream: number;
  pts: number;
  dts: number;
  duration: number;
  flags: string;
}

/**
 * Collects packets, or ffprobe's lines of packets (stream, pts, dts, duration, flags) chunk by chunk; `onCount` may throw.
 */
export function collectPackets(
  header: Header,
  video: Stream | undefined,
  onCount: (count: number) => void = () => {},
): {
  add(packet: Packet): void;
  take(chunk: Buffer): void;
  finish(): Promise<PacketTimes>;
} {
  const origin_s = header.format.start_time ?? 0;
  const bases = new Map(header.streams.map((stream) => [stream.index, stream.time_base ?? 1]));
  const cues = new Set(
    header.streams.filter((s) => s.codec_type === "subtitle").map((stream) => stream.index),
  );
  const starts = new Map<number, number>();
  const ends = { sound: 0, cues: 0, last: 0 };
  const pts = createNumberList();
  const keys = createNumberList();
  let count = 0;
  let timed = true;
  let untimed = 0;
  let lastDuration = 0;
  // Cues need not be in order of time.
  const clock = video ?? header.streams.find((stream) => stream.codec_type === "audio");
  let clock_s = Number.NEGATIVE_INFINITY;
  let restarts = 0;

  const add = ({ stream, pts: ticks, dts, duration, flags }: Packet) => {
    const base = bases.get(stream);
    if (base === undefined) return;
    count++;
    const time = Number.isFinite(ticks) ? ticks : dts;
    const mine = stream === video?.index;
    if (mine && !Number.isFinite(ticks)) timed = false;
    if (mine && !Number.isFinite(time)) untimed++;
    if (!Number.isFinite(time)) return;
    // Adding 0 turns -0, which sorts before 0, into 0.
    const start_s = Math.round((time * base - origin_s) * 1e6) / 1e6 + 0;
    const length_s = (duration || 0) * base;
    const discarded = flags.includes("D");
    if (mine && flags.startsWith("K")) keys.push(start_s);
    if (discarded) return;
    if (stream === clock?.index && Number.isFinite(dts)) {
      if (dts * base < clock_s - RESTART_S) restarts++;
      clock_s = dts * base;
    }
    starts.set(stream, Math.min(start_s, starts.get(stream) ?? start_s));
    if (mine) {
      pts.push(start_s);
      if (start_s >= ends.last) {
        ends.last = start_s;
        lastDuration = length_s;
      }
    } else if (cues.has(stream)) ends.cues = Math.max(ends.cues, start_s + length_s);
    else ends.sound = Math.max(ends.sound, start_s + length_s);
  };

  const takeLine = (line: string) => {
    const [stream, pts, dts, duration, flags] = line.split(",");
    if (flags === undefined) return;
    const times = { pts: Number(pts), dts: Number(dts), duration: Number(duration) };
    add({ stream: Number(stream), ...times, flags });
  };

  let rest = "";
  return {
    add,
    take(chunk) {
      const lines = (rest + chunk.toString("latin1")).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) takeLine(line);
      onCount(count);
    },
    async finish() {
      takeLine(rest);
      onCount(count);
      const sorted = await sortUnique(pts);
      const table: FrameTable | null =
        video === undefined || sorted.length === 0
          ? null
          : {
              pts_s: sorted,
              end_s:
                ends.last +
                (lastDuration > 0 ? lastDuration : await medianOf(await gapsOf(sorted))),
              keys_s: await sortUnique(keys),
              reference: await likelyReferences(sorted, pts),
              seekable: timed && INDEXED.test(header.format.format_name),
            };
      const end_s = Math.max(table?.end_s ?? 0, ends.sound) || ends.cues;
      return {
        count,
        end_s: Math.round(end_s * 1e6) / 1e6,
        starts,
        table,
        timed,
        untimed,
        restarts,
      };
    },
  };
}

/** See `FrameTable.reference`; `list` has the times in the order of the file. */
async function likelyReferences(sorted: Float64Array, list: NumberList): Promise<Uint8Array> {
  const stored = list.toArray();
  const reference = new Uint8Array(sorted.length);
  let latest = -Infinity;
  await forEachIndex(stored.length, (i) => {
    const time = stored[i] ?? 0;
    if (time > latest || time > (stored[i + 1] ?? Infinity))
      reference[frameOf({ pts_s: sorted }, time)] = 1;
    latest = Math.max(latest, time);
  });
  return reference;
}
