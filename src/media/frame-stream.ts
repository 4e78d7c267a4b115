import { Failure } from "../core/errors.ts";
import type { Probe, VideoStream } from "./probe.ts";
import { everyFrameArgs, inputArgs, type RunOptions, runFfmpeg } from "./run-ffmpeg.ts";

/** Decoded frames of a video, each with its own time. */
export interface FrameStream {
  /** Options of the input, such as the seek position and the number of threads; null: the frames of the stream before. */
  before: string[] | null;
  /** Filters after rotation; the last ones fix size and pixel format. */
  filter: string;
  /** Raw pixels, or a JPEG with these options of ffmpeg's encoder. */
  encode: "raw" | { mjpeg: string[] };
  /** ffmpeg writes the pictures to this file itself, and only their times are passed on. */
  file?: OpenFile;
  /** Ends the process after so many frames. */
  limit?: number;
}

/** A file that pictures are written to. */
export interface OpenFile {
  fd: number;
  /** Receives the times of the next pictures. The last of them may not be in the file before the process ends. */
  onTimes: (times_s: number[]) => void;
}

/**
 * Decodes segments of one video in one process and passes on each frame with its own time, in presentation order, and
 * with the index of its stream. Each stream has one pipe for pictures and one for their times (microseconds) and sizes, both written from the same
 * packets; the frame rate is not used. A frame whose time is not later than its predecessor's is skipped.
 * The process waits for a promise that `onFrame` returns; after that, the picture may be overwritten.
 * Returns the number of frames and ffmpeg's standard error; damaged data ends the stream early without an error.
 */
export async function streamFrames(
  path: string,
  probe: Probe,
  streams: FrameStream[],
  onFrame: (t_s: number, picture: Buffer, stream: number) => unknown,
  opts: Pick<RunOptions, "signal" | "timeout_s">,
): Promise<{ frames: number; stderr: string }> {
  const video = videoOf(probe);
  const passthrough = await everyFrameArgs();
  let frames = 0;
  let inputs = 0;
  const inputOf = ({ before }: FrameStream) => (before === null ? inputs : ++inputs) - 1;
  const { stderr } = await runFfmpeg(
    [
      ...["-copyts", "-filter_threads", "1"],
      ...streams.flatMap(({ before }) => (before === null ? [] : [...before, ...inputArgs(path)])),
      ...streams.flatMap((stream, i) => [
        ...["-map", `${inputOf(stream)}:${video.index}`, "-vf", stream.filter, ...passthrough],
        ...(stream.limit === undefined ? [] : ["-frames:v", String(stream.limit)]),
        ...["-enc_time_base", "1:1000000", ...outputArgs(stream, 3 + 2 * i)],
      ]),
    ],
    {
      timeout_s: timeoutOf(probe.duration_s, video.frames),
      ...opts,
      anyExit: true,
      onPipes: streams.flatMap(({ file }, i) => {
        if (file !== undefined) {
          const parse = timesReader(probe.origin_s);
          return [file.fd, (chunk: Buffer) => file.onTimes(parse(chunk).map(({ t_s }) => t_s))];
        }
        const paired = pairPicturesWithTimes(probe.origin_s, (t_s, picture) => {
          frames++;
          return onFrame(t_s, picture, i);
        });
        return [paired.onPictures, paired.onTimes];
      }),
    },
  );
  return { frames, stderr };
}

/** Seconds: four times the duration, but at most one second per frame, for times that lie hours apart. */
function timeoutOf(duration_s: number, frames: number | null): number {
  return 600 + Math.min(4 * duration_s, frames ?? Number.POSITIVE_INFINITY);
}

function outputArgs({ encode }: FrameStream, pipe: number): string[] {
  const raw = encode === "raw";
  const muxer = raw ? "rawvideo" : "image2pipe";
  // The time of a large picture must not wait for the next ones; small pictures and their times may, which saves
  // wake-ups.
  const flush = raw ? 0 : 1;
  const buffered = raw ? ":flush_packets=0" : "";
  return [
    ...["-c:v", ...(raw ? ["rawvideo"] : ["mjpeg", "-flags", "+bitexact", "-threads", "1"])],
    ...(raw ? [] : encode.mjpeg),
    ...[
      "-f",
      "tee",
      `[f=${muxer}${buffered}]pipe:${pipe}|[f=framecrc:flush_packets=${flush}]pipe:${pipe + 1}`,
    ],
  ];
}

