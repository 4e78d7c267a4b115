import { httpProblem } from "./problems.ts";

/** First and last byte, both inclusive. */
export interface ByteRange {
  first: number;
  last: number;
}

/** Parses the Content-Range of a chunk, such as `bytes 0-99/1000`. Throws a 400 problem. */
export function parseContentRange(text: string): ByteRange & { size: number } {
  const [, first, last, size] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(text.trim()) ?? [];
  const read = { first: Number(first), last: Number(last), size: Number(size) };
  if (size !== undefined && read.first <= read.last && read.last < read.size) return read;
  throw httpProblem(
    400,
    "wrong-range",
    "Invalid Content-Range: use `bytes FIRST-LAST/SIZE` with FIRST <= LAST < SIZE.",
  );
}

/**
 * Parses a Range header. Returns null for the whole file: without a header, in another unit, or for several ranges, which
 * a server may ignore (RFC 9110, section 14.2). Throws a 416 problem for a range outside the file.
 */
export function parseRange(text: string | undefined, size: number): ByteRange | null {
  const [, from = "", to = ""] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/.exec(text ?? "") ?? [];
  if (from === "" && to === "") return null;
  const span =
    from === ""
      ? { first: Math.max(0, size - Number(to)), last: size - 1 }
      : { first: Number(from), last: to === "" ? size - 1 : Math.min(Number(to), size - 1) };
  const empty = from === "" && Number(to) === 0;
  if (to !== "" && from !== "" && Number(to) < Number(from)) return null;
  if (!empty && span.first < size) return span;
  throw httpProblem(416, "wrong-range", `The range lies outside the file of ${size} bytes.`, {
    headers: { "Content-Range": `bytes */${size}` },
  });
}
