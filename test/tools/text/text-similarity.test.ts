import fc from "fast-check";
import { expect, test } from "vitest";
import { editDistance, overlap, sameText } from "../../../tools/text/text-similarity.ts";

test.each([
  ["You will learn about...", "You will learn about.", true],
  ["stream cipher E derived", "strearn cipher E derived", true],
  ["Step 3 of 9", "Step 4 of 9", false],
  ["Score 10", "Score 11", false],
  ["Global variables", "Local variables", false],
  ["...", "…", false],
  ["का", "के", false],
  ["पानी पियो", "पानी पिया", false],
  ["सभी मनुष्यों को गौरव और अधिकार", "सभी मनुष्यो को गौरव और अधिकार", true],
  // Accents as separate characters.
  ["cafe\u0301 noir", "cafe noir", true],
])("%j and %j: same text %s", (a, b, same) => {
  expect(sameText(a, b)).toBe(same);
  expect(sameText(b, a)).toBe(same);
});

test("edit distance is a metric", () => {
  const text = fc.string({ maxLength: 12 });
  fc.assert(
    fc.property(text, text, text, (a, b, c) => {
      expect(editDistance(a, a)).toBe(0);
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c));
    }),
  );
  expect(editDistance("kitten", "sitting")).toBe(3);
});

test("overlap is the shared area over the joint area", () => {
  const box = { x: 0, y: 0, width: 10, height: 10 };
  expect(overlap(box, box)).toBe(1);
  expect(overlap(box, { ...box, x: 5 })).toBeCloseTo(1 / 3);
  expect(overlap(box, { ...box, x: 10 })).toBe(0);
});
