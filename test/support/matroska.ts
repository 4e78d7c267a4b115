/** A Matroska element: its id, the length of what it holds in 8 bytes, and that. */
export function element(id: readonly number[], ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(id), sizeOf(body.length), body]);
}

/** The head of an element that claims to hold so many bytes. */
export function claim(id: readonly number[], bytes: number): Buffer {
  return Buffer.concat([Buffer.from(id), sizeOf(bytes)]);
}

export const text = (words: string) => Buffer.from(words, "latin1");

/** A number in as many bytes. */
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
