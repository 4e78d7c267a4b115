import { createRequire } from "node:module";
import { resolve } from "node:path";
import type Ffmpeg from "fluent-ffmpeg";
import { Failure } from "../core/errors.ts";
import { bestAudio } from "./container-header.ts";
import { fitWithin } from "./decode.ts";
import { videoOf } from "./frame-stream.ts";
import { ROUNDING_S } from "./held-picture.ts";
import { INDEXED } from "./packets.ts";
import type { Probe } from "./probe.ts";
import { everyFrameArgs, inputArgs, runFfmpeg } from "./run-ffmpeg.ts";
import { SEEK_EARLY_S, soundFilters, soundInput } from "./sound-input.ts";

/** Pictures per second of a clip that holds one. */
const HELD_FPS = 25;
/** Which part is cut, and how. Seconds from the start of the container. */
export interface ClipSpec {
  /** Keeps the frames with times in [from_s, to_s). */
  from_s: number;
  to_s: number;
  /** Longest side in pixels; null: unchanged. */
  max_side: number | null;
  /** Whether to keep the default sound stream, if any; see `bestAudio`. */
  sound: boolean;
  /** Time of a picture with which the clip begins, and which is held until the next one; see `heldPicture`. */
  held_s?: number | null;
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
 * Writes the frames of a segment of a video as an mp4 (H.264, AAC), each once and with the original intervals. The sound
 * has the same start and end; it is silent where the original has none. Without `held_s`, a clip in which no frame begins
 * has no pictures.
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
  const passthrough = pairs(await everyFrameArgs());
  const { held_s = null } = spec;
  const from_s = Math.min(spec.from_s, held_s ?? spec.from_s);
  // A seek to before the first picture ends at it, after the sound.
  const isBefore = held_s !== null && held_s > spec.from_s;
  for (const seek_s of isBefore ? [null] : seeksTo(probe, { from_s })) {
    const command = clipCommand(path, probe, spec, seek_s, passthrough, file);
    if (seek_s === null || INDEXED.test(probe.container)) {
      await runFfmpeg(command._getArguments(), opts);
      return;
    }
    const latest_s = Math.max(from_s, video.start_s) + ROUNDING_S;
    firstFrameOutput(command, video.index, passthrough);
    if (await decodesFrom(latest_s + probe.origin_s, command._getArguments(), opts.signal)) return;
  }
}

function clipCommand(
  path: string,
  probe: Probe,
  spec: ClipSpec,
  seek_s: number | null,
  passthrough: string[],
  file: string,
) {
  const { held_s = null } = spec;
  const video = videoOf(probe);
  const size = fitWithin(video, { max_side: spec.max_side, max_area: null });
  const even = (side: number) => Math.max(2, Math.round(side / 2) * 2);
  const { from_s, to_s } = trimmed(spec);
  const start_s = (from_s + probe.origin_s).toFixed(6);
  const end_s = (to_s + probe.origin_s).toFixed(6);
  // Times counted from the seek position would depend on where a seek ends, and on gaps.
  const read = { ...spec, to_s: Math.max(spec.to_s, held_s ?? spec.to_s) };
  const command = inputOf(path, read, seek_s)
    .inputOptions(["-copyts"])
    .output(file)
    .outputOptions([`-map 0:${video.index}`, ...passthrough])
    .videoCodec("libx264")
    .videoFilters([
      ...pictureFilters(spec, start_s, end_s, probe.origin_s),
      `scale=${even(size.width)}:${even(size.height)}`,
      "format=yuv420p",
    ])
    .outputOptions(["-preset veryfast", "-crf 23", "-movflags +faststart", "-f mp4", "-y"]);
  // Keeps ffmpeg from rounding times to an assumed rate. Builds of 2018 then write an edit list without the last frame,
  // so the file has no edit list and no reordered frames, which need one.
  if (video.variable && held_s === null)
    command.outputOptions(["-enc_time_base 1:90000", "-bf 0", "-use_editlist 0"]);
  const sound = bestAudio(probe.audio);
  // All sound may be encoded before the held picture is; builds of 2018 keep only 128 packets waiting for it.
  if (held_s !== null) command.outputOptions(["-max_muxing_queue_size 1000000"]);
  if (spec.sound && sound !== undefined)
    command
      .outputOptions([`-map 0:${sound.index}`])
      .audioFilters(soundFilters(trimmed(spec), probe.origin_s))
      .audioCodec("aac")
      .audioBitrate("96k");
  return command;
}

