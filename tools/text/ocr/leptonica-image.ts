import type { Plane } from "./plane.ts";

const DEPTH = 8;
const HEAD = 28;

/**
 * Grey pixels in the format in which Leptonica, the library that tesseract reads pictures with, stores them itself (SPIX):
 * words of 32 bits with four pixels each, the first one in the highest byte. It is read as it is, PGM byte by byte.
 */
export function leptonicaImage({ pixels, width, height }: Plane): Buffer {
  const words = Math.ceil(width / 4);
  const image = Buffer.alloc(HEAD + words * 4 * height);
  image.write("spix", 0, "latin1");
  const colours = 0;
  for (const [at, number] of [width, height, DEPTH, words, colours, words * 4 * height].entries())
    image.writeUInt32LE(number, (at + 1) * 4);
  const raster = image.subarray(HEAD);
  for (let y = 0; y < height; y++)
    raster.set(pixels.subarray(y * width, (y + 1) * width), y * words * 4);
  raster.swap32();
  return image;
}
