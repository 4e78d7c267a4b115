import { once } from "node:events";
import { PassThrough } from "node:stream";
import { Failure } from "../../core/errors.ts";
import { inputArgs, runFfmpeg } from "../run-ffmpeg.ts";
import { drawPicture, type Picture } from "./picture.ts";
import type { CardSegment, ClipSegment, PictureSegment, Segment } from "./spec.ts";
import { dim, frameBytes, noiseMaker, toYuv } from "./yuv.ts";

export interface Output {
  width: number;
  height: number;
  fps: number;
}

/** Exactly `frames` yuv420p frames of a segment. */
export async function* segmentFrames(
  segment: Segment,
  frames: number,
  output: Output,
  seed: number,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const pixels = output.width * output.height;
  const shareAt = fades(segment, frames, output.fps);
  const addNoise =
    segment.noise !== undefined && segment.noise > 0 ? noiseMaker(segment.noise, seed) : undefined;
  const source =
    segment.kind === "clip"
      ? clipFrames(segment, frames, output, signal)
      : drawnFrames(segment, frames, output);
  let i = 0;
  for await (const frame of source) {
    const share = shareAt(i++);
    const dimmed = share < 1 ? dim(frame, pixels, share) : frame;
    yield addNoise === undefined ? dimmed : addNoise(dimmed, pixels);
  }
}

/** Brightness factor of a frame during fades, 0 to 1. */
function fades(segment: Segment, frames: number, fps: number): (i: number) => number {
  const fadeIn = Math.round((segment.fade_in_s ?? 0) * fps);
  const fadeOut = Math.round((segment.fade_out_s ?? 0) * fps);
  return (i) => {
    const risen = fadeIn > 0 ? i / fadeIn : 1;
    const left = fadeOut > 0 ? (frames - 1 - i) / fadeOut : 1;
    return Math.max(0, Math.min(1, risen, left));
  };
}

async function* drawnFrames(
  segment: PictureSegment | CardSegment,
  frames: number,
  { width, height, fps }: Output,
): AsyncGenerator<Uint8Array> {
  const picture = segment.kind === "card" ? cardPicture(segment) : segment.picture;
  const draw = async (drawing: Picture) =>
    toYuv(await drawPicture(drawing, width, height), width, height);
  const still = typeof picture === "function" ? undefined : await draw(picture);
  for (let i = 0; i < frames; i++)
    yield still ?? (await draw((picture as (t_s: number) => Picture)(i / fps)));
}

function cardPicture(card: CardSegment): Picture {
  const { font = "sans", size = 0.12, background = 0, ink = 255 } = card;
  return {
    background: grey(background),
    shapes: [{ draw: "text", text: card.text, x: 0.5, y: 0.5, size, font, colour: grey(ink) }],
  };
}

function grey(level: number): string {
  return `#${Math.round(level).toString(16).padStart(2, "0").repeat(3)}`;
}

/** Decodes at the output's size and rate; the last frame repeats if the source ends slightly early. */
async function* clipFrames(
  clip: ClipSegment,
  frames: number,
  output: Output,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { width, height, fps } = output;
  const enough = new AbortController();
  const filters = [
    `fps=${fps}:start_time=0`,
    "scale='trunc(iw*sar/2)*2':ih",
    `scale=${width}:${height}:force_original_aspect_ratio=decrease`,
    `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2`,
    "setsar=1",
    "format=yuv420p",
  ];
  const args = [
    ...["-ss", String(clip.from_s), "-t", String(frames / fps + 1)],
    ...inputArgs(clip.file),
    ...["-map", "0:V:0", "-vf", filters.join(","), "-frames:v", String(frames)],
    ...["-f", "rawvideo", "pipe:1"],
  ];
  const size = frameBytes(width, height);
  const pipe = new PassThrough({ highWaterMark: size * 4 });
  const reading = runFfmpeg(args, {
    signal: AbortSignal.any([enough.signal, ...(signal === undefined ? [] : [signal])]),
    onStdout: (chunk) => (pipe.write(chunk) ? undefined : once(pipe, "drain")),
  }).then(
    () => pipe.end(),
    (error: Error) => pipe.destroy(error),
  );
  let last: Uint8Array | undefined;
  let given = 0;
  try {
    for await (const frame of inFrames(pipe, size)) {
      last = frame;
      given++;
      yield frame;
    }
  } finally {
    enough.abort();
    await reading;
  }
  const missing_s = (frames - given) / fps;
  if (last === undefined || missing_s > 0.5)
    throw new Failure(
      "wrong-usage",
      `${clip.file} has no picture for all of ${clip.from_s} to ${clip.to_s} s: it ends ${missing_s.toFixed(1)} s before.`,
      { file: clip.file, from_s: clip.from_s, to_s: clip.to_s },
    );
  for (; given < frames; given++) yield last;
}

async function* inFrames(chunks: AsyncIterable<Buffer>, size: number): AsyncGenerator<Uint8Array> {
  let frame = new Uint8Array(size);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const taken = Math.min(chunk.length - at, size - filled);
      frame.set(chunk.subarray(at, at + taken), filled);
      at += taken;
      filled += taken;
      if (filled === size) {
        yield frame;
        frame = new Uint8Array(size);
        filled = 0;
      }
    }
  }
}
