import type { Store } from "../../src/core/contracts.ts";
import { Failure } from "../../src/core/errors.ts";
import { sharp } from "../../src/media/sharp.ts";

/**
 * Returns a picture of the store as a JPEG at most `width` pixels wide. Throws `Failure` `not-found`, or `damaged`
 * for a file that is not a picture.
 */
export async function thumbnail(
  store: Pick<Store, "blobs">,
  hash: string,
  width: number,
): Promise<Uint8Array> {
  const bytes = await store.blobs.read(hash);
  try {
    return await sharp(bytes)
      .resize({ width, withoutEnlargement: true })
      .jpeg({ quality: 70 })
      .toBuffer();
  } catch (error) {
    throw new Failure(
      "damaged",
      `Cannot read the picture ${hash}: its data is damaged or not an image.`,
      { hash },
      { cause: error },
    );
  }
}
