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
  return JSON.stringify(withSortedKeys(value, ""));
}

/** Faster than a replacer of `JSON.stringify`, which makes two arrays for each member. */
function withSortedKeys(given: unknown, key: string): unknown {
  const value = hasToJson(given) ? given.toJSON(key) : given;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item, index) => withSortedKeys(item, String(index)));
  const sorted: Record<string, unknown> = {};
  for (const name of Object.keys(value).sort()) {
    const member = withSortedKeys((value as Record<string, unknown>)[name], name);
    if (name === "__proto__") Object.defineProperty(sorted, name, { value: member, ...OWN });
    else sorted[name] = member;
  }
  return sorted;
}

const OWN = { enumerable: true, configurable: true, writable: true } as const;

function hasToJson(value: unknown): value is { toJSON(key: string): unknown } {
  return (
    typeof value === "object" &&
    value !== null &&
    "toJSON" in value &&
    typeof value.toJSON === "function"
  );
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
