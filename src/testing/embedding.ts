import { createHash } from "node:crypto";

/** A bag of words hashed into 64 dimensions, of unit length; texts that share words have a high similarity. */
export function embeddingOf(words: string): number[] {
  const vector = new Array<number>(64).fill(0);
  for (const word of words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const place = createHash("sha256").update(word).digest().readUInt32LE(0) % vector.length;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
