import { createRequire } from "node:module";
import type Ffmpeg from "fluent-ffmpeg";
import { Failure } from "../core/errors.ts";
import { fitWithin } from "./decode.ts";
import { videoOf } from "./frame-stream.ts";
import type { Probe } from "./probe.ts";
import { everyFrameArgs, inputArgs, runFfmpeg } from "./run-ffmpeg.ts";

/** Seconds by which rounding may move a frame's time across a boundary. */
const ROUNDING_S = 0.0005;

/** Which part is cut, and how. Seconds from the start of the container. */
export interface ClipSpec {
  /** Keeps the frames with times in [from_s, to_s). */
  from_s: number;
  to_s: number;
  /** Longest side in pixels; null: unchanged. */
  max_side: number | null;
  /** Whether to keep the first sound stream, if any. */
  sound: boolean;
}

/** Which sound is extracted. Seconds from the start of the container. */
export interface AudioSpec {
  from_s: number;
  to_s: number;
  /** Samples per second; speech recognition uses 16,000. */
  sample_rate: number;
  channels: number;
}

/**
 * Writes the frames of a segment of a video as an mp4 (H.264, AAC), each once and with the original intervals.
 * Throws `Failure`: `wrong-usage` (outside the video), `no-video`, `damaged`, `disk-full`, `media-limit`, `cancelled`.
 */
export async function cutClip(
  path: string,
  probe: Probe,
  spec: ClipSpec,
  file: string,
  opts: { signal?: AbortSignal } = {},
): Promise<void> {
  const video = videoOf(probe);
  check(path, probe, spec);
  const size = fitWithin(video, { max_side: spec.max_side, max_area: null });
  const even = (side: number) => Math.max(2, Math.round(side / 2) * 2);
  const command = partOf(path, spec)
    .outputOptions([`-map 0:${video.index}`, ...pairs(await everyFrameArgs())])
    .videoCodec("libx264")
    .videoFilters([
      `trim=end=${lengthOf(spec)}`,
      `scale=${even(size.width)}:${even(size.height)}`,
      "format=yuv420p",
    ])
    .outputOptions(["-preset veryfast", "-crf 23", "-movflags +faststart", "-f mp4", "-y"])
    .output(file);
  // Keeps ffmpeg from rounding times to an assumed rate. Builds of 2018 then write an edit list without the last frame,
  // so the file has no edit list and no reordered frames, which need one.
  if (video.variable) command.outputOptions(["-enc_time_base 1:90000", "-bf 0", "-use_editlist 0"]);
  const [sound] = probe.audio;
  if (spec.sound && sound !== undefined)
    command
      .outputOptions([`-map 0:${sound.index}`])
      .audioCodec("aac")
      .audioBitrate("96k");
  await runFfmpeg(command._getArguments(), opts);
}

/**
 * Writes the sound of a segment as 16-bit WAV. If the sound starts later than `from_s`, the file begins with silence.
 * Throws `Failure`: `no-audio`, `wrong-usage` (outside the video), `damaged`, `disk-full`, `media-limit`,
 * `cancelled`.
 */
export async function extractAudio(
  path: string,
  probe: Pick<Probe, "audio" | "duration_s">,
  spec: AudioSpec,
  file: string,
  opts: { signal?: AbortSignal } = {},
): Promise<void> {
  const [sound] = probe.audio;
  if (sound === undefined) throw new Failure("no-audio", `${path} has no sound.`, { path });
  check(path, probe, spec);
  const command = partOf(path, spec)
    .noVideo()
    .outputOptions([`-map 0:${sound.index}`])
    .audioFilters(["aresample=async=1:first_pts=0", `atrim=end=${lengthOf(spec)}`])
    .audioCodec("pcm_s16le")
    .audioFrequency(spec.sample_rate)
    .audioChannels(spec.channels)
    .outputOptions(["-f wav", "-y"])
    .output(file);
  await runFfmpeg(command._getArguments(), opts);
}

interface Span {
  from_s: number;
  to_s: number;
}

/** Reads slightly beyond the end: `-t` of an input counts from the first frame, not from the seek position. */
function partOf(path: string, span: Span) {
  const options = inputArgs(path);
  // Only a clip or sound that is cut needs it.
  const ffmpeg = createRequire(import.meta.url)("fluent-ffmpeg") as typeof Ffmpeg;
  return ffmpeg()
    .input(options.at(-1) ?? path)
    .inputOptions([
      ...pairs(options.slice(0, -2)),
      ...[`-ss ${startOf(span).toFixed(6)}`, `-t ${(span.to_s - span.from_s + 1).toFixed(6)}`],
    ]);
}

function startOf({ from_s }: Span): number {
  return Math.max(0, from_s - ROUNDING_S);
}

/** Seconds from the seek position to the end of the segment. */
function lengthOf(span: Span): string {
  return (span.to_s - ROUNDING_S - startOf(span)).toFixed(6);
}

/** `-a b -c d` in the format of fluent-ffmpeg: an option and its value in one string. */
function pairs(args: readonly string[]): string[] {
  return args.flatMap((arg, i) => (i % 2 === 0 ? [`${arg} ${args[i + 1]}`] : []));
}

function check(
  path: string,
  probe: Pick<Probe, "duration_s">,
  { from_s, to_s }: { from_s: number; to_s: number },
): void {
  if (from_s >= 0 && to_s - from_s > ROUNDING_S && from_s < probe.duration_s) return;
  throw new Failure(
    "wrong-usage",
    `Invalid segment ${from_s} to ${to_s} s of ${path}: use a segment within its ${probe.duration_s.toFixed(2)} s.`,
    { path, from_s, to_s, duration_s: probe.duration_s },
  );
}
