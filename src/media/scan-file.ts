import { Failure } from "../core/errors.ts";
import { chromaSize, type Scan } from "./scan.ts";
import { PictureFile, type Pictures, picturesInFile } from "./scan-pictures.ts";

const HEAD = 3;
const DOUBLE = Float64Array.BYTES_PER_ELEMENT;
/** Pictures that are packed together. */
const TOGETHER = 256;

/**
 * The scan as bytes: count, width and height as doubles, the times, the signatures, the colours. Each part is valid until
 * the next one is asked for.
 */
export function* packScan(scan: Scan): Generator<Uint8Array> {
  const { count, width, height, pts_s } = scan;
  yield bytesOf(Float64Array.of(count, width, height));
  yield bytesOf(pts_s);
  yield* packPictures(scan.signatures, count, width * height);
  yield* packPictures(scan.chroma, count, chromaSize(scan));
}

function* packPictures(pictures: Pictures, count: number, size: number): Generator<Uint8Array> {
  const packed = new Uint8Array(Math.min(TOGETHER, count) * size);
  for (let first = 0; first < count; first += TOGETHER) {
    const frames = Math.min(TOGETHER, count - first);
    for (let i = 0; i < frames; i++) packed.set(pictures.at(first + i), i * size);
    yield packed.subarray(0, frames * size);
  }
}

/**
 * Opens a file of packed bytes. It stays open while the scan is in use, so that it may be removed meanwhile.
 * Throws `Failure` `store-damaged` for a file that `packScan` did not make, and the system's error for a missing one.
 */
export function openScan(path: string): Scan {
  const file = new PictureFile(path, "r");
  const { size } = file;
  const doubles = (from: number, number: number) =>
    new Float64Array(file.read(from * DOUBLE, new Uint8Array(number * DOUBLE)).buffer);
  const [count = -1, width = -1, height = -1] = size < HEAD * DOUBLE ? [] : doubles(0, HEAD);
  const start = (HEAD + count) * DOUBLE;
  const colours = start + count * width * height;
  if (count < 0 || size !== colours + count * chromaSize({ width, height }))
    throw new Failure(
      "store-damaged",
      `The scan is damaged: ${count} frames do not fit ${size} bytes.`,
    );
  return {
    count,
    width,
    height,
    pts_s: doubles(HEAD, count),
    signatures: picturesInFile(file, start, () => count, width * height),
    chroma: picturesInFile(file, colours, () => count, chromaSize({ width, height })),
  };
}

const bytesOf = (doubles: Float64Array) =>
  new Uint8Array(doubles.buffer, doubles.byteOffset, doubles.byteLength);
