import fc from "fast-check";
import { expect, test } from "vitest";
import { parseOrder } from "../../../graphs/replies/parse-order.ts";

const three = [1, 2, 3];

test.each([
  ["Correct order: 3, 1, 2", [3, 1, 2]],
  ["Correct order: 3,1,2.", [3, 1, 2]],
  ["**Correct order:** Clip 3, Clip 1, Clip 2", [3, 1, 2]],
  ["Correct order: 2 -> 1 -> 3", [2, 1, 3]],
  ["Correct order: Clip 2 > Clip 3 > Clip 1", [2, 3, 1]],
  ["correct order: [1, 3, 2]", [1, 3, 2]],
  ["The correct order is 3, 2 and 1", [3, 2, 1]],
  ["Correct order:\n3, 2, 1", [3, 2, 1]],
  ["Correct order:\n1. Clip 3 (slice 2 lemons)\n2. Clip 1\n3. Clip 2", [3, 1, 2]],
  ["Clip 1, Clip 2, Clip 3 are shuffled. Correct order: 3, 2, 1", [3, 2, 1]],
  ["Correct order: 1, 2, 3\nOn reflection:\nCorrect order: 3, 1, 2", [3, 1, 2]],
  ["<think>Correct order: 1, 2, 3</think>Correct order: 2, 1, 3", [2, 1, 3]],
  ["Correct order: Clip 3: cut 2 lemons, Clip 1: squeeze, Clip 2: stir 5 times", [3, 1, 2]],
  ["3, 1, 2", [3, 1, 2]],
  ["There are 3 clips.\n3 1 2", [3, 1, 2]],
])("%j is read", (text, order) => {
  expect(parseOrder(text, three)).toEqual(order);
});

test.each([
  [""],
  ["I cannot tell."],
  ["Correct order: 3, 1"],
  ["Correct order: 3, 1, 1"],
  ["Correct order: 0, 1, 2"],
  ["Correct order: 1, 2, 3, 4"],
  ["The clips 1, 2, 3 cannot be put in a correct order: 1, 2"],
  ["<think>Correct order: 3, 1, 2"],
  ["Correct order: second, first, third"],
])("%j is not an order of three clips", (text) => {
  expect(parseOrder(text, three)).toBeNull();
});

test("without labels any permutation from 1 is accepted, with labels only theirs", () => {
  expect(parseOrder("Correct order: 2, 1")).toEqual([2, 1]);
  expect(parseOrder("Correct order: 2, 4")).toBeNull();
  expect(parseOrder("Correct order: 1")).toBeNull();
  expect(parseOrder("Correct order: 4, 2", [2, 4])).toEqual([4, 2]);
});

test.each([
  ["1. Clip 3\n2. Clip 1\n3. Clip 2\n4. Clip 5\n5. Clip 4"],
  ["Correct order: 3, 1, 2, 5, 4\n\nNote: the correct order of clips 1 and 2 is hard to tell."],
  ["3, 1, 2, 5, 4\n\nClips 1 and 2 were hard to tell apart."],
  [
    "| place | clip |\n|---|---|\n| 1 | Clip 3 |\n| 2 | Clip 1 |\n| 3 | Clip 2 |\n| 4 | Clip 5 |\n| 5 | Clip 4 |",
  ],
])("%j is an order of five clips, also if their number is not known", (text) => {
  expect(parseOrder(text)).toEqual([3, 1, 2, 5, 4]);
  expect(parseOrder(text, [1, 2, 3, 4, 5])).toEqual([3, 1, 2, 5, 4]);
});

test("an order after its label counts before a longer list", () => {
  expect(parseOrder("I saw 4, 3, 2, 1 at once.\nCorrect order: 2, 3, 1")).toEqual([2, 3, 1]);
});

test.each([", ", "\nClip "])(
  "a reply that counts on and on with %j is read in little time",
  (joint) => {
    const counted = Array.from({ length: 10_000 }, (_, place) => place + 1).join(joint);
    const began = performance.now();
    expect(parseOrder(counted)).toBeNull();
    expect(parseOrder(`${counted}\nCorrect order: 2, 1, 3`)).toEqual([2, 1, 3]);
    expect(performance.now() - began).toBeLessThan(2000);
  },
);

const orders = fc.integer({ min: 2, max: 9 }).chain((n) =>
  fc.shuffledSubarray(
    Array.from({ length: n }, (_, i) => i + 1),
    { minLength: n },
  ),
);

test("every permutation is read from every form", () => {
  const writings: ((order: number[]) => string)[] = [
    (order) => `Correct order: ${order.join(", ")}`,
    (order) =>
      `Some thoughts on 12 eggs.\nCorrect order: ${order.map((n) => `Clip ${n}`).join(" → ")}`,
    (order) => `**Correct order**: ${order.join(" > ")}`,
  ];
  fc.assert(
    fc.property(orders, fc.constantFrom(...writings), (order, write) => {
      expect(parseOrder(write(order), order)).toEqual(order);
      expect(parseOrder(write(order))).toEqual(order);
    }),
  );
});

test("any text gives a permutation of the labels or null", () => {
  const piece = fc.constantFrom(
    "Correct order:",
    "Clip",
    "1",
    "2",
    "3",
    "4",
    ",",
    " ",
    "\n",
    "->",
    ".",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
      const order = parseOrder(pieces.join(" "), three);
      if (order !== null) expect([...order].sort()).toEqual(three);
    }),
  );
});
