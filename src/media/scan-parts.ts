import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { type Frame, frameFrom, jpegStream, type PictureOptions } from "./decode.ts";
import { seekTarget } from "./decode-plan.ts";
import { fullDisk } from "./exit-failure.ts";
import { type FrameStream, streamFrames, videoOf } from "./frame-stream.ts";
import { type FrameTable, frameOf, keyAfter, keyBefore } from "./frame-table.ts";
import type { Probe } from "./probe.ts";
import { type PictureFile, type Pictures, picturesInFile } from "./scan-pictures.ts";

/*
 * A long film is scanned in parts, each by a decoder with one thread: decoders with several threads take up to half as
 * much CPU again, for waiting for each other.
 */

/** Pictures that are made of some frames while the video is scanned. */
export interface ScanPictures<SoFar> {
  table: FrameTable;
  /** Indices in the table, in order; at least one. */
  frames: number[];
  size: PictureOptions;
  /** Seconds of film that a part of the scan has before its pictures are handed over, unless it ends earlier. */
  after_s: number;
  /**
   * Receives each picture that could be decoded, perhaps twice, and about the part of the scan that was made before it,
   * with the times of the table. The part is valid only during the call. The picture equals that of `decodeFrames`.
   */
  onPicture: (frame: Frame, soFar: SoFar) => void;
}

/** A part of a film that one process decodes. */
export interface ScanPart {
  /** Indices of its frames in the frame table, to the one before `end`. */
  start: number;
  end: number;
  /** Options of the input. */
  before: string[];
  /** Filter that passes on the frames of the part; empty for all frames. */
  select: string;
  /** Frames, with the first of the next part; undefined for all that follow. */
  limit?: number;
}

/** The first frames of a part: their times in seconds, and grey pictures, each followed by its colour planes. */
export interface ScannedPart {
  count: number;
  /** May be longer. */
  pts_s: Float64Array;
  pictures: Pictures;
  stderr: string;
}

export const WHOLE: ScanPart = { start: 0, end: Infinity, before: [], select: "" };

/** Parts with fewer frames decode faster than another process starts. */
const LEAST_FRAMES = 200;
/** Each part needs the memory of a decoder. */
const MOST_PARTS = 4;
/** Seconds read beyond the last frame of a part, for frames that leave the decoder late. */
const MARGIN_S = 2;
/** Time between two looks at how much of a part is scanned: ffmpeg does not say so. */
const LOOK_MS = 20;
/** Half the distance to the previous frame at most, in seconds, by which a time may be rounded. */
const ROUNDING_S = 0.5;

/** Splits a film at key frames into parts of about equal length, one per core; a film that cannot be split is one part. */
export function planParts(
  table: FrameTable | undefined,
  origin_s: number,
  cores = availableParallelism(),
): ScanPart[] {
  if (table === undefined || !table.seekable) return [WHOLE];
  const { pts_s } = table;
  const number = Math.min(cores, MOST_PARTS, Math.floor(pts_s.length / LEAST_FRAMES));
  const starts: number[] = [0];
  for (let part = 1; part < number; part++) {
    const start = keyFrameNear(table, Math.floor((part * pts_s.length) / number));
    if (start - (starts.at(-1) ?? 0) >= LEAST_FRAMES && pts_s.length - start >= LEAST_FRAMES)
      starts.push(start);
  }
  if (starts.length === 1) return [WHOLE];
  return starts.map((start, part) => {
    const next = starts[part + 1];
    const at = pts_s[start] ?? 0;
    const before = pts_s[start - 1] ?? at;
    const from_s = at - Math.min(ROUNDING_S, (at - before) / 2) + origin_s;
    const seek_s = start === 0 ? null : seekTarget(table, at);
    return {
      ...{ start, end: next ?? Infinity },
      before: [
        ...["-threads", "1"],
        // If a picture is missing, ffmpeg looks for it to the end.
        ...(next === undefined ? [] : ["-t", String((pts_s[next] ?? 0) - at + MARGIN_S)]),
        ...(seek_s === null ? [] : ["-noaccurate_seek", "-ss", seek_s.toFixed(6)]),
      ],
      select: start === 0 ? "" : `select='gte(t,${from_s.toFixed(6)})',`,
      ...(next === undefined ? {} : { limit: next - start + 1 }),
    };
  });
}

/** Index of the key frame that is nearest to a frame, or -1 if it is not shown. */
function keyFrameNear(table: FrameTable, frame: number): number {
  const t_s = table.pts_s[frame] ?? 0;
  const before = frameOf(table, keyBefore(table, t_s));
  const after = frameOf(table, keyAfter(table, t_s));
  return after >= 0 && after - frame < frame - before ? after : before;
}

/**
 * The parts without the frames that two of them have; undefined if they are not what one decoder makes of the whole film:
 * if their frames are not those of the table, or the frame at which a part begins differs from the one that the part
 * before ends with.
 */
