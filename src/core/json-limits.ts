const [SPACE, QUOTE, COMMA, BACKSLASH] = [0x20, 0x22, 0x2c, 0x5c];
/** Removed when a body is decoded. */
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const isOpening = (byte: number) => byte === 0x5b || byte === 0x7b;
const isClosing = (byte: number) => byte === 0x5d || byte === 0x7d;

/**
 * The limit that a JSON text (UTF-8) exceeds, found without parsing it: a parsed value takes up to 60 bytes of memory,
 * even if its text is short. Null if it exceeds none, or if the text is not an object or array.
 */
export function exceededJsonLimit(
  text: Uint8Array,
  most: { values: number; depth: number },
): "values" | "depth" | null {
  let start = BYTE_ORDER_MARK.every((byte, at) => text[at] === byte) ? BYTE_ORDER_MARK.length : 0;
  while ((text[start] ?? QUOTE) <= SPACE) start++;
  if (!isOpening(text[start] ?? 0)) return null;
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
    else if (isOpening(byte)) {
      values++;
      if (++depth > most.depth) return "depth";
    } else if (isClosing(byte)) depth--;
    if (values > most.values) return "values";
  }
  return null;
}
