import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, hashFile, hashOf, sha256 } from "../../src/core/hash.ts";
import { tempFolder } from "../support/temp.ts";

// FIPS 180-2, appendix B.1.
const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

test("SHA-256 of text, bytes and a file agree", async () => {
  const file = join(await tempFolder(), "abc");
  await writeFile(file, "abc");
  expect(sha256("abc")).toBe(ABC);
  expect(sha256(new TextEncoder().encode("abc"))).toBe(ABC);
  expect(await hashFile(file)).toBe(ABC);
});

test("a missing file is named; an abort is a cancellation", async () => {
  const folder = await tempFolder();
  const missing = join(folder, "missing.mp4");
  await expect(hashFile(missing)).rejects.toMatchObject({
    kind: "file-unreadable",
    message: expect.stringContaining(missing),
  });
  await writeFile(missing, "x");
  await expect(hashFile(missing, AbortSignal.abort())).rejects.toMatchObject({ kind: "cancelled" });
});

test("canonical JSON sorts keys at every depth, keeps the order of lists and omits undefined", () => {
  expect(canonicalJson({ b: [{ z: 1, a: 2 }, 3], a: undefined, A: null })).toBe(
    '{"A":null,"b":[{"a":2,"z":1},3]}',
  );
});

test("equal values have equal hashes in any order of keys, others do not", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      expect(hashOf(reversed(a))).toBe(hashOf(a));
      expect(JSON.parse(canonicalJson(a))).toEqual(JSON.parse(JSON.stringify(a)));
      expect(hashOf(a) === hashOf(b)).toBe(canonicalJson(a) === canonicalJson(b));
    }),
  );
});

test("canonical JSON is the JSON of a replacer that sorts the members, for any value", () => {
  const anything = fc.anything({ withDate: true, withMap: true });
  fc.assert(
    fc.property(anything, (value) => {
      expect(canonicalJson(value)).toBe(JSON.stringify(value, sorted));
    }),
  );
  const parsed: unknown = JSON.parse('{"b": 1, "__proto__": {"y": 2, "x": 1}, "2": 0, "10": 0}');
  expect(canonicalJson(parsed)).toBe(JSON.stringify(parsed, sorted));
});

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
}
