/** A Matroska element: its id, the size of its content in 8 bytes, and the content. */
export function element(id: readonly number[], ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(id), sizeOf(body.length), body]);
}

/** The header of an element that claims a content of this many bytes. */
export function claim(id: readonly number[], bytes: number): Buffer {
  return Buffer.concat([Buffer.from(id), sizeOf(bytes)]);
}

export const text = (words: string) => Buffer.from(words, "latin1");

/** A big-endian number of this many bytes. */
export function number(value: number, bytes = 1): Buffer {
  const out = Buffer.alloc(8);
  out.writeBigUInt64BE(BigInt(value));
  return out.subarray(8 - bytes);
}

function sizeOf(bytes: number): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(bytes) | (1n << 56n));
  return size;
}
