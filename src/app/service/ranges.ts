import { refuse } from "./problems.ts";

/** First and last byte, both included. */
export interface Span {
  first: number;
  last: number;
}

/** `bytes 0-99/1000` of a part that is sent. Throws a problem 400. */
export function readContentRange(text: string): Span & { size: number } {
  const [, first, last, size] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(text.trim()) ?? [];
  const read = { first: Number(first), last: Number(last), size: Number(size) };
  if (size !== undefined && read.first <= read.last && read.last < read.size) return read;
  throw refuse(
    400,
    "wrong-range",
    "Expected `Content-Range: bytes FIRST-LAST/SIZE` with FIRST <= LAST < SIZE, got something else.",
  );
}

/**
 * The one range that is asked for, or null for the whole: without a header, in another unit, or for several ranges at
 * once (RFC 9110, 14.2, lets a server pass over those). Throws a problem 416 for a range outside of the file.
 */
export function readRange(text: string | undefined, size: number): Span | null {
  const [, from = "", to = ""] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/.exec(text ?? "") ?? [];
  if (from === "" && to === "") return null;
  const span =
    from === ""
      ? { first: Math.max(0, size - Number(to)), last: size - 1 }
      : { first: Number(from), last: to === "" ? size - 1 : Math.min(Number(to), size - 1) };
  const empty = from === "" && Number(to) === 0;
  if (to !== "" && from !== "" && Number(to) < Number(from)) return null;
  if (!empty && span.first < size) return span;
  throw refuse(416, "wrong-range", `Expected a range within ${size} bytes, got another one.`, {
    headers: { "Content-Range": `bytes */${size}` },
  });
}
