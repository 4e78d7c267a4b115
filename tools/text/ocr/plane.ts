/** A greyscale image: one byte per pixel, row by row. */
export interface Plane {
  pixels: Uint8Array;
  width: number;
  height: number;
}
