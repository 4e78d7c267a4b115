import fc from "fast-check";
import { expect, test } from "vitest";
import {
  evidenceNames,
  makeEvidence,
  makeEvidenceSet,
  numberEvidence,
} from "../../src/core/evidence.ts";
import { Evidence, EvidenceSet } from "../../src/core/shapes.ts";

function caption(start_s: number, text: string, kind: Evidence["kind"] = "caption"): Evidence {
  return makeEvidence({
    video: "a".repeat(64),
    kind,
    start_s,
    end_s: start_s + 1,
    text,
    by: { who: "model", name: "m" },
    confidence: null,
    from: [],
  });
}

test("the id is the hash of the other fields", () => {
  const one = caption(3, "pours milk");
  expect(Evidence.parse(one)).toEqual(one);
  expect(caption(3, "pours milk").id).toBe(one.id);
  expect(caption(3, "pours water").id).not.toBe(one.id);
  expect(makeEvidence({ ...withoutId(one), replaces: undefined }).id).toBe(one.id);
});

test("a set does not depend on the order of its items or on duplicates", () => {
  const items = [caption(0, "a"), caption(5, "b"), caption(5, "c", "text"), caption(9, "d")];
  const set = makeEvidenceSet(items);
  fc.assert(
    fc.property(fc.shuffledSubarray([...items, ...items], { minLength: 8 }), (mixed) => {
      expect(makeEvidenceSet(mixed)).toEqual(set);
    }),
  );
  expect(EvidenceSet.parse(set)).toEqual(set);
  expect(set.items.map(({ text }) => text)).toEqual(["a", "b", "c", "d"]);
});

test("a correction is another set with a base", () => {
  const first = makeEvidenceSet([caption(0, "a")]);
  const second = makeEvidenceSet([caption(0, "b")], first.id);
  expect(second.base).toBe(first.id);
  expect(makeEvidenceSet([caption(0, "b")]).id).not.toBe(second.id);
});

test("evidence is numbered by time, then kind, in any input order", () => {
  const [late, text, early] = [caption(8, "late"), caption(2, "x", "text"), caption(2, "early")];
  const names = [...numberEvidence([late, text, early])].map(([name, { text: of }]) => [name, of]);
  expect(names).toEqual([
    ["E1", "early"],
    ["E2", "x"],
    ["E3", "late"],
  ]);
});

test("an item keeps its name, a correction takes over the name, and no name is given twice", () => {
  const items = [caption(0, "a"), caption(5, "b"), caption(9, "c")] as const;
  const first = makeEvidenceSet(items);
  const named = Object.fromEntries(evidenceNames(first));
  const corrected = makeEvidence({ ...withoutId(items[1]), text: "B", replaces: items[1].id });
  const second = makeEvidenceSet([corrected, items[0], caption(1, "new")], first.id, named);
  const texts = (set: EvidenceSet) =>
    set.items.map(({ id, text }) => [evidenceNames(set).get(id), text]);
  expect(texts(second)).toEqual([
    ["E1", "a"],
    ["E4", "new"],
    ["E2", "B"],
  ]);
  const third = makeEvidenceSet([items[2], caption(2, "newer")], second.id, second.names);
  expect(texts(third)).toEqual([
    ["E5", "newer"],
    ["E3", "c"],
  ]);
  expect([...numberEvidence(third.items, third.names).keys()]).toEqual(["E5", "E3"]);
  expect(makeEvidenceSet(items, first.id).id).not.toBe(
    makeEvidenceSet(items, first.id, { [items[0].id]: "E9" }).id,
  );
});

function withoutId({ id: _id, ...rest }: Evidence): Omit<Evidence, "id"> {
  return rest;
}
