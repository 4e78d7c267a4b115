import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { Failure, toFailure } from "../core/errors.ts";
import {
  type AudioStream,
  bestAudio,
  bestVideo,
  type Header,
  isCover,
  isMarked,
  languageOf,
  rotationOf,
  type Stream,
  type SubtitleStream,
  subtitleStream,
} from "./container-header.ts";
import { findFfmpeg } from "./find-ffmpeg.ts";
import type { FrameTable } from "./frame-table.ts";
import { readHeaderAndPackets } from "./header-and-packets.ts";
import { gapsOf, medianOf } from "./number-list.ts";
import type { PacketOptions, PacketTimes } from "./packets.ts";

/** The video stream of a file. */
export interface VideoStream {
  /** Index among all streams of the file. */
  index: number;
  codec: string;
  /** Pixels of the upright frame (rotation applied, non-square pixels as stored). */
  width: number;
  height: number;
  coded_width: number;
  coded_height: number;
  /** Degrees clockwise, 0 to 359, by which it was turned upright. */
  rotation: number;
  /** Frames per second; null if the rate varies or there is only one frame. */
  fps: number | null;
  variable: boolean;
  /** Frames in the file, regardless of its header; null if only decoding can count them. */
  frames: number | null;
  /** Start of the first frame and end of the last, seconds. */
  start_s: number;
  end_s: number;
}

/** Increase it whenever the same file would give another probe or frame table. */
export const PROBE_VERSION = 1;

/** The contents of a file. Seconds count from the start of the container, which is the origin of every `t_s`. */
export interface Probe {
  path: string;
  /** Bytes. */
  size: number;
  /** ffmpeg's name of the format, such as `mov,mp4,m4a,3gp,3g2,mj2`. */
  container: string;
  /** Time on the container's own clock that is 0 here. */
  origin_s: number;
  /** End of the last picture or sound in the file, or of the last cue if it has neither. */
  duration_s: number;
  /** Duration in the header; null if missing. */
  claimed_duration_s: number | null;
  video: VideoStream | null;
  audio: AudioStream[];
  subtitles: SubtitleStream[];
  /** A still picture that the file lists as a video stream. */
  cover_art: boolean;
  /** Sentences about unusual properties: several streams, a header that claims more, non-square pixels. */
  notes: string[];
}

/**
 * Reads the header and the times of all packets; decodes nothing.
 * Throws `Failure`: `file-unreadable` (missing, a folder, empty), `not-media` (also without any time of a frame), `damaged`,
 * `media-limit`, `cancelled`.
 */
export async function probe(path: string, opts: { signal?: AbortSignal } = {}): Promise<Probe> {
  return (await inspect(path, opts)).probe;
}

/** As `probe`, with the frame table of the chosen video stream. */
export async function inspect(
  path: string,
  opts: PacketOptions = {},
): Promise<{ probe: Probe; table: FrameTable | null }> {
  const { size } = await mediaFile(path);
  // Whoever opens a video mostly decodes it next, for which the version is needed.
  findFfmpeg().catch(() => undefined);
  const { header, packets } = await readHeaderAndPackets(path, size, opts);
  // ffmpeg's decoder of WebP does not know animations, and tells no size of them.
  if (header.streams.some((stream) => stream.codec_name === "webp" && stream.width === 0))
    throw new Failure(
      "not-media",
      `${basename(path)} is an animated WebP, which this ffmpeg cannot read. Convert it to GIF or MP4 with another program.`,
      { path },
    );
  const origin_s = header.format.start_time ?? 0;
  const chosen = bestVideo(header.streams);
  if (packets.count === 0)
    throw new Failure(
      "damaged",
      `${basename(path)} is damaged: its header claims ${claimOf(header)}, but it has no picture, sound or cue.`,
      { path },
    );
  if (packets.count === packets.untimed)
    throw new Failure(
      "not-media",
      `${basename(path)} has no times of its frames, as it is a bare ${chosen?.codec_name} stream: convert it and give its frame rate, for example with \`ffmpeg -framerate 25 -i ${basename(path)} ${basename(path)}.mp4\`.`,
      { path },
    );
  const found = {
    path,
    size,
    container: header.format.format_name,
    origin_s,
    duration_s: packets.end_s,
    claimed_duration_s: header.format.duration,
    video: chosen === undefined ? null : await describe(chosen, packets),
    audio: header.streams
      .filter((stream) => stream.codec_type === "audio")
      .map((stream) => audioStream(stream, packets)),
    subtitles: header.streams
      .filter((stream) => stream.codec_type === "subtitle")
      .map(subtitleStream),
    cover_art: header.streams.some(isCover),
  };
  return {
    probe: { ...found, notes: notesOn(found, header, chosen, packets) },
    table: found.video === null ? null : packets.table,
  };
}

/** Size and time of a file. Throws `Failure` `file-unreadable` if it is missing, a folder, a device or empty. */
export async function mediaFile(path: string): Promise<{ size: number; modified_ms: number }> {
  if (path === "")
    throw new Failure("file-unreadable", "The path of the video is empty.", { path });
  const info = await stat(path).catch((error: unknown) => {
    throw addressFailure(path) ?? toFailure(error, "file-unreadable", `opening ${path}`);
  });
  const wrong = (what: string) =>
    new Failure("file-unreadable", `Cannot open ${path} as a video: it is ${what}.`, { path });
  if (info.isDirectory()) throw wrong("a folder");
  if (!info.isFile()) throw wrong("not a regular file");
  if (info.size === 0) throw wrong("empty");
  return { size: info.size, modified_ms: Math.trunc(info.mtimeMs) };
}

