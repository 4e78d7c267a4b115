import type { FileHandle } from "node:fs/promises";

/** Writes all bytes at a place of a file. A disk that fills takes the first of them without an error; the next write tells it. */
export async function writeBytes(
  file: FileHandle,
  bytes: Uint8Array,
  start: number,
): Promise<void> {
  let count = 0;
  while (count < bytes.byteLength) {
    const rest = bytes.byteLength - count;
    count += (await file.write(bytes, count, rest, start + count)).bytesWritten;
  }
}
