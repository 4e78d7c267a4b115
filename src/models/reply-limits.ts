import { exceededJsonLimit } from "../core/json-limits.ts";
import type { ReplyLimits } from "../core/settings.ts";
import { type AttemptError, unusable } from "./attempt.ts";
import { LARGE_REPLY } from "./large-replies.ts";

/* Limits on the memory of a reply of a model server. Anything beyond them is an unusable reply. */

/** Characters of JSON that the arguments of all tool calls of one reply may have. */
export const MOST_ARGUMENTS = 256 * 2 ** 10;
const MOST_CALLS = 256;
/** JSON nested deeper cannot be written again by recursive code. */
const MOST_DEPTH = 256;
/** A parsed value takes up to 60 bytes, however short its text: `{},` has three. */
const BYTES_PER_VALUE = 8;

export function tooLarge({ bytes }: ReplyLimits): AttemptError {
  return unusable(`larger than ${bytes / 2 ** 20} MB (the limit of --max-reply-mb)`);
}

export function tooManyHeaders({ headerBytes }: ReplyLimits): AttemptError {
  return unusable(
    `sent with more than ${headerBytes / 2 ** 10} kB of headers (the limit of --max-reply-header-kb)`,
  );
}

/**
 * Reads a whole body. Throws at the first byte beyond the limit, which ends the connection. Pieces are copied: a piece
 * of one byte would keep its whole buffer in memory. `onLarge` is awaited once, before more than `LARGE_REPLY` bytes
 * are in memory.
 */
export async function readBounded(
  body: AsyncIterable<Uint8Array> | null,
  limits: ReplyLimits,
  onLarge: () => Promise<unknown>,
): Promise<Uint8Array<ArrayBuffer>> {
  let buffer = new Uint8Array(0);
  let length = 0;
  for await (const piece of body ?? []) {
    const needed = length + piece.length;
    if (needed > limits.bytes) throw tooLarge(limits);
    if (length <= LARGE_REPLY && needed > LARGE_REPLY) await onLarge();
    if (needed > buffer.length) {
      const larger = new Uint8Array(Math.max(needed, Math.min(2 * buffer.length, limits.bytes)));
      larger.set(buffer.subarray(0, length));
      buffer = larger;
    }
    buffer.set(piece, length);
    length = needed;
  }
  return buffer.subarray(0, length);
}

/** Refuses JSON that is nested too deeply or has too many values, before it is parsed. */
export function checkShape(body: Uint8Array, limits: ReplyLimits): void {
  const values = Math.floor(limits.bytes / BYTES_PER_VALUE);
  const beyond = exceededJsonLimit(body, { values, depth: MOST_DEPTH });
  if (beyond === "depth") throw unusable(`nested more than ${MOST_DEPTH} levels deep`);
  if (beyond === "values")
    throw unusable(`made of more than ${values} values (--max-reply-mb allows more)`);
}

/** Refuses tool calls of one reply whose arguments, each as JSON text, are too long or too many. */
export function checkArguments(texts: readonly string[]): void {
  if (texts.length > MOST_CALLS) throw unusable(`made of more than ${MOST_CALLS} tool calls`);
  if (texts.reduce((sum, text) => sum + text.length, 0) > MOST_ARGUMENTS)
    throw unusable(`a call of tools with more than ${MOST_ARGUMENTS / 2 ** 10} kB of arguments`);
}
