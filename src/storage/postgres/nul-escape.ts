import type { Row, Value } from "./value.ts";

/*
 * PostgreSQL refuses the character U+0000 in text. It is written as U+0001 "0", and U+0001 itself as U+0001 "1", so that
 * every string comes back as it was, and equal strings stay equal. JSON has no such characters.
 */

const ESCAPED = /[\u0000\u0001]/g;
const ESCAPES = /\u0001([01])/g;

export function encodeValue(value: Value): Value {
  if (typeof value === "string") return encode(value);
  return Array.isArray(value) ? value.map(encode) : value;
}

export function decodeRow(row: Row): Row {
  for (const [column, value] of Object.entries(row))
    if (typeof value === "string" && value.includes("\u0001")) row[column] = decode(value);
  return row;
}

function encode(text: string): string {
  return text.replace(ESCAPED, (character) => (character === "\u0000" ? "\u00010" : "\u00011"));
}

function decode(text: string): string {
  return text.replace(ESCAPES, (_, digit) => (digit === "0" ? "\u0000" : "\u0001"));
}
