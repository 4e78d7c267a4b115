import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import ffmpeg from "fluent-ffmpeg";
import { Failure, toFailure } from "../core/errors.ts";
import { segmentFrames } from "./compose/frames.ts";
import { SAMPLE_RATE, writeSound } from "./compose/sound.ts";
import type {
  Caption,
  ComposeSpec,
  Composition,
  Segment,
  SegmentPlacement,
} from "./compose/spec.ts";
import { runFfmpeg } from "./run-ffmpeg.ts";

export type { Font, Picture, Shape } from "./compose/picture.ts";
export { barChart } from "./compose/picture.ts";
export type * from "./compose/spec.ts";

export interface ComposeOptions {
  signal?: AbortSignal;
  /** Frames written so far, and frames in total. */
  progress?: (done: number, total: number) => void;
}

/**
 * Writes an mp4 (H.264 yuv420p, AAC) of drawn pictures, cards and segments of other videos, and returns the time of each
 * segment; boundaries are exact to the frame. Frames are streamed, so memory does not grow with length.
 * The file appears when it is complete. Throws `Failure` `wrong-usage` for an invalid specification.
 */
export async function compose(
  spec: ComposeSpec,
  file: string,
  { signal, progress }: ComposeOptions = {},
): Promise<Composition> {
  check(spec);
  const segments = placeSegments(spec);
  const total = segments.reduce((sum, segment) => sum + segment.frames, 0);
  const folder = await mkdtemp(join(dirname(resolve(file)), ".compose-")).catch(
    (error: unknown) => {
      throw toFailure(error, "file-unreadable", `writing ${file}`);
    },
  );
  try {
    const sound = spec.silent === true ? undefined : join(folder, "sound.pcm");
    if (sound !== undefined)
      await writeSound(
        segments.map((place, i) => ({ ...place, segment: spec.segments[i] as Segment })),
        sound,
        signal,
      );
    const captions = spec.subtitles === undefined ? undefined : join(folder, "captions.srt");
    if (captions !== undefined) await writeFile(captions, srtOf(spec.subtitles?.captions ?? []));
    const made = join(folder, "made.mp4");
    const embedded = spec.subtitles?.where === "sidecar" ? undefined : captions;
    await runFfmpeg(encoderArgs(spec, made, sound, embedded), {
      signal,
      stdin: Readable.from(
        allFrames(spec, segments, signal, (done) => progress?.(done, total)),
        {
          highWaterMark: 2,
        },
      ),
    });
    await rename(made, file);
    if (captions !== undefined && spec.subtitles?.where !== "embedded")
      await rename(captions, sidecarOf(file));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return { segments, duration_s: total / spec.fps };
}

/** `lesson.mp4` -> `lesson.srt` */
function sidecarOf(file: string): string {
  return join(dirname(file), `${basename(file, extname(file))}.srt`);
}

function check(spec: ComposeSpec): void {
  const wrong = (what: string, given: unknown, use: string) =>
    new Failure("wrong-usage", `Invalid ${what} ${given}: use ${use}.`, { given });
  for (const side of [spec.width, spec.height])
    if (!Number.isInteger(side) || side < 16 || side % 2 !== 0)
      throw wrong("side of a composed video", side, "an even number from 16 up");
  if (!(spec.fps > 0 && spec.fps <= 240))
    throw wrong("frame rate of a composed video", spec.fps, "a number above 0 and at most 240");
  if (spec.segments.length === 0) throw wrong("number of segments to compose", 0, "at least one");
  for (const segment of spec.segments) {
    const seconds = secondsOf(segment);
    if (!(seconds > 0 && Number.isFinite(seconds)))
      throw wrong("length of a segment", `${seconds} s`, "more than 0 s");
    if (segment.kind === "clip" && !(segment.from_s >= 0))
      throw wrong("start of a clip", `${segment.from_s} s`, "0 s or later");
  }
}

function secondsOf(segment: Segment): number {
  return segment.kind === "clip" ? segment.to_s - segment.from_s : segment.duration_s;
}

function placeSegments({ segments, fps }: ComposeSpec): SegmentPlacement[] {
  let before = 0;
  return segments.map((segment) => {
    const frames = Math.max(1, Math.round(secondsOf(segment) * fps));
    const start = before;
    before += frames;
    return { kind: segment.kind, start_s: start / fps, end_s: before / fps, frames };
  });
}

async function* allFrames(
  spec: ComposeSpec,
  segments: readonly SegmentPlacement[],
  signal: AbortSignal | undefined,
  progress: (done: number) => void,
): AsyncGenerator<Uint8Array> {
  let done = 0;
  for (const [i, { frames }] of segments.entries()) {
    const segment = spec.segments[i] as Segment;
    for await (const frame of segmentFrames(segment, frames, spec, i, signal)) {
      yield frame;
      done++;
      if (done % 50 === 0) progress(done);
    }
  }
  progress(done);
}

function encoderArgs(
  spec: ComposeSpec,
  file: string,
  sound: string | undefined,
  captions: string | undefined,
): string[] {
  const command = ffmpeg()
    .input("pipe:0")
    .inputOptions([
      ...["-f rawvideo", "-pix_fmt yuv420p", `-s ${spec.width}x${spec.height}`],
      `-framerate ${spec.fps}`,
    ])
    .outputOptions(["-map 0:v"])
    .videoCodec("libx264")
    .outputOptions([
      ...[`-preset ${spec.preset ?? "veryfast"}`, `-crf ${spec.crf ?? 20}`, "-pix_fmt yuv420p"],
      "-movflags +faststart",
    ])
    .output(file);
  let inputs = 1;
  if (sound !== undefined)
    command
      .input(sound)
      .inputOptions(["-f s16le", `-ar ${SAMPLE_RATE}`, "-ac 2"])
      .outputOptions([`-map ${inputs++}:a`])
      .audioCodec("aac")
      .audioBitrate("128k");
  if (captions !== undefined)
    command
      .input(captions)
      .inputOptions(["-f srt"])
      .outputOptions([
        ...[`-map ${inputs++}:s`, "-c:s mov_text"],
        `-metadata:s:s:0 language=${spec.subtitles?.language ?? "eng"}`,
      ]);
  return command._getArguments();
}

function srtOf(captions: readonly Caption[]): string {
  return captions
    .map(
      ({ start_s, end_s, text }, i) =>
        `${i + 1}\n${srtTime(start_s)} --> ${srtTime(end_s)}\n${text}\n\n`,
    )
    .join("");
}

/** `00:01:02,345` */
function srtTime(seconds: number): string {
  const ms = Math.round(seconds * 1000);
  const two = (n: number) => String(Math.floor(n)).padStart(2, "0");
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)},${String(ms % 1000).padStart(3, "0")}`;
}
