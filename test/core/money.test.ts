import { expect, test } from "vitest";
import { money } from "../../src/core/money.ts";

test.each([
  [0, "$0.0000"],
  [1e-9, "< $0.0001"],
  [0.00004, "< $0.0001"],
  [0.00005, "$0.0001"],
  [1.5, "$1.5000"],
  [null, "–"],
])("%j is %s", (dollars, text) => {
  expect(money(dollars)).toBe(text);
});
