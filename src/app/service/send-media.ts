import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { parseRange } from "./byte-ranges.ts";
import { notFound } from "./problems.ts";
import type { Ctx } from "./service-context.ts";

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
  { path, size, container }: { path: string; size: number; container: string },
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
  // Opened before the response starts, so that a file that was just removed is a 404.
  const file = await open(path).catch(() => {
    throw notFound("a video");
  });
  const stream = file.createReadStream({ start: first, end: last });
  return c.body(Readable.toWeb(stream) as ReadableStream, status, headers);
}
