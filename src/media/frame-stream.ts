import { Failure } from "../core/errors.ts";
import type { Probe, VideoStream } from "./probe.ts";
import { everyFrameArgs, inputArgs, type RunOptions, runFfmpeg } from "./run.ts";

/** Decoded frames of a video as raw pixels, each with its own time. */
export interface FrameStream {
  /** Options of the input: where to begin, how many threads. */
  before: string[];
  /** Filters after rotation; the last ones fix size and pixel format. */
  filter: string;
  /** Size of one frame that leaves the filters. */
  bytes: number;
  /** Ends the process after so many frames. */
  limit?: number;
}

/**
 * Runs the decoder and hands on each frame with its own time, in order of presentation.
 * Pixels come on one pipe and times on another, both written by one muxer from the same packets, in microseconds:
 * a rate is never used. A frame whose time does not follow its predecessor's is left out.
 * Returns how many frames came and what ffmpeg said; damaged data ends it early without an error.
 */
export async function streamFrames(
  path: string,
  probe: Probe,
  stream: FrameStream,
  onFrame: (t_s: number, pixels: Buffer) => void | Promise<void>,
  opts: Pick<RunOptions, "signal" | "timeout_s">,
): Promise<{ frames: number; stderr: string }> {
  const video = videoOf(probe);
  // Large frames must not wait in memory for the time of the last; small ones may, which saves a wake-up each.
  const flush = stream.bytes > 65_536 ? 1 : 0;
  const times: number[] = [];
  const pending: Buffer[] = [];
  let sideRest = "";
  let frame = Buffer.allocUnsafe(stream.bytes);
  let filled = 0;
  let last_s = -Infinity;
  let frames = 0;

  const deliver = async () => {
    while (times.length > 0 && pending.length > 0) {
      const t_s = times.shift() ?? 0;
      const pixels = pending.shift();
      if (pixels === undefined || !(t_s > last_s)) continue;
      last_s = t_s;
      frames++;
      await onFrame(t_s, pixels);
    }
  };
  const { stderr } = await runFfmpeg(
    [
      ...["-copyts", ...stream.before, ...inputArgs(path), "-map", `0:${video.index}`],
      ...["-vf", stream.filter, "-filter_threads", "1", ...(await everyFrameArgs())],
      ...(stream.limit === undefined ? [] : ["-frames:v", String(stream.limit)]),
      ...["-enc_time_base", "1:1000000", "-c:v", "rawvideo"],
      ...["-f", "tee", `[f=rawvideo]pipe:1|[f=framecrc:flush_packets=${flush}]pipe:3`],
    ],
    {
      timeout_s: 600 + 4 * probe.duration_s,
      ...opts,
      anyExit: true,
      async onStdout(chunk) {
        for (let at = 0; at < chunk.length; ) {
          const copied = chunk.copy(frame, filled, at);
          at += copied;
          filled += copied;
          if (filled < stream.bytes) continue;
          pending.push(frame);
          frame = Buffer.allocUnsafe(stream.bytes);
          filled = 0;
        }
        await deliver();
      },
      onSide(chunk) {
        const lines = (sideRest + chunk.toString("latin1")).split("\n");
        sideRest = lines.pop() ?? "";
        for (const line of lines) {
          if (line.startsWith("#")) continue;
          const micros = Number(line.split(",")[2]);
          times.push(Math.max(0, Math.round(micros - probe.origin_s * 1e6) / 1e6));
        }
      },
    },
  );
  await deliver();
  return { frames, stderr };
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
    `Expected a video with pictures, but ${probe.path} holds ${held.join(" and ") || "none"} only.`,
    { path: probe.path },
  );
}

/** For a stream of which no frame could be decoded. */
export function noFrame(probe: Probe, stderr: string): Failure {
  const said = stderr.split("\n")[0]?.replace(/^\[[^\]]*\]\s*/, "") ?? "";
  return new Failure(
    "damaged",
    `Expected frames in ${probe.path}, but none could be decoded${said === "" ? "" : `: ${said}`}.`,
    { path: probe.path },
  );
}
