/*
 * Finds which of many texts occur in a longer one. Every text is indexed by the hash of one of its substrings of `GRAM`
 * characters, the rarest one, so that texts with a common beginning differ. A longer text has all substrings of each text
 * that occurs in it, so that the exact comparison is needed only for the few texts whose hash it has.
 */

/** Characters (UTF-16 code units) of a substring; a shorter text is indexed as a whole. */
const GRAM = 12;
const BASE = 0x01000193;
/** Different substrings may share a counter. A wrong count only makes the chosen substring less rare. */
const MOST_COUNTERS = 1 << 22;

/**
 * Returns a function that lists the texts that occur in its argument, each once, in any order. An empty text never occurs.
 *
 * @example
 * const occurringIn = textFinder(["How long?", "Who sings?"]);
 * occurringIn("Question: Who sings? A. Ann B. Bob"); // ["Who sings?"]
 */
export function textFinder(texts: Iterable<string>): (text: string) => string[] {
  const distinct = [...new Set(texts)].filter((text) => text !== "");
  const characters = distinct.reduce((sum, { length }) => sum + length, 1);
  const counts = new Uint32Array(Math.min(MOST_COUNTERS, 2 ** Math.ceil(Math.log2(characters))));
  const counterOf = (hash: number) => (hash ^ (hash >>> 11)) & (counts.length - 1);
  for (const text of distinct)
    for (const hash of hashesOf(text, lengthOf(text))) {
      const counter = counterOf(hash);
      counts[counter] = (counts[counter] ?? 0) + 1;
    }
  const byLength = new Map<number, Map<number, string[]>>();
  for (const text of distinct) {
    const length = lengthOf(text);
    let rarest = { hash: 0, count: Number.POSITIVE_INFINITY };
    for (const hash of hashesOf(text, length)) {
      const count = counts[counterOf(hash)] ?? 0;
      if (count < rarest.count) rarest = { hash, count };
    }
    const byHash = byLength.get(length) ?? new Map<number, string[]>();
    byLength.set(length, byHash);
    const same = byHash.get(rarest.hash);
    if (same === undefined) byHash.set(rarest.hash, [text]);
    else same.push(text);
  }
  return (text) => {
    const candidates = new Set<string>();
    for (const [length, byHash] of byLength)
      for (const hash of hashesOf(text, length))
        for (const candidate of byHash.get(hash) ?? []) candidates.add(candidate);
    return [...candidates].filter((candidate) => text.includes(candidate));
  };
}

function lengthOf(text: string): number {
  return Math.min(GRAM, text.length);
}

/** The hashes of all substrings of this length, each computed from the one before it (Rabin and Karp). */
function* hashesOf(text: string, length: number): Generator<number> {
  let first = 1;
  for (let place = 1; place < length; place++) first = Math.imul(first, BASE);
  let hash = 0;
  for (let place = 0; place < text.length; place++) {
    if (place >= length) hash -= Math.imul(text.charCodeAt(place - length), first);
    hash = (Math.imul(hash, BASE) + text.charCodeAt(place)) | 0;
    if (place >= length - 1) yield hash;
  }
}
