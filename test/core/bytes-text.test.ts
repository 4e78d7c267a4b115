import { expect, test } from "vitest";
import { bytesText } from "../../src/core/bytes-text.ts";

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [999, "999 bytes"],
  [1000, "1.0 kB"],
  [1250, "1.3 kB"],
  [999_940, "999.9 kB"],
  [999_999, "1.0 MB"],
  [20_000_000, "20.0 MB"],
  [3_200_000_000, "3.2 GB"],
  [5e15, "5000.0 TB"],
])("%i bytes are %s", (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