/** Why a missing path with a scheme, such as `https://`, cannot be opened; null for others. A resolved path has one slash. */
function addressFailure(path: string): Failure | null {
  const address = /(?:^|\/)(?<scheme>[a-z][a-z0-9+.-]+):\/{1,3}(?<rest>.+)/i.exec(path)?.groups;
  if (address === undefined) return null;
  const scheme = address.scheme?.toLowerCase();
  return new Failure(
    "file-unreadable",
    scheme === "file"
      ? `Cannot find ${path}: use a path, without file://.`
      : `Cannot open ${scheme}://${address.rest}: videos are read from files. Download it, and give the path of the file.`,
    { path },
  );
}

async function describe(stream: Stream, packets: PacketTimes): Promise<VideoStream | null> {
  const { table } = packets;
  if (table === null) return null;
  const rotation = rotationOf(stream);
  const turned = rotation % 180 === 90;
  const { fps, variable } = await rateOf(table, stream.avg_frame_rate);
  return {
    index: stream.index,
    codec: stream.codec_name,
    width: turned ? stream.height : stream.width,
    height: turned ? stream.width : stream.height,
    coded_width: stream.width,
    coded_height: stream.height,
    rotation,
    fps,
    variable,
    frames: table.seekable || packets.timed ? table.pts_s.length : null,
    start_s: table.pts_s[0] ?? 0,
    end_s: table.end_s,
  };
}

/** A rate is variable if gaps differ from the median by more than a quarter; rounding to a millisecond does not count. */
async function rateOf(
  table: FrameTable,
  claimed: number | null,
): Promise<{ fps: number | null; variable: boolean }> {
  const { pts_s } = table;
  if (pts_s.length < 2) return { fps: null, variable: false };
  const gaps = await gapsOf(pts_s);
  const median = await medianOf(gaps);
  if (gaps.some((gap) => Math.abs(gap - median) > median / 4 + 0.0015))
    return { fps: null, variable: true };
  const mean = gaps.length / ((pts_s[gaps.length] ?? 0) - (pts_s[0] ?? 0));
  const agrees = claimed !== null && Math.abs(claimed - mean) < 0.001 * mean;
  return { fps: Math.round((agrees ? claimed : mean) * 1000) / 1000, variable: false };
}

function audioStream(stream: Stream, packets: PacketTimes): AudioStream {
  return {
    index: stream.index,
    codec: stream.codec_name,
    channels: stream.channels,
    sample_rate: stream.sample_rate,
    language: languageOf(stream),
    start_s: packets.starts.get(stream.index) ?? 0,
    default: isMarked(stream, "default"),
  };
}

function claimOf(header: Header): string {
  const { duration } = header.format;
  return duration === null ? "video or sound" : `${duration.toFixed(1)} s`;
}

/**
 * Says that the header claims another duration than the file has, as that of a file that was cut off; null if it does
 * not, by more than a second and 2 %.
 */
export function wrongClaim({
  claimed_duration_s: claimed,
  duration_s,
  origin_s,
  container,
}: Omit<Probe, "notes">): string | null {
  if (claimed === null) return null;
  // Matroska counts from 0, also where the first picture comes later.
  const claims = [claimed, claimed - origin_s];
  const far = (claim: number) => Math.abs(claim - duration_s) > Math.max(1, 0.02 * duration_s);
  if (!claims.every(far)) return null;
  const said = container.includes("matroska") ? claimed - origin_s : claimed;
  return `The header claims ${said.toFixed(1)} s, but picture and sound end at ${duration_s.toFixed(1)} s.`;
}

function notesOn(
  found: Omit<Probe, "notes">,
  header: Header,
  chosen: Stream | undefined,
  { untimed, restarts }: Pick<PacketTimes, "untimed" | "restarts">,
): string[] {
  const notes: string[] = [];
  const name = basename(found.path);
  if (restarts > 0)
    notes.push(
      `The clock of the file begins again ${restarts === 1 ? "once" : `${restarts} times`}, as in joined recordings: of pictures and sounds with the same time, only the first are used. To use all, convert it with \`ffmpeg -fflags +genpts -i ${name} -c copy ${name}.mkv\`.`,
    );
  const { video } = found;
  const claim = wrongClaim(found);
  if (found.claimed_duration_s === null) notes.push("The header has no duration.");
  else if (claim !== null) notes.push(claim);
  const others = header.streams.filter(
    (stream) => stream.codec_type === "video" && !isCover(stream) && stream !== chosen,
  );
  if (video !== null && others.length > 0)
    notes.push(`The file has ${others.length + 1} video streams; stream ${video.index} is used.`);
  const sound = bestAudio(found.audio);
  if (sound !== undefined && found.audio.length > 1)
    notes.push(`The file has ${found.audio.length} sound streams; stream ${sound.index} is used.`);
  if (video === null && chosen !== undefined)
    notes.push(
      untimed > 0
        ? `Video stream ${chosen.index} is not used: none of its frames has a time.`
        : `Video stream ${chosen.index} is in the header, but the file has none of its frames.`,
    );
  if (found.cover_art) notes.push("A still picture is listed as a video stream; it is ignored.");
  const aspect = chosen?.sample_aspect_ratio ?? 1;
  if (Math.abs(aspect - 1) > 0.01)
    notes.push(
      `Pixels are ${aspect.toFixed(3)} times as wide as high; frames keep them as stored.`,
    );
  return notes;
}
