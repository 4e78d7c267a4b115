import { createWriteStream } from "node:fs";
import { stat, truncate } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { toFailure } from "../../core/errors.ts";
import type { Timeouts } from "./options.ts";
import { httpProblem } from "./problems.ts";

export interface WriteBodyOptions {
  /** The file, and the offset at which the body is written. */
  file: string;
  from: number;
  /** Maximum bytes of the body. A longer body is refused as a whole. */
  max: number;
  /** Reserves space for `arrived` bytes and more, and returns how many bytes the file may hold. Throws a 507 problem. */
  extend: (arrived: number) => Promise<number>;
  timeouts: Timeouts;
  onBytes?: (count: number) => void;
}

/**
 * Streams a request body to a file and returns the number of bytes written, whatever the headers announced.
 * If the client disconnects, the bytes that arrived stay in the file. Throws a 413 problem (longer than `max`: the file
 * is truncated to `from`), a 408 problem (too slow), and `Failure` `disk-full`.
 */
export async function writeBody(
  body: Readable,
  { file, from, max, extend, timeouts, onBytes }: WriteBodyOptions,
): Promise<number> {
  let count = 0;
  let granted = from;
  let refused: { why: unknown } | undefined;
  const began = performance.now();
  const late = new AbortController();
  const abort = () => late.abort();
  let idle = setTimeout(abort, timeouts.idle_ms);
  async function* counted(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      clearTimeout(idle);
      idle = setTimeout(abort, timeouts.idle_ms);
      count += chunk.length;
      if (count > max) throw tooLong(max);
      const elapsed = performance.now() - began;
      if (elapsed > timeouts.slow_after_ms && (count / elapsed) * 1000 < timeouts.min_rate) abort();
      while (from + count > granted)
        granted = await extend(from + count).catch((why: unknown) => {
          refused = { why };
          throw why;
        });
      onBytes?.(chunk.length);
      yield chunk;
    }
  }
  const out = createWriteStream(file, { flags: "r+", start: from });
  const closed = new Promise<void>((done) => out.once("close", done));
  try {
    await pipeline(body, counted, out, { signal: late.signal });
    return count;
  } catch (error) {
    // A pending write could still extend the file.
    await closed;
    if (count > max) await truncate(file, from);
    if (refused !== undefined) throw refused.why;
    if (late.signal.aborted) throw tooSlow();
    // Some bytes that were read from a disconnected client may not have been written.
    if (isDisconnect(error)) return (await stat(file)).size - from;
    throw count > max ? error : toFailure(error, "file-unreadable", "storing an upload");
  } finally {
    clearTimeout(idle);
  }
}

function tooLong(max: number) {
  return httpProblem(413, "too-large", `The body is longer than the limit of ${max} bytes.`);
}

function tooSlow() {
  return httpProblem(
    408,
    "too-slow",
    "The body arrives too slowly. Continue the upload from its offset.",
    { headers: { Connection: "close" } },
  );
}

/** Whether the client disconnected. */
function isDisconnect(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return error.code === "ECONNRESET" || error.code === "ERR_STREAM_PREMATURE_CLOSE";
}
