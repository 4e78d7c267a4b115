import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";

/** One entry of a log file; `make` is called when the entry is written. */
export interface LogEntry {
  name: string;
  make: () => unknown;
}

/** The same for every entry, so that equal entries give equal files. The time is local because ZIP stores local times. */
const OPTIONS = {
  mtime: new Date(1980, 0, 1),
  forceDosTimestamp: true,
  mode: 0o100644,
  compressionLevel: 6,
};

/**
 * Writes a log file of Inspect: a ZIP archive of JSON documents. Entries are made one after another, so that only one is in
 * memory at a time. Throws what `make` throws, and the errors of the file system.
 */
export async function writeLogFile(file: string, entries: readonly LogEntry[]): Promise<void> {
  const zip = new ZipFile();
  for (const { name, make } of entries)
    zip.addReadStreamLazy(name, OPTIONS, (done) => {
      toStream(make).then(
        (stream) => done(null, stream),
        (error: unknown) => done(error, Readable.from([])),
      );
    });
  zip.end();
  const failed = new Promise<never>((_, reject) => zip.on("error", reject));
  const out = createWriteStream(file);
  try {
    await Promise.race([pipeline(zip.outputStream, out), failed]);
  } finally {
    out.destroy();
  }
}

async function toStream(make: LogEntry["make"]): Promise<Readable> {
  return Readable.from([Buffer.from(JSON.stringify(await make()))]);
}
