import { extname, join } from "node:path";
import { runFfmpeg } from "../../src/media/run-ffmpeg.ts";
import { madeOnce } from "./made-once.ts";

/** The time code is a strip of `BITS` squares of `SQUARE` pixels, light or dark, at the top left. */
export const BITS = 14;
export const SQUARE = 16;

export interface ClipSpec {
  /** Number of frames. */
  frames: number;
  width?: number;
  height?: number;
  rate?: number;
  /** More filters on the picture, such as a change of times. */
  filter?: string;
  /** Options of the encoder and muxer. Default: H.264 with three reordered frames and a key frame every 24. */
  encode?: string[];
}

const H264 = [
  ...["-c:v", "libx264", "-preset", "veryfast", "-bf", "3", "-g", "24", "-sc_threshold", "0"],
  ...["-pix_fmt", "yuv420p"],
];

/**
 * Makes a video in which every frame shows its own number as light and dark squares, so that no font is needed.
 * The picture below is ffmpeg's moving test card.
 */
export async function makeClip(folder: string, name: string, spec: ClipSpec): Promise<string> {
  const { frames, width = 320, height = 180, rate = 25, filter, encode = H264 } = spec;
  const codes = new Uint8Array(frames * BITS);
  for (let frame = 0; frame < frames; frame++)
    for (let bit = 0; bit < BITS; bit++)
      codes[frame * BITS + bit] = (frame >> (BITS - 1 - bit)) & 1 ? 235 : 16;
  const file = join(folder, name);
  const what = JSON.stringify([extname(name), frames, width, height, rate, filter, encode]);
  const strip = `scale=${BITS * SQUARE}:${SQUARE}:flags=neighbor,format=yuv420p`;
  const end = filter === undefined ? "" : `,${filter}`;
  await madeOnce(what, file, async (made) => {
    await runFfmpeg(
      [
        ...["-f", "rawvideo", "-pix_fmt", "gray", "-s", `${BITS}x1`, "-r", String(rate)],
        ...["-i", "pipe:0", "-f", "lavfi", "-i", `testsrc2=s=${width}x${height}:r=${rate}`],
        ...["-filter_complex", `[0:v]${strip}[code];[1:v][code]overlay=0:0:shortest=1${end}[v]`],
        ...["-map", "[v]", ...encode, "-y", made],
      ],
      { stdin: codes },
    );
  });
  return file;
}

/** The number in the time code of raw pixels with `channels` bytes each; the picture must be upright and unscaled. */
export function readCode(pixels: Uint8Array, width: number, channels: number): number {
  let number = 0;
  for (let bit = 0; bit < BITS; bit++) {
    const x = bit * SQUARE + SQUARE / 2;
    const value = pixels[(SQUARE / 2) * width * channels + x * channels] ?? 0;
    number = number * 2 + (value > 128 ? 1 : 0);
  }
  return number;
}
