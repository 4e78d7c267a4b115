import { seeded } from "../../core/random.ts";

/*
 * Frames as ffmpeg's `rawvideo` takes them: planar yuv420p, limited range, BT.601.
 * Width and height are even.
 */

export function frameBytes(width: number, height: number): number {
  return (width * height * 3) / 2;
}

/** From interleaved RGB; chroma is the mean of each 2x2 block. */
export function toYuv(rgb: Uint8Array, width: number, height: number): Uint8Array {
  const yuv = new Uint8Array(frameBytes(width, height));
  const chroma = (width * height) / 4;
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      let r = 0;
      let g = 0;
      let b = 0;
      for (const at of [
        y * width + x,
        y * width + x + 1,
        (y + 1) * width + x,
        (y + 1) * width + x + 1,
      ]) {
        const red = rgb[at * 3] ?? 0;
        const green = rgb[at * 3 + 1] ?? 0;
        const blue = rgb[at * 3 + 2] ?? 0;
        yuv[at] = 16 + (65.481 * red + 128.553 * green + 24.966 * blue) / 255 + 0.5;
        r += red;
        g += green;
        b += blue;
      }
      const at = width * height + ((y / 2) * width) / 2 + x / 2;
      yuv[at] = 128 + (-37.797 * r - 74.203 * g + 112 * b) / 1020 + 0.5;
      yuv[at + chroma] = 128 + (112 * r - 93.786 * g - 18.214 * b) / 1020 + 0.5;
    }
  }
  return yuv;
}

/** Towards black: `share` 1 leaves the frame as it is, 0 makes it black. */
export function dim(yuv: Uint8Array, pixels: number, share: number): Uint8Array {
  const out = new Uint8Array(yuv.length);
  for (let i = 0; i < pixels; i++) out[i] = 16 + ((yuv[i] ?? 16) - 16) * share + 0.5;
  for (let i = pixels; i < yuv.length; i++) out[i] = 128 + ((yuv[i] ?? 128) - 128) * share + 0.5;
  return out;
}

const GRAINS = 1 << 16;

/** Adds Gaussian noise to the luma of frame after frame; `sigma` in 8-bit steps. Depends only on the seed. */
export function noiseMaker(
  sigma: number,
  seed: string | number,
): (yuv: Uint8Array, pixels: number) => Uint8Array {
  const random = seeded("noise", seed);
  const grains = new Int8Array(GRAINS);
  for (let i = 0; i < GRAINS; i++) {
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    grains[i] = Math.round(sigma * radius * Math.cos(2 * Math.PI * random()));
  }
  return (yuv, pixels) => {
    const out = Uint8Array.from(yuv);
    const from = Math.floor(random() * GRAINS);
    // A stride prime to the table's length keeps rows of any width from showing a pattern.
    for (let i = 0; i < pixels; i++) {
      const value = (yuv[i] ?? 16) + (grains[(from + i * 40503) & (GRAINS - 1)] ?? 0);
      out[i] = Math.max(0, Math.min(255, value));
    }
    return out;
  };
}
