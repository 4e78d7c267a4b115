import { Failure } from "../core/errors.ts";
import type { Probe, VideoStream } from "./probe.ts";
import { everyFrameArgs, inputArgs, type RunOptions, runFfmpeg } from "./run.ts";

/** Decoded frames of a video, each with its own time. */
export interface FrameStream {
  /** Options of the input: where to begin, how many threads. */
  before: string[];
  /** Filters after rotation; the last ones fix size and pixel format. */
  filter: string;
  /** Raw pixels, or a JPEG with these options of ffmpeg's encoder. */
  encode: "raw" | { mjpeg: string[] };
  /** Ends the process after so many frames. */
  limit?: number;
}

/**
 * Runs the decoder and hands on each frame with its own time, in order of presentation.
 * Pictures come on one pipe, their times (microseconds) and sizes on another, both written from the same packets: a rate
 * is never used. A frame whose time does not follow its predecessor's is left out.
 * Returns how many frames came and what ffmpeg said; damaged data ends it early without an error.
 */
export async function streamFrames(
  path: string,
  probe: Probe,
  stream: FrameStream,
  onFrame: (t_s: number, picture: Buffer) => void | Promise<void>,
  opts: Pick<RunOptions, "signal" | "timeout_s">,
): Promise<{ frames: number; stderr: string }> {
  const video = videoOf(probe);
  const announced: { t_s: number; bytes: number }[] = [];
  let held: Buffer = Buffer.alloc(0);
  let sideRest = "";
  let last_s = -Infinity;
  let frames = 0;

  const deliver = async () => {
    for (;;) {
      const next = announced[0];
      if (next === undefined || next.bytes > held.length) return;
      announced.shift();
      const picture = held.subarray(0, next.bytes);
      held = held.subarray(next.bytes);
      if (!(next.t_s > last_s)) continue;
      last_s = next.t_s;
      frames++;
      await onFrame(next.t_s, picture);
    }
  };
  const raw = stream.encode === "raw";
  const codec = raw ? ["rawvideo"] : ["mjpeg", "-flags", "+bitexact", "-threads", "1"];
  // The time of a large picture must not wait for the next ones; those of small ones may, which saves wake-ups.
  const muxers = `[f=${raw ? "rawvideo" : "image2pipe"}]pipe:1|[f=framecrc:flush_packets=${raw ? 0 : 1}]pipe:3`;
  const { stderr } = await runFfmpeg(
    [
      ...["-copyts", ...stream.before, ...inputArgs(path), "-map", `0:${video.index}`],
      ...["-vf", stream.filter, "-filter_threads", "1", ...(await everyFrameArgs())],
      ...(stream.limit === undefined ? [] : ["-frames:v", String(stream.limit)]),
      ...["-enc_time_base", "1:1000000", "-c:v", ...codec],
      ...(stream.encode === "raw" ? [] : stream.encode.mjpeg),
      ...["-f", "tee", muxers],
    ],
    {
      timeout_s: 600 + 4 * probe.duration_s,
      ...opts,
      anyExit: true,
      async onStdout(chunk) {
        held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
        await deliver();
      },
      onSide(chunk) {
        const lines = (sideRest + chunk.toString("latin1")).split("\n");
        sideRest = lines.pop() ?? "";
        for (const line of lines) {
          if (line.startsWith("#")) continue;
          const [, , micros, , bytes] = line.split(",").map(Number);
          const t_s = Math.max(0, Math.round((micros ?? 0) - probe.origin_s * 1e6) / 1e6);
          announced.push({ t_s, bytes: bytes ?? 0 });
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
