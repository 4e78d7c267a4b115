/** A greyscale image: one byte per pixel, row by row. */
export interface Plane {
  pixels: Uint8Array;
  width: number;
  height: number;
}

/**
 * Frees the memory of arrays that are not used any more. The garbage collector would run more often for the size of a
 * picture's arrays than for all other objects.
 */
export function free(...arrays: readonly ArrayBufferView[]): void {
  for (const { buffer } of arrays) if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
