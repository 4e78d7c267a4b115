import ffmpeg from "fluent-ffmpeg";
import { Failure } from "../core/errors.ts";
import { fitted } from "./decode.ts";
import { videoOf } from "./frame-stream.ts";
import type { Probe } from "./probe.ts";
import { everyFrameArgs, inputArgs, runFfmpeg } from "./run.ts";

/** Seconds by which a frame's time may miss a boundary because both were rounded. */
const ROUNDING_S = 0.0005;

export interface ClipSpec {
  /** The frames whose own time lies in [from_s, to_s). */
  from_s: number;
  to_s: number;
  /** Longest side in pixels; null: as it is. */
  max_side: number | null;
  /** Keep the first sound stream, where there is one. */
  sound: boolean;
}

export interface AudioSpec {
  from_s: number;
  to_s: number;
  /** Samples a second; speech recognition takes 16,000. */
  sample_rate: number;
  channels: number;
}

/**
 * Writes the frames of a part of a video, each once and with its distance to the others kept, as an mp4 (H.264, AAC).
 * Throws `Failure`: `wrong-usage` (no such part), `no-video`, `damaged`, `media-limit`, `cancelled`.
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
  const size = fitted(video, { max_side: spec.max_side, max_area: null });
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
  // Or times would be rounded to a rate that ffmpeg supposes. Its builds of 2018 then write an edit list without the
  // last frame, which is why the file does without one, and without the reordered frames that need it.
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
 * Writes the sound of a part of a file as 16-bit WAV. Where the sound starts later than `from_s`, silence stands before it.
 * Throws `Failure`: `no-audio`, `wrong-usage` (no such part), `damaged`, `media-limit`, `cancelled`.
 */
export async function extractAudio(
  path: string,
  probe: Probe,
  spec: AudioSpec,
  file: string,
  opts: { signal?: AbortSignal } = {},
): Promise<void> {
  const [sound] = probe.audio;
  if (sound === undefined)
    throw new Failure("no-audio", `Expected ${path} to have sound, but it has none.`, { path });
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

/** Reads a little more than is wanted: `-t` of an input counts from the first frame, not from the place sought. */
function partOf(path: string, span: Span) {
  const options = inputArgs(path);
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

/** Seconds after the place sought at which the part ends. */
function lengthOf(span: Span): string {
  return (span.to_s - ROUNDING_S - startOf(span)).toFixed(6);
}

/** `-a b -c d` as fluent-ffmpeg takes it: an option and its value in one string. */
function pairs(args: readonly string[]): string[] {
  return args.flatMap((arg, i) => (i % 2 === 0 ? [`${arg} ${args[i + 1]}`] : []));
}

function check(
  path: string,
  probe: Probe,
  { from_s, to_s }: { from_s: number; to_s: number },
): void {
  if (from_s >= 0 && to_s - from_s > ROUNDING_S && from_s < probe.duration_s) return;
  throw new Failure(
    "wrong-usage",
    `Expected a part of ${path}, which lasts ${probe.duration_s.toFixed(2)} s, got ${from_s} to ${to_s} s.`,
    { path, from_s, to_s, duration_s: probe.duration_s },
  );
}
