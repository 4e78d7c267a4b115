/** A greyscale image: one byte per pixel, row by row. */
export interface Plane {
  pixels: Uint8Array;
  width: number;
  height: number;
}

/**
 * Frees the memory of arrays that are not used any more; not that of an array that is a part of its memory. The garbage
 * collector would run more often for the size of a picture's arrays than for all other objects.
 */
export function free(...arrays: readonly ArrayBufferView[]): void {
  for (const { buffer, byteLength } of arrays) {
    const alone = buffer instanceof ArrayBuffer && byteLength === buffer.byteLength;
    if (alone && !buffer.detached) buffer.transfer(0);
  }
}
