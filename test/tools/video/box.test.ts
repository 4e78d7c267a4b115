import fc from "fast-check";
import { expect, test } from "vitest";
import { isFailure } from "../../../src/core/errors.ts";
import { type BoxInput, placeBox } from "../../../tools/video/box.ts";

const frame = { width: 1920, height: 1080 };

test.each<[string, BoxInput, object, boolean]>([
  [
    "shares",
    { x: 0.1, y: 0.5, width: 0.25, height: 0.25 },
    { x: 192, y: 540, width: 480, height: 270 },
    false,
  ],
  [
    "the whole, in shares",
    { x: 0, y: 0, width: 1, height: 1 },
    { x: 0, y: 0, width: 1920, height: 1080 },
    false,
  ],
  [
    "pixels",
    { x: 10, y: 20, width: 300, height: 40 },
    { x: 10, y: 20, width: 300, height: 40 },
    false,
  ],
  [
    "parts of pixels, outwards",
    { x: 10.4, y: 20, width: 2.2, height: 2 },
    { x: 10, y: 20, width: 3, height: 2 },
    false,
  ],
  [
    "reaching over the right edge",
    { x: 0.9, y: 0, width: 0.3, height: 1 },
    { x: 1728, y: 0, width: 192, height: 1080 },
    true,
  ],
  [
    "beginning before the left edge",
    { x: -20, y: 0, width: 40, height: 30 },
    { x: 0, y: 0, width: 20, height: 30 },
    true,
  ],
])("%s", (_, given, box, isCut) => {
  const placed = placeBox(given, frame);
  expect(placed.box).toEqual(box);
  expect(placed.note !== null).toBe(isCut);
});

test.each([
  { x: 0.2, y: 0.2, width: 0, height: 0.1 },
  { x: 0.2, y: 0.2, width: -0.1, height: 0.1 },
  { x: 2000, y: 20, width: 100, height: 100 },
  { x: -1, y: 0, width: 0.5, height: 1 },
  { x: 0, y: 0, width: Number.NaN, height: 1 },
])("no part of the frame: $x $y $width $height", (box) => {
  expect(() => placeBox(box, frame)).toThrow(expect.objectContaining({ kind: "wrong-usage" }));
});

test("every box is placed within the frame with at least a pixel, or refused", () => {
  const side = fc.oneof(
    fc.double({ min: -2, max: 2, noNaN: true }),
    fc.double({ min: -5000, max: 5000, noNaN: true }),
  );
  fc.assert(
    fc.property(
      fc.record({ x: side, y: side, width: side, height: side }),
      fc.record({
        width: fc.integer({ min: 1, max: 4000 }),
        height: fc.integer({ min: 1, max: 4000 }),
      }),
      (given, size) => {
        try {
          const { box } = placeBox(given, size);
          expect([box.x, box.y, box.width, box.height].every(Number.isInteger)).toBe(true);
          expect(box.x >= 0 && box.y >= 0 && box.width >= 1 && box.height >= 1).toBe(true);
          expect(box.x + box.width <= size.width && box.y + box.height <= size.height).toBe(true);
        } catch (error) {
          if (!isFailure(error, "wrong-usage")) throw error;
        }
      },
    ),
  );
});
