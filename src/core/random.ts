import { createHash } from "node:crypto";

/**
 * A stream of numbers in [0, 1) that depends only on `seed`: mulberry32, seeded with a SHA-256 hash, so that any
 * combination of strings and numbers makes an independent stream.
 */
export function seeded(...seed: readonly (string | number)[]): () => number {
  let state = createHash("sha256").update(seed.join("\u0000")).digest().readUInt32LE(0);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A new array in random order (Fisher-Yates). */
export function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const out = [...items];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [out[i], out[j]] = [out[j] as T, out[i] as T];
  }
  return out;
}