/** Filters that select the pictures of a clip and give them its times. */
function pictureFilters(
  { from_s, to_s, held_s = null }: ClipSpec,
  start_s: string,
  end_s: string,
  origin_s: number,
): string[] {
  // `trim` rounds to the time base, which in AVI is a frame.
  const own = `gte(t,${start_s})*lt(t,${end_s})`;
  if (held_s === null) return [`select='${own}'`, `setpts=PTS-${start_s}/TB`];
  const [after_s, before_s] = [-ROUNDING_S, ROUNDING_S].map((away_s) =>
    (held_s + origin_s + away_s).toFixed(6),
  );
  const length_s = (to_s - from_s).toFixed(6);
  return [
    `select='${own}+between(t,${after_s},${before_s})'`,
    // The time base of the file may be as coarse as the pictures are slow.
    "settb=1/90000",
    // The end of the file, which may be before the clip, also passes the filter and must come after the held picture.
    `setpts='if(N,max(PTS-${start_s}/TB,1/${HELD_FPS}/TB),0)'`,
    `fps=${HELD_FPS}`,
    `tpad=stop_mode=clone:stop_duration=${length_s}`,
    `trim=end=${length_s}`,
  ];
}

/** Adds an output with the time of the first frame after the seek. */
function firstFrameOutput(command: Ffmpeg.FfmpegCommand, stream: number, passthrough: string[]) {
  command
    .output("pipe:1")
    .outputOptions([`-map 0:${stream}`, ...passthrough, "-frames:v 1"])
    .videoFilters(["scale=16:16"])
    .videoCodec("rawvideo")
    .outputOptions(["-enc_time_base 1:1000000", "-flush_packets 1", "-f framecrc"]);
}

/** Runs ffmpeg and returns true, or false if its first frame is later than `latest_s` on the container's clock. */
async function decodesFrom(
  latest_s: number,
  args: string[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const late = new AbortController();
  let lines = "";
  let inTime = false;
  const onStdout = (chunk: Buffer) => {
    lines += chunk.toString("latin1");
    const [, micros] = /^0, *-?\d+, *(-?\d+),.*\n/m.exec(lines) ?? [];
    if (micros === undefined) return;
    inTime = Number(micros) <= latest_s * 1e6;
    if (!inTime) late.abort();
  };
  try {
    const signals = [late.signal, ...(signal === undefined ? [] : [signal])];
    await runFfmpeg(args, { signal: AbortSignal.any(signals), onStdout });
  } catch (error) {
    // Without a frame in time the seek failed, not the video.
    if (inTime || signal?.aborted) throw error;
  }
  return inTime;
}

/**
 * Writes the default sound of a segment as 16-bit WAV. If the sound starts later than `from_s`, the file begins with silence.
 * Throws `Failure`: `no-audio`, `wrong-usage` (outside the video), `damaged`, `disk-full`, `media-limit`,
 * `cancelled`.
 */
export async function extractAudio(
  path: string,
  probe: Pick<Probe, "audio" | "duration_s" | "origin_s">,
  spec: AudioSpec,
  file: string,
  opts: { signal?: AbortSignal } = {},
): Promise<void> {
  const sound = bestAudio(probe.audio);
  if (sound === undefined) throw new Failure("no-audio", `${path} has no sound.`, { path });
  check(path, probe, spec);
  const piece = { ...trimmed(spec), stream: sound.index, signal: opts.signal };
  await runFfmpeg(
    [
      ...(await soundInput(path, probe, piece)),
      ...["-c:a", "pcm_s16le", "-ar", String(spec.sample_rate), "-ac", String(spec.channels)],
      ...["-f", "wav", "-y", `file:${resolve(file)}`],
    ],
    opts,
  );
}

interface Span {
  from_s: number;
  to_s: number;
}

/** Positions to seek to, to be tried in order; null: the start of the file. */
function seeksTo(
  { container }: Pick<Probe, "container">,
  span: Pick<Span, "from_s">,
): (number | null)[] {
  const start_s = startOf(span);
  if (INDEXED.test(container)) return [start_s > 0 ? start_s : null];
  return [...SEEK_EARLY_S.map((early_s) => start_s - early_s).filter((at_s) => at_s > 0), null];
}

/** Reads slightly beyond the end: `-t` of an input counts from the first frame, not from the seek position. */
function inputOf(path: string, span: Span, seek_s: number | null) {
  const options = inputArgs(path);
  // Only a clip or sound that is cut needs it.
  const ffmpeg = createRequire(import.meta.url)("fluent-ffmpeg") as typeof Ffmpeg;
  return ffmpeg()
    .input(options.at(-1) ?? path)
    .inputOptions([
      ...pairs(options.slice(0, -2)),
      ...(seek_s === null ? [] : [`-ss ${seek_s.toFixed(6)}`]),
      `-t ${(span.to_s - (seek_s ?? 0) + 1).toFixed(6)}`,
    ]);
}

function startOf({ from_s }: Pick<Span, "from_s">): number {
  return Math.max(0, from_s - ROUNDING_S);
}

/** The segment without frames that only rounding moves into it. */
function trimmed(span: Span): Span {
  return { from_s: startOf(span), to_s: span.to_s - ROUNDING_S };
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
