import { expect, test } from "vitest";
import { free } from "../../../../tools/text/ocr/plane.ts";

test("the memory of an array is freed, but not memory that others share", () => {
  const alone = new Uint8Array(1000);
  const memory = new ArrayBuffer(1000);
  const part = new Uint8Array(memory, 0, 500);
  const other = new Uint8Array(memory, 500).fill(7);
  free(alone, part);
  expect(alone.byteLength).toBe(0);
  expect(part.byteLength).toBe(500);
  expect(other.every((byte) => byte === 7)).toBe(true);
});

test("memory may be freed twice", () => {
  const array = new Int16Array(10);
  free(array);
  free(array);
  expect(array.byteLength).toBe(0);
});