export function joinParts(
  parts: readonly ScannedPart[],
  { pts_s }: Pick<FrameTable, "pts_s">,
): ScannedPart[] | undefined {
  const own = parts.map((part, index) => {
    const next = parts[index + 1];
    return next === undefined ? part : { ...part, count: part.count - 1 };
  });
  const count = own.reduce((sum, part) => sum + part.count, 0);
  if (count !== pts_s.length) return undefined;
  let frame = 0;
  for (const [index, part] of parts.entries()) {
    for (let i = 0; i < part.count; i++)
      if (frameOf({ pts_s }, part.pts_s[i] ?? 0) !== frame + i) return undefined;
    frame += part.count - 1;
    const next = parts[index + 1];
    if (next !== undefined && Buffer.compare(part.pictures.at(part.count - 1), next.pictures.at(0)))
      return undefined;
  }
  return own;
}

/**
 * Decodes a part into a file, in pictures of the given size. `onFrames` receives the part so far, which is valid only
 * during the call. A frame whose time is not later than its predecessor's is left out.
 * Throws `Failure`: `media-limit`, `cancelled`, `disk-full`.
 */
export async function scanPart(
  path: string,
  probe: Probe,
  { start, end, before, select, limit }: ScanPart,
  to: {
    file: PictureFile;
    width: number;
    height: number;
    signal?: AbortSignal;
    wanted?: ScanPictures<ScannedPart>;
  },
  onFrames: (soFar: ScannedPart) => void,
): Promise<ScannedPart> {
  const { file, width, height, signal, wanted } = to;
  const bytes = (width * height * 3) / 2;
  const filter = `${select}scale=${width}:${height}:flags=area,format=yuvj420p`;
  let pts_s = new Float64Array(limit ?? videoOf(probe).frames ?? 1024);
  let count = 0;
  let read = 0;
  // Where the pictures are in the file; undefined while none is left out.
  let places: number[] | undefined;
  const inFile = picturesInFile(file, 0, () => read, bytes);
  const pictures: Pictures = {
    at: (i) => (i < count ? inFile.at(places === undefined ? i : (places[i] ?? -1)) : NOTHING),
  };
  const take = (t_s: number) => {
    if (count > 0 && !(t_s > (pts_s[count - 1] ?? 0))) {
      places ??= Array.from({ length: count }, (_, i) => i);
      return;
    }
    if (count === pts_s.length) {
      const larger = new Float64Array(count * 2 + 1);
      larger.set(pts_s);
      pts_s = larger;
    }
    pts_s[count++] = t_s;
    places?.push(read);
  };
  let waiting: number[] = [];
  const onTimes = (times_s: readonly number[]) => {
    waiting.push(...times_s);
    const ready = Math.min(waiting.length, Math.floor(file.size / bytes) - read);
    for (const t_s of waiting.slice(0, ready)) {
      take(t_s);
      read++;
    }
    waiting = waiting.slice(ready);
    if (ready > 0) onFrames({ count, pts_s, pictures, stderr: "" });
  };
  const frames = wanted?.frames.filter((frame) => frame >= start && frame < end) ?? [];
  const small: FrameStream = {
    ...{ before, filter, encode: "raw", file: { fd: file.fd, onTimes } },
    ...(limit === undefined ? {} : { limit }),
  };
  const jpegs =
    wanted === undefined || frames.length === 0
      ? []
      : [{ before: null, ...jpegStream(probe, wanted.table, frames, wanted.size) }];
  let early: { t_s: number; picture: Buffer }[] = [];
  const handOver = (least_s: number) => {
    if (wanted === undefined || early.length === 0) return;
    // ffmpeg writes many times together, but each picture soon.
    const written = Math.floor(file.size / bytes);
    const times = wanted.table.pts_s.subarray(start, start + written);
    if ((times.at(-1) ?? 0) - (times[0] ?? 0) < least_s) return;
    const soFar = picturesInFile(file, 0, () => written, bytes);
    const part = { count: times.length, pts_s: times, pictures: soFar, stderr: "" };
    const ready = early;
    early = [];
    for (const { t_s, picture } of ready)
      wanted.onPicture(frameFrom(probe, t_s, picture, wanted.size), part);
  };
  const onPicture = (t_s: number, picture: Buffer) => {
    early.push({ t_s, picture });
    handOver(wanted?.after_s ?? 0);
  };
  let failed: { error: unknown } | undefined;
  const look = () => {
    try {
      handOver(wanted?.after_s ?? 0);
    } catch (error) {
      // The caller gets it once ffmpeg has ended.
      failed ??= { error };
    }
  };
  const looking = jpegs.length === 0 ? undefined : setInterval(look, LOOK_MS);
  const { stderr } = await streamFrames(path, probe, [small, ...jpegs], onPicture, {
    signal,
  }).finally(() => clearInterval(looking));
  if (failed !== undefined) throw failed.error;
  handOver(0);
  onTimes([]);
  const full = fullDisk(stderr, "ffmpeg", basename(path));
  if (full !== undefined) throw full;
  return { count, pts_s, pictures, stderr };
}

const NOTHING = new Uint8Array();
