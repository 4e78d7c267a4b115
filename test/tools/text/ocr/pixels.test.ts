import fc from "fast-check";
import { expect, test } from "vitest";
import { sharp } from "../../../../src/media/sharp.ts";
import { enlarge } from "../../../../tools/text/ocr/enlarge.ts";
import { markRules } from "../../../../tools/text/ocr/mark-rules.ts";
import { medianOf } from "../../../../tools/text/ocr/median.ts";
import { readImage } from "../../../../tools/text/read-image.ts";

/** Planes of few and of many levels, smaller and larger than a window. */
const plane = fc
  .record({
    width: fc.integer({ min: 1, max: 40 }),
    height: fc.integer({ min: 1, max: 40 }),
    levels: fc.constantFrom(2, 7, 256),
    seed: fc.integer(),
  })
  .map(({ width, height, levels, seed }) => {
    let state = seed;
    const pixels = Uint8Array.from({ length: width * height }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) | 0;
      return Math.floor(((state >>> 16) % levels) * (255 / (levels - 1)));
    });
    return { pixels, width, height };
  });

test("the median of a window is the middle of its sorted pixels", () => {
  fc.assert(
    fc.property(plane, fc.constantFrom(1, 3, 5, 9, 21), (given, window) => {
      const { pixels, width, height } = given;
      const clamp = (at: number, size: number) => Math.min(size - 1, Math.max(0, at));
      const reach = Array.from({ length: window }, (_, i) => i - (window >> 1));
      const sorted = (x: number, y: number) =>
        reach
          .flatMap((v) =>
            reach.map((u) => pixels[clamp(y + v, height) * width + clamp(x + u, width)] ?? 0),
          )
          .sort((a, b) => a - b);
      const [x, y] = [width >> 1, height - 1];
      const medians = medianOf(given, window);
      expect(medians[y * width + x]).toBe(sorted(x, y)[(window * window) >> 1]);
      expect(medians[0]).toBe(sorted(0, 0)[(window * window) >> 1]);
    }),
  );
});

test("a plane is enlarged as libvips enlarges it by cubic interpolation", async () => {
  await fc.assert(
    fc.asyncProperty(plane, async (given) => {
      const { pixels, width, height } = given;
      const theirs = await sharp(pixels, { raw: { width, height, channels: 1 } })
        .resize(width * 2, height * 2, { kernel: "cubic", fit: "fill" })
        .toColourspace("b-w")
        .raw()
        .toBuffer();
      const ours = enlarge(given);
      expect([ours.width, ours.height]).toEqual([width * 2, height * 2]);
      expect(Buffer.compare(ours.pixels, theirs)).toBe(0);
    }),
    { numRuns: 40 },
  );
});

test("long thin runs of ink are rules; short or thick ones and letters on a rule are not", () => {
  const [width, height] = [200, 150];
  const mask = new Uint8Array(width * height);
  const fill = (x: number, y: number, wide: number, high: number) => {
    for (let v = y; v < y + high; v++) mask.fill(1, v * width + x, v * width + x + wide);
  };
  fill(10, 5, 40, 1);
  fill(10, 12, 39, 1);
  fill(150, 20, 3, 120);
  fill(20, 40, 60, 5);
  fill(20, 100, 100, 2);
  fill(60, 90, 4, 20);
  markRules(mask, width, height);
  const at = (x: number, y: number) => mask[y * width + x];
  expect([at(10, 5), at(49, 5)]).toEqual([2, 2]);
  expect(at(10, 12)).toBe(1);
  expect([at(150, 20), at(152, 139)]).toEqual([2, 2]);
  expect(at(40, 42)).toBe(1);
  expect([at(20, 100), at(119, 101)]).toEqual([2, 2]);
  expect([at(61, 95), at(61, 100)]).toEqual([1, 1]);
});

test("a picture that is lower than the window around its pixels is read", async () => {
  const create = { width: 3000, height: 6, channels: 3, background: "white" } as const;
  const strip = await sharp({ create }).png().toBuffer();
  expect(await readImage(strip)).toEqual([]);
});
