import sharp from "sharp";
import type { Plane } from "../../tools/text/ocr/plane.ts";

/** The grey pixels of a picture. */
export async function greyPlane(image: Buffer): Promise<Plane> {
  const { data, info } = await sharp(image)
    .greyscale()
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: new Uint8Array(data), width: info.width, height: info.height };
}
