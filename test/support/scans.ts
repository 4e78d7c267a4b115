import type { Scan } from "../../src/media/scan.ts";
import { picturesIn } from "../../src/media/scan-pictures.ts";

const WIDTH = 64;
const HEIGHT = 36;

/**
 * A scan of `frames` frames with these grey levels per cell, at `fps` frames per second. `colour` gives Cb and Cr at a
 * cell of half the size; default: grey.
 */
export function scanOf(
  frames: number,
  fps: number,
  level: (frame: number, x: number, y: number) => number,
  colour?: (frame: number, x: number, y: number) => readonly [cb: number, cr: number],
): Scan {
  const signatures = new Uint8Array(frames * WIDTH * HEIGHT);
  for (let frame = 0; frame < frames; frame++)
    for (let y = 0; y < HEIGHT; y++)
      for (let x = 0; x < WIDTH; x++)
        signatures[(frame * HEIGHT + y) * WIDTH + x] = Math.round(level(frame, x, y));
  const plane = (WIDTH / 2) * (HEIGHT / 2);
  const chroma = new Uint8Array(frames * plane * 2).fill(128);
  if (colour !== undefined)
    for (let frame = 0; frame < frames; frame++)
      for (let cell = 0; cell < plane; cell++) {
        const [cb, cr] = colour(frame, cell % (WIDTH / 2), Math.floor(cell / (WIDTH / 2)));
        chroma[frame * plane * 2 + cell] = Math.round(cb);
        chroma[frame * plane * 2 + plane + cell] = Math.round(cr);
      }
  return {
    count: frames,
    pts_s: Float64Array.from({ length: frames }, (_, frame) => frame / fps),
    width: WIDTH,
    height: HEIGHT,
    signatures: picturesIn(signatures, WIDTH * HEIGHT),
    chroma: picturesIn(chroma, plane * 2),
  };
}
