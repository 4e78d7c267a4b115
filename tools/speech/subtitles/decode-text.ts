import chardet from "chardet";
import iconv from "iconv-lite";

/** `encoding` as WHATWG and iconv name it, in lower case: `utf-8`, `utf-16le`, `windows-1252`. */
export interface DecodedText {
  text: string;
  encoding: string;
}

/** Enough for the letter statistics of a detector. */
const DETECTION_BYTES = 256 * 1024;

/** UTF-32 first, because its little-endian mark begins with that of UTF-16. */
const MARKS: [encoding: string, mark: number[]][] = [
  ["utf-32le", [0xff, 0xfe, 0x00, 0x00]],
  ["utf-32be", [0x00, 0x00, 0xfe, 0xff]],
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** Windows pages assign letters and quotes to control codes of the ISO pages, so they decode both. */
const WINDOWS_PAGE: Record<string, string> = {
  "iso-8859-1": "windows-1252",
  "iso-8859-6": "windows-1256",
  "iso-8859-7": "windows-1253",
  "iso-8859-8": "windows-1255",
  "iso-8859-9": "windows-1254",
  ascii: "windows-1252",
};

/**
 * Decodes a subtitle file in any common encoding: UTF-8, UTF-16 and UTF-32 with or without a byte order mark, and
 * Windows code pages and East Asian encodings by letter statistics. Never throws: text of unknown encoding is decoded
 * as Windows-1252, and undecodable bytes become U+FFFD.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const marked = MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
  if (marked !== undefined) return decodeAs(bytes.subarray(marked[1].length), marked[0]);
  const wide = wideEncoding(bytes);
  if (wide !== undefined) return decodeAs(bytes, wide);
  if (isUtf8(bytes)) return decodeAs(bytes, "utf-8");
  return decodeAs(bytes, detectPage(bytes));
}

function decodeAs(bytes: Uint8Array, encoding: string): DecodedText {
  const text = iconv.decode(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    encoding,
  );
  // Windows-1258 writes a Vietnamese vowel and its tone as two characters.
  const composed = encoding === "windows-1258" ? text.normalize("NFC") : text;
  return { text: composed.toWellFormed(), encoding };
}

/**
 * Detects UTF-16 and UTF-32 without a mark. Times, digits and line ends of a subtitle file are ASCII, so most units
 * contain zero bytes at the same positions; single-byte encodings contain none.
 */
function wideEncoding(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, DETECTION_BYTES);
  if (isUtf32(sample, 0)) return "utf-32be";
  if (isUtf32(sample, 3)) return "utf-32le";
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries())
    if (byte === 0) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1;
  const [high = 0, low = 0] = zeros;
  if (Math.max(high, low) < sample.length / 20) return undefined;
  if (high < low / 4) return "utf-16le";
  if (low < high / 4) return "utf-16be";
  return undefined;
}

/**
 * `top` is the position of the highest byte of a unit: always 0, next to a byte of at most 0x10, because the highest
 * code point is U+10FFFF.
 */
function isUtf32(bytes: Uint8Array, top: 0 | 3): boolean {
  const next = top === 0 ? 1 : 2;
  for (let at = 0; at + 3 < bytes.length; at += 4)
    if (bytes[at + top] !== 0 || (bytes[at + next] ?? 0) > 0x10) return false;
  return bytes.length >= 4;
}

/** Valid UTF-8, or UTF-8 with some damage: at least ten valid sequences for each invalid one. */
function isUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder("utf-8").decode(bytes);
  let good = 0;
  let bad = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0xfffd) bad++;
    else if (unit > 0x7f) good++;
  }
  return bad === 0 || good > bad * 10;
}

/** The most likely code page in which every byte of the sample is a character. */
function detectPage(bytes: Uint8Array): string {
  const letters = letterLines(bytes);
  const pages = chardet
    .analyse(letters)
    .map(({ name }) => WINDOWS_PAGE[name.toLowerCase()] ?? name.toLowerCase())
    .filter((page) => iconv.encodingExists(page) && !page.startsWith("utf-"));
  const textIn = (page: string) => iconv.decode(letters, page);
  const fits = (page: string) => !textIn(page).includes("\ufffd");
  const likely = pages.find((page) => fits(page) && !mixesScripts(textIn(page)));
  return likely ?? pages.find(fits) ?? "windows-1252";
}

const OTHER_ALPHABET = /[\p{Script=Arabic}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}]/u;

/**
 * Whether a third of the words outside ASCII join Latin letters with those of another alphabet, as Greek does that is
 * taken for Arabic. The statistics of a single short cue are not enough to exclude it.
 */
function mixesScripts(text: string): boolean {
  const words = text.match(/[\p{L}\p{M}]*[^\P{L}a-zA-Z][\p{L}\p{M}]*/gu) ?? [];
  const mixed = words.filter((word) => /\p{Script=Latin}/u.test(word) && OTHER_ALPHABET.test(word));
  return mixed.length > words.length / 3;
}

/**
 * The text of lines with bytes outside ASCII, without the common beginning of ASS lines: the letters that distinguish
 * code pages.
 */
function letterLines(bytes: Uint8Array): Buffer {
  const lines: Uint8Array[] = [];
  let size = 0;
  for (let start = 0; start < bytes.length && size < DETECTION_BYTES; ) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline < 0 ? bytes.length : newline + 1;
    const line = bytes.subarray(start, Math.min(end, start + DETECTION_BYTES));
    if (line.some((byte) => byte > 0x7f)) {
      lines.push(line);
      size += line.length;
    }
    start = end;
  }
  const joined = Buffer.concat(lines).toString("latin1");
  return Buffer.from(
    joined.replace(/^[ \t]*Dialogue:.*,,|\{[^{}\n]*\}|<[^<>\n]*>/gm, " "),
    "latin1",
  );
}
