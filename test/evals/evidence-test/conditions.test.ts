import { expect, test } from "vitest";
import { itemsUnder } from "../../../evals/evidence-test/conditions.ts";
import { makeEvidence, makeEvidenceSet } from "../../../src/core/evidence.ts";
import { sha256 } from "../../../src/core/hash.ts";

function item(text: string, start_s: number, from: string[] = []) {
  const by = { who: "tool", name: "test" } as const;
  const video = sha256("a video");
  return makeEvidence({
    video,
    kind: "text",
    start_s,
    end_s: start_s + 1,
    text,
    by,
    confidence: null,
    from,
  });
}

test("removing cited evidence removes everything derived from it, and nothing else", () => {
  const source = item("3 apples", 1);
  const other = item("4 pears", 2);
  const sum = item("3 + 4 = 7", 3, [source.id, other.id]);
  const doubled = item("2 x 7 = 14", 4, [sum.id]);
  const apart = item("a bell", 5);
  const set = makeEvidenceSet([source, other, sum, doubled, apart]);
  const texts = (cites: string[]) =>
    Object.fromEntries(
      Object.entries(itemsUnder(set, cites)).map(([name, items]) => [
        name,
        items.map(({ text }) => text),
      ]),
    );
  expect(texts([source.id])).toEqual({
    all: ["3 apples", "4 pears", "3 + 4 = 7", "2 x 7 = 14", "a bell"],
    cited: ["3 apples"],
    rest: ["4 pears", "a bell"],
  });
  expect(texts([sum.id]).rest).toEqual(["3 apples", "4 pears", "a bell"]);
  expect(texts([])).toMatchObject({ cited: [], rest: texts([]).all });
});
