import { expect, test } from "vitest";
import { largestDifference } from "../support/calibration-draws.ts";

test("the measures of calibration equal an independent program on 10,000 draws", () => {
  expect(largestDifference({ draws: 10_000 })).toBeLessThan(1e-9);
});
