import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Store } from "../../../src/core/contracts.ts";
import { makeEvidence, makeEvidenceSet } from "../../../src/core/evidence.ts";
import { sha256 } from "../../../src/core/hash.ts";
import type { EvidenceKind } from "../../../src/core/shapes.ts";
import { openStore } from "../../../src/storage/open.ts";
import { cosine, fuseRanks, hybridSearch } from "../../../tools/search/hybrid-search.ts";
import { tempFolder } from "../../support/temp.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore(await tempFolder());
});
afterAll(() => store.close());

const video = sha256("a video");

function said(text: string, start_s: number, kind: EvidenceKind = "subtitle") {
  const by = { who: "file", name: "talk.srt" } as const;
  return makeEvidence({
    video,
    kind,
    start_s,
    end_s: start_s + 2,
    text,
    by,
    confidence: null,
    from: [],
  });
}

const set = makeEvidenceSet([
  said("The physician will see you in a minute.", 10),
  said("Zubrowka is a town in the east.", 20),
  said("A nurse brings the papers.", 30, "caption"),
  said("Nothing happens here at all.", 40),
]);

/** Two directions: medicine and geography. */
const MEANINGS: Record<string, [number, number]> = {
  "doctor Zubrowka": [1, 0.1],
  "The physician will see you in a minute.": [0.9, 0],
  "Zubrowka is a town in the east.": [0, 1],
  "A nurse brings the papers.": [0.8, 0.3],
  "Nothing happens here at all.": [-0.2, -0.2],
};
const embed = async (texts: string[]) => texts.map((text) => MEANINGS[text] ?? [0, 0]);

test("keywords find names, embeddings find paraphrases; both count", async () => {
  const hits = await hybridSearch(set, "doctor Zubrowka", {}, { store, embed });
  expect(hits.map((hit) => hit.evidence.text)).toEqual([
    "Zubrowka is a town in the east.",
    "The physician will see you in a minute.",
    "A nurse brings the papers.",
  ]);
  expect(hits.map((hit) => hit.score)).toEqual([1 / 61 + 1 / 63, 1 / 61, 1 / 62]);
});

test("without embeddings only keywords are searched", async () => {
  const none = async () => null;
  for (const given of [null, none]) {
    const hits = await hybridSearch(set, "doctor Zubrowka", {}, { store, embed: given });
    expect(hits.map((hit) => hit.evidence.text)).toEqual(["Zubrowka is a town in the east."]);
  }
});

test("filters and the limit apply to hits by meaning too; the same texts are embedded each time", async () => {
  const asked = vi.fn(embed);
  const captions = await hybridSearch(
    set,
    "doctor Zubrowka",
    { kinds: ["caption"] },
    { store, embed: asked },
  );
  expect(captions.map((hit) => hit.evidence.start_s)).toEqual([30]);
  const early = await hybridSearch(set, "doctor Zubrowka", { to_s: 15 }, { store, embed: asked });
  expect(early.map((hit) => hit.evidence.start_s)).toEqual([10]);
  const one = await hybridSearch(set, "doctor Zubrowka", { limit: 1 }, { store, embed: asked });
  expect(one).toHaveLength(1);
  expect(new Set(asked.mock.calls.map(([texts]) => JSON.stringify(texts))).size).toBe(1);
  expect(await hybridSearch(makeEvidenceSet([]), "doctor", {}, { store, embed: asked })).toEqual(
    [],
  );
  expect(await hybridSearch(set, "  ", {}, { store, embed: asked })).toEqual([]);
});

const ids = fc.uniqueArray(fc.constantFrom(..."abcdefghij"));
const rankings = fc.array(ids, { maxLength: 4 });

test("fusion: every ranked item has a score in any order of the rankings", () => {
  fc.assert(
    fc.property(rankings, (lists) => {
      const fused = fuseRanks(lists);
      expect(new Set(fused.keys())).toEqual(new Set(lists.flat()));
      const turned = fuseRanks([...lists].reverse());
      for (const [id, score] of fused) expect(turned.get(id)).toBeCloseTo(score, 12);
    }),
  );
});

test("fusion: an item before another in every ranking is before it in the result", () => {
  fc.assert(
    fc.property(rankings, (lists) => {
      const fused = fuseRanks(lists);
      for (const a of fused.keys())
        for (const b of fused.keys()) {
          const place = (list: string[], id: string) => (list.includes(id) ? list.indexOf(id) : 99);
          if (a === b || !lists.every((list) => place(list, a) <= place(list, b))) continue;
          expect(fused.get(a) ?? 0).toBeGreaterThanOrEqual(fused.get(b) ?? 0);
        }
    }),
  );
});

test("fusion: one ranking keeps its order; a repeated item counts by its first place", () => {
  fc.assert(
    fc.property(ids, (list) => {
      expect([...fuseRanks([list])].sort((a, b) => b[1] - a[1]).map(([id]) => id)).toEqual(list);
    }),
  );
  expect(fuseRanks([["a", "b", "a"]])).toEqual(fuseRanks([["a", "b"]]));
  expect(fuseRanks([["a"]], 0)).toEqual(new Map([["a", 1]]));
});

test("similarity is between directions, from -1 to 1, and undefined for different lengths", () => {
  expect(cosine([1, 0], [5, 0])).toBe(1);
  expect(cosine([1, 0], [-1, 0])).toBe(-1);
  expect(cosine([1, 0], [0, 0])).toBe(0);
  expect(cosine([1, 0], [1, 0, 0])).toBe(0);
});
