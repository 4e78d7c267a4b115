import fc from "fast-check";
import { expect, test } from "vitest";
import { isIdentityOrder, isRunawayList } from "../../../evals/benchmarks/consecutive-lists.ts";

test.each([
  ["Correct Order: Clip 1, Clip 2, Clip 3, Clip 4, Clip 5", 4, true],
  ["Correct Order: 1, 2, 3, 4, 5, ..., 29, 30, ...", 5, true],
  ["Correct Order: Clip 1, Clip 2, ..., Clip 14, ...", 7, true],
  ["1 -> 2 -> 3 -> 4", 3, true],
  ["**1**, **2**, **3**, and **4**", 3, true],
  ["1\n2\n3\n4", 3, true],
  ["3, 1, 1, 2, 3, 4", 3, true],
  ["Correct order: 1, 2, 3", 3, false],
  ["Correct order: 3, 1, 2", 3, false],
  ["2, 3, 4, 5", 4, false],
  ["Clip 1 shows 2 eggs. Clip 2 shows 3 eggs. Clip 3 shows 4.", 3, false],
  ["1. Clip 2\n2. Clip 3\n3. Clip 1\n4. Done", 3, false],
  ["1, 2, ... and so on until 9", 3, false],
  ["", 3, false],
])("%j with %i clips: %j", (reply, clips, runaway) => {
  expect(isRunawayList(reply, clips)).toBe(runaway);
});

test("a list is a runaway exactly when it is longer than the number of clips, with any text around it", () => {
  const words = fc.stringMatching(/^[a-z :.]{0,20}$/);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 2, max: 7 }),
      fc.constantFrom(", ", " ", "\n", " > ", ", Clip ", " and then "),
      words,
      (length, clips, between, around) => {
        const list = Array.from({ length }, (_, place) => place + 1).join(between);
        expect(isRunawayList(`${around}:${list}:${around}`, clips)).toBe(length > clips);
      },
    ),
  );
});

test("a very long reply takes no time", () => {
  expect(isRunawayList(`${"Clip , ".repeat(50_000)}1, 2, 3`, 3)).toBe(false);
  expect(isRunawayList("1 ".repeat(100_000), 3)).toBe(false);
});

test("the identity is the shown order, and no answer is not an identity", () => {
  expect(isIdentityOrder([1, 2, 3])).toBe(true);
  expect(isIdentityOrder([2, 1, 3])).toBe(false);
  expect(isIdentityOrder(null)).toBe(false);
});
