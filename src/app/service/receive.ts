import { createWriteStream } from "node:fs";
import { stat, truncate } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { toFailure } from "../../core/errors.ts";
import type { Patience } from "./options.ts";
import { refuse } from "./problems.ts";

export interface Receiving {
  /** The file, and how many bytes it holds: what comes is written behind them. */
  file: string;
  from: number;
  /** At most so many bytes are taken; one more refuses the whole part. */
  most: number;
  /** How many bytes the file may hold, asked whenever more than that would be written; throws a problem 507. */
  extend: (arrived: number) => Promise<number>;
  patience: Patience;
  onBytes?: (count: number) => void;
}

/**
 * Writes a body to a file as it comes, and returns how many bytes came. Real bytes count, whatever a header announced.
 * Throws a problem 413 (more than `most`: the file is cut back to what it was) or 408 (too slow), and `Failure`
 * `disk-full`; a client that leaves ends it with what had come, which stays.
 */
export async function receive(
  body: Readable,
  { file, from, most, extend, patience, onBytes }: Receiving,
): Promise<number> {
  let count = 0;
  let granted = from;
  let refused: { why: unknown } | undefined;
  const began = performance.now();
  const late = new AbortController();
  const giveUp = () => late.abort();
  let idle = setTimeout(giveUp, patience.idle_ms);
  async function* counted(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      clearTimeout(idle);
      idle = setTimeout(giveUp, patience.idle_ms);
      count += chunk.length;
      if (count > most) throw tooLong(most);
      const elapsed = performance.now() - began;
      if (elapsed > patience.slow_after_ms && (count / elapsed) * 1000 < patience.least_rate)
        giveUp();
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
    // A write that was under way could still lengthen the file.
    await closed;
    if (count > most) await truncate(file, from);
    if (refused !== undefined) throw refused.why;
    if (late.signal.aborted) throw tooSlow();
    // Not all that was read from a client that left was written.
    if (isGone(error)) return (await stat(file)).size - from;
    throw count > most ? error : toFailure(error, "file-unreadable", "storing an upload");
  } finally {
    clearTimeout(idle);
  }
}

function tooLong(most: number) {
  return refuse(413, "too-large", `At most ${most} bytes are accepted here, and more arrived.`);
}

function tooSlow() {
  return refuse(
    408,
    "too-slow",
    "The bytes arrive too slowly. Continue the upload from its offset.",
    { headers: { Connection: "close" } },
  );
}

/** The client hung up. */
function isGone(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return error.code === "ECONNRESET" || error.code === "ERR_STREAM_PREMATURE_CLOSE";
}
