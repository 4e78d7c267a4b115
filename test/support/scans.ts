import type { Scan } from "../../src/media/scan.ts";

const WIDTH = 64;
const HEIGHT = 36;

/** A scan of `frames` frames with these grey levels per cell, at `fps` frames per second. */
export function scanOf(
  frames: number,
  fps: number,
  level: (frame: number, x: number, y: number) => number,
): Scan {
  const signatures = new Uint8Array(frames * WIDTH * HEIGHT);
  for (let frame = 0; frame < frames; frame++)
    for (let y = 0; y < HEIGHT; y++)
      for (let x = 0; x < WIDTH; x++)
        signatures[(frame * HEIGHT + y) * WIDTH + x] = Math.round(level(frame, x, y));
  return {
    count: frames,
    pts_s: Float64Array.from({ length: frames }, (_, frame) => frame / fps),
    width: WIDTH,
    height: HEIGHT,
    signatures,
  };
}
