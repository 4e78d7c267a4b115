import fc from "fast-check";
import { expect, test } from "vitest";
import { overlapOf, type Span } from "../../../evals/evidence-test/overlap.ts";

test.each<[string, Span[], Span[], object]>([
  ["the same span", [[10, 20]], [[10, 20]], { recall: 1, precision: 1, iou: 1 }],
  ["half of it", [[10, 15]], [[10, 20]], { recall: 1, precision: 1, iou: 0.5 }],
  [
    "one of two, and one beside",
    [
      [10, 20],
      [50, 60],
    ],
    [
      [10, 20],
      [30, 40],
    ],
    { recall: 0.5, precision: 0.5, iou: 1 / 3 },
  ],
  ["elsewhere", [[50, 60]], [[10, 20]], { recall: 0, precision: 0, iou: 0 }],
  [
    "a frame within a span, as two seconds",
    [[15, 15]],
    [[10, 20]],
    { recall: 1, precision: 1, iou: 0.2 },
  ],
  [
    "a frame at a right moment",
    [[15.5, 15.5]],
    [[15, 15]],
    { recall: 1, precision: 1, iou: 1.5 / 2.5 },
  ],
  [
    "citations that overlap each other count once",
    [
      [10, 20],
      [12, 20],
    ],
    [[10, 20]],
    { recall: 1, precision: 1, iou: 1 },
  ],
  ["no citation", [], [[10, 20]], { recall: 0, precision: null, iou: 0 }],
])("%s", (_, cited, right, expected) => {
  const found = overlapOf(cited, right);
  expect(found?.iou).toBeCloseTo((expected as { iou: number }).iou, 9);
  expect({ ...found, iou: 0 }).toEqual({ ...expected, iou: 0 });
});

test("without annotated evidence there is no overlap", () => {
  expect(overlapOf([[1, 2]], [])).toBeNull();
});

const span = fc
  .tuple(fc.double({ min: 0, max: 100, noNaN: true }), fc.double({ min: 0, max: 30, noNaN: true }))
  .map(([from, length]): Span => [from, from + length]);
const spans = fc.array(span, { minLength: 1, maxLength: 8 });

test("shares are between 0 and 1; overlap is symmetric, and complete for the same spans in any order", () => {
  fc.assert(
    fc.property(spans, spans, (a, b) => {
      const found = overlapOf(a, b);
      const turned = overlapOf(b, a);
      for (const share of [found?.recall, found?.precision, found?.iou]) {
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(1 + 1e-9);
      }
      expect(turned?.iou).toBeCloseTo(found?.iou ?? -1, 9);
      expect(turned?.precision).toBe(found?.recall);
      expect(overlapOf([...a].reverse(), a)).toMatchObject({ recall: 1, precision: 1 });
      expect(overlapOf([...a].reverse(), a)?.iou).toBeCloseTo(1, 9);
    }),
  );
});
