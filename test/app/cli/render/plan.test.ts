import { expect, test } from "vitest";
import { hoursText } from "../../../../src/app/cli/render/plan.ts";

test.each([
  [0.19 / 3600, "0.1 s"],
  [59.9 / 3600, "59.9 s"],
  [1 / 60, "1 min"],
  [59.9 / 60, "59 min"],
  [1, "1.0 h"],
  [2.49, "2.4 h"],
])("a lower bound of %f hours is not rounded up: %s", (hours, text) => {
  expect(hoursText(hours)).toBe(text);
});
