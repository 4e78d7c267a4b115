import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { parseRange } from "./byte-ranges.ts";
import { notFound } from "./problems.ts";
import type { Ctx } from "./service-context.ts";

/** The bytes from `first` to `last`, both included. */
type ReadBytes = (first: number, last: number) => Promise<AsyncIterable<Uint8Array> | Readable>;

/** Media types that browsers play, by the container name of ffmpeg. */
const TYPES: readonly (readonly [RegExp, string])[] = [
  [/mp4|mov/, "video/mp4"],
  [/matroska|webm/, "video/webm"],
  [/ogg/, "video/ogg"],
  [/wav/, "audio/wav"],
  [/mp3/, "audio/mpeg"],
  [/flac/, "audio/flac"],
  [/^aac$/, "audio/aac"],
];

/** Answers with a media file or the byte range of the request. Throws a 404 or 416 problem. */
export async function sendMedia(
  c: Ctx,
  { size, container, read }: { size: number; container: string; read: ReadBytes },
) {
  const span = parseRange(c.req.header("range"), size);
  const { first, last } = span ?? { first: 0, last: size - 1 };
  const headers = {
    "Content-Type": TYPES.find(([name]) => name.test(container))?.[1] ?? "application/octet-stream",
    "Content-Length": String(last - first + 1),
    "Accept-Ranges": "bytes",
    "Cache-Control": "private, no-cache",
    ...(span === null ? {} : { "Content-Range": `bytes ${first}-${last}/${size}` }),
  };
  const status = span === null ? 200 : 206;
  if (c.req.method === "HEAD") return c.body(null, status, headers);
  const bytes = await read(first, last);
  const stream = bytes instanceof Readable ? bytes : Readable.from(await begun(bytes));
  return c.body(Readable.toWeb(stream) as ReadableStream, status, headers);
}

/** Reads the first bytes before the response starts, so that damaged ones are an error of the request. */
async function begun(bytes: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const rest = bytes[Symbol.asyncIterator]();
  const first = await rest.next();
  return (async function* () {
    try {
      for (let next = first; !next.done; next = await rest.next()) yield next.value;
    } finally {
      await rest.return?.();
    }
  })();
}

/** Reads a file of the disk. Throws a 404 problem. */
export function fileReader(path: string): ReadBytes {
  return async (first, last) => {
    // Opened before the response starts, so that a file that was just removed is a 404.
    const file = await open(path).catch(() => {
      throw notFound("a video");
    });
    return file.createReadStream({ start: first, end: last });
  };
}