/** Splits one pipe into pictures by the times and sizes in the other pipe, one picture at a time. */
function pairPicturesWithTimes(
  origin_s: number,
  onFrame: (t_s: number, picture: Buffer) => unknown,
): { onPictures: (chunk: Buffer) => unknown; onTimes: (chunk: Buffer) => unknown } {
  const announced: { t_s: number; bytes: number }[] = [];
  // Concatenated only when a picture is complete, because hundreds may wait for their times.
  let held: Buffer[] = [];
  let bytes = 0;
  const parse = timesReader(origin_s);
  let last_s = -Infinity;
  let delivering: Promise<void> | undefined;

  async function deliverAll(): Promise<void> {
    while (announced[0] !== undefined && announced[0].bytes <= bytes) {
      const all = held.length === 1 && held[0] !== undefined ? held[0] : Buffer.concat(held);
      let at = 0;
      const ready: { t_s: number; picture: Buffer }[] = [];
      for (let next = announced[0]; next !== undefined; next = announced[0]) {
        if (at + next.bytes > all.length) break;
        announced.shift();
        ready.push({ t_s: next.t_s, picture: all.subarray(at, at + next.bytes) });
        at += next.bytes;
      }
      held = [all.subarray(at)];
      bytes = all.length - at;
      for (const { t_s, picture } of ready) {
        if (!(t_s > last_s)) continue;
        last_s = t_s;
        const taken = onFrame(t_s, picture);
        if (taken instanceof Promise) await taken;
      }
    }
  }

  /** Both pipes deliver, but never concurrently: a delivery in progress also takes what arrives meanwhile. */
  function deliver(): Promise<void> | undefined {
    if (announced[0] === undefined || announced[0].bytes > bytes) return delivering;
    delivering ??= deliverAll().finally(() => {
      delivering = undefined;
    });
    return delivering;
  }

  return {
    onPictures(chunk) {
      held.push(chunk);
      bytes += chunk.length;
      return deliver();
    },
    onTimes(chunk) {
      announced.push(...parse(chunk));
      return deliver();
    },
  };
}

/** Reads ffmpeg's lines about frames: the time, in microseconds, and the size of each. */
function timesReader(origin_s: number): (chunk: Buffer) => { t_s: number; bytes: number }[] {
  let rest = "";
  return (chunk) => {
    const lines = (rest + chunk.toString("latin1")).split("\n");
    rest = lines.pop() ?? "";
    return lines
      .filter((line) => !line.startsWith("#"))
      .map((line) => {
        const [, , micros, , bytes] = line.split(",");
        const t_s = Math.max(0, Math.round((Number(micros) || 0) - origin_s * 1e6) / 1e6);
        return { t_s, bytes: Number(bytes) || 0 };
      });
  };
}

/** The video stream, or `Failure` `no-video`. */
export function videoOf(probe: Probe): VideoStream {
  if (probe.video !== null) return probe.video;
  const held = [
    ...(probe.audio.length > 0 ? ["sound"] : []),
    ...(probe.subtitles.length > 0 ? ["subtitles"] : []),
    ...(probe.cover_art ? ["a cover picture"] : []),
  ];
  throw new Failure(
    "no-video",
    `${probe.path} has no video stream; it holds ${held.length === 0 ? "no media" : `only ${held.join(" and ")}`}.`,
    { path: probe.path },
  );
}

/** The failure of a stream without decodable frames. */
export function noFrame(probe: Probe, stderr: string): Failure {
  const reason = stderr.split("\n")[0]?.replace(/^\[[^\]]*\]\s*/, "") ?? "";
  return new Failure(
    "damaged",
    `Cannot decode any frame of ${probe.path}${reason === "" ? "" : `: ${reason}`}.`,
    { path: probe.path },
  );
}
