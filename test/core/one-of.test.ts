import { expect, test } from "vitest";
import { oneOf } from "../../src/core/one-of.ts";

const LIST = new Intl.ListFormat("en-GB", { type: "disjunction" });

test.each([[[]], [["a"]], [["a", "b"]], [["a", "b", "c"]]])("%j", (names) => {
  expect(oneOf(names)).toBe(LIST.format(names));
});
