const [SPACE, QUOTE, COMMA, BACKSLASH] = [0x20, 0x22, 0x2c, 0x5c];
/** Dropped when a body is decoded. */
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/**
 * Which limit a JSON text (UTF-8) exceeds, told without parsing it: a parsed value takes up to 60 bytes, however short
 * its text. Null if none, or if the text is no object or array.
 */
export function exceededJsonLimit(
  text: Uint8Array,
  most: { values: number; depth: number },
): "values" | "depth" | null {
  let start = BYTE_ORDER_MARK.every((byte, at) => text[at] === byte) ? BYTE_ORDER_MARK.length : 0;
  while ((text[start] ?? QUOTE) <= SPACE) start++;
  if (!OPENING.has(text[start] ?? 0)) return null;
  let values = 0;
  let depth = 0;
  let isText = false;
  for (let at = start; at < text.length; at++) {
    const byte = text[at] as number;
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA) values++;
    else if (OPENING.has(byte)) {
      values++;
      if (++depth > most.depth) return "depth";
    } else if (CLOSING.has(byte)) depth--;
    if (values > most.values) return "values";
  }
  return null;
}
