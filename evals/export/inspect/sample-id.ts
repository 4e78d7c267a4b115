import { sha256 } from "../../../src/core/hash.ts";

/** Most bytes of an id in UTF-8; with the rest of the entry's name it fits in a file name of common file systems. */
const LONGEST = 200;

/**
 * The id of a sample in a log. Inspect finds a sample by the entry `samples/ID_epoch_N.json`, so an id that is not safe in
 * the name of an entry (`..`, a backslash, a control character, too long) is replaced by a readable part and a hash.
 */
export function logId(id: string): string {
  if (isSafe(id)) return id;
  const readable = id
    .toWellFormed()
    .replace(/[^\p{L}\p{N}._-]+/gu, "_")
    .replace(/\.{2,}/g, "_");
  return `${firstBytes(readable, LONGEST - 20)}-${sha256(JSON.stringify(id)).slice(0, 12)}`;
}

/** The name of a sample's entry. */
export function sampleEntry(id: string, epoch: number): string {
  return `samples/${logId(id)}_epoch_${epoch}.json`;
}

function isSafe(id: string): boolean {
  return (
    id !== "" &&
    id.isWellFormed() &&
    Buffer.byteLength(id) <= LONGEST &&
    !/[\\\p{Cc}]/u.test(id) &&
    id.split("/").every((part) => part !== "" && part !== "." && part !== "..")
  );
}

function firstBytes(text: string, most: number): string {
  let bytes = 0;
  let kept = "";
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > most) break;
    kept += character;
  }
  return kept;
}
