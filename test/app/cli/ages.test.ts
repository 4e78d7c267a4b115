import { expect, test } from "vitest";
import { readAge, readInstant } from "../../../src/app/cli/ages.ts";

test("ages and instants are read, and everything else is refused with an example", () => {
  expect(["12h", "30d", "2w"].map((age) => readAge("--older-than", age) / 3_600_000)).toEqual([
    12, 720, 336,
  ]);
  expect(readInstant("--since", "2026-11-01")).toBe(Date.UTC(2026, 10, 1));
  expect(readInstant("--since", "2026-11-01T10:00+01:00")).toBe(Date.UTC(2026, 10, 1, 9));
  expect(Date.now() - readInstant("--since", "1d")).toBeGreaterThanOrEqual(86_400_000);
  for (const wrong of ["30", "d", "-1d", "1.5d", "30 d", "1y"])
    expect(() => readAge("--older-than", wrong)).toThrow("for example 12h, 30d or 8w");
  for (const wrong of ["yesterday", "2026-13-01", "2026-11-01T10:00", "11/01/2026"])
    expect(() => readInstant("--since", wrong)).toThrow("Invalid --since");
});
