import { createHash, hash as hashOnce } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { toFailure } from "./errors.ts";

/** Lower-case hex SHA-256. */
export function sha256(data: string | Uint8Array): string {
  return hashOnce("sha256", data);
}

/** Hash of a value as JSON with sorted keys; `undefined` members are left out. */
export function hashOf(value: unknown): string {
  return sha256(canonicalJson(value));
}

/** JSON with keys in code-unit order, so that equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== "object" || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(
      Object.entries(item)
        .filter(([, member]) => member !== undefined)
        .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
    );
  });
}

/** SHA-256 of a file, read as a stream. Throws `Failure` `file-unreadable` that names the file. */
export async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  try {
    await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash, { signal });
  } catch (error) {
    throw toFailure(error, "file-unreadable", `reading ${path}`);
  }
  return hash.digest("hex");
}
