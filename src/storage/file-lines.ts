import { open } from "node:fs/promises";
import { systemCode } from "../core/errors.ts";

const NEWLINE = 0x0a;
const CHUNK_BYTES = 2 ** 20;

/** A line of a file, without its line end. */
export interface FileLine {
  /** Its bytes, until the next line is visited. */
  bytes: Buffer;
  /** Place after the line and its line end, in bytes from the start of the file. */
  end: number;
  /** False for a last line without a line end. */
  isEnded: boolean;
}

/**
 * Visits the lines of a file, and returns the size of what was read, in bytes. A missing file has no lines. The parts of
 * the file are read into the same memory: new memory for a large file takes several times as long as reading it.
 */
export async function visitLines(path: string, visit: (line: FileLine) => void): Promise<number> {
  const file = await open(path).catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  });
  if (file === null) return 0;
  let buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  /** Place of the buffer in the file, and the bytes at its start of a line whose end was not read yet. */
  let place = 0;
  let held = 0;
  try {
    for (;;) {
      if (held === buffer.length)
        buffer = Buffer.concat([buffer, Buffer.allocUnsafeSlow(buffer.length)]);
      const { bytesRead } = await file.read(buffer, held, buffer.length - held, place + held);
      if (bytesRead === 0) break;
      const read = buffer.subarray(0, held + bytesRead);
      let start = 0;
      for (let from = held; ; from = start) {
        const newline = read.indexOf(NEWLINE, from);
        if (newline < 0) break;
        const bytes = read.subarray(start, newline);
        start = newline + 1;
        visit({ bytes, end: place + start, isEnded: true });
      }
      read.copyWithin(0, start);
      held = read.length - start;
      place += start;
    }
    const end = place + held;
    if (held > 0) visit({ bytes: buffer.subarray(0, held), end, isEnded: false });
    return end;
  } finally {
    await file.close();
  }
}
