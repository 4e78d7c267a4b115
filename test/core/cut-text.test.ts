import fc from "fast-check";
import { expect, test } from "vitest";
import { cutText } from "../../src/core/cut-text.ts";

test.each([
  ["abc", 3, "abc"],
  ["abcd", 3, "abc"],
  ["ab🎉", 4, "ab🎉"],
  ["ab🎉", 3, "ab"],
  ["ab🎉🎉", 4, "ab🎉"],
  ["🎉", 0, ""],
])("%j cut to %i is %j", (text, most, cut) => expect(cutText(text, most)).toBe(cut));

test("a cut text has no half character and loses at most one unit more than needed", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(20), (text, most) => {
      const cut = cutText(text, most);
      expect(cut.isWellFormed()).toBe(true);
      expect(text.startsWith(cut)).toBe(true);
      expect(cut.length).toBeLessThanOrEqual(most);
      expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, most - 1));
    }),
  );
});
