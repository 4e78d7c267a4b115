import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hashOf } from "../../../../src/core/hash.ts";
import { sharp } from "../../../../src/media/sharp.ts";
import { markRules } from "../../../../tools/text/ocr/mark-rules.ts";
import {
  enlarge,
  MOST_WINDOW,
  medianOf,
  separateInk,
} from "../../../../tools/text/ocr/pixel-kernels.ts";
import { SOURCE } from "../../../../tools/text/ocr/pixel-kernels-code.ts";
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

const clamp = (at: number, size: number) => Math.min(size - 1, Math.max(0, at));

test("the median of a window is the middle of its sorted pixels", () => {
  fc.assert(
    fc.property(plane, fc.constantFrom(1, 3, 5, 9, 21, 39), (given, window) => {
      const { pixels, width, height } = given;
      const reach = Array.from({ length: window }, (_, i) => i - (window >> 1));
      const sorted = (x: number, y: number) =>
        reach
          .flatMap((v) =>
            reach.map((u) => pixels[clamp(y + v, height) * width + clamp(x + u, width)] ?? 0),
          )
          .sort((a, b) => a - b);
      const medians = medianOf(given, window);
      expect(medians).toHaveLength(width * height);
      for (const [x, y] of [
        [0, 0],
        [width >> 1, height - 1],
        [width - 1, height >> 1],
        [(width * 2) / 3, height / 3].map(Math.floor),
      ] as [number, number][])
        expect(medians[y * width + x]).toBe(sorted(x, y)[(window * window) >> 1]);
    }),
  );
});

test("the largest window counts all its pixels", () => {
  const pixels = Uint8Array.from({ length: 300 * 20 }, (_, at) => (at % 300 < 130 ? 10 : 200));
  const medians = medianOf({ pixels, width: 300, height: 20 }, MOST_WINDOW);
  // The middle of the window crosses the edge at pixel 130; beyond the right border all is light.
  expect([medians[0], medians[129], medians[130], medians[299]]).toEqual([10, 10, 200, 200]);
});

test("ink differs from the median of its block by more than the contrast, which is chosen from all differences", () => {
  fc.assert(
    fc.property(plane, fc.constantFrom(2, 4), fc.integer({ min: 0, max: 60 }), (given, part, c) => {
      const { pixels, width, height } = given;
      const small = { width: Math.ceil(width / part), height: Math.ceil(height / part) };
      const medians = Uint8Array.from(
        { length: small.width * small.height },
        (_, at) => (at * 37) % 256,
      );
      let seen: number[] = [];
      const found = separateInk(given, { pixels: medians, width: small.width }, part, (all) => {
        seen = [...all];
        return c;
      });
      const around = Array.from(
        pixels,
        (_, at) =>
          medians[
            Math.floor(Math.floor(at / width) / part) * small.width +
              Math.floor((at % width) / part)
          ] ?? 0,
      );
      const depths = around.map((level, at) => level - (pixels[at] ?? 0));
      expect(found.contrast).toBe(c);
      expect([...found.background]).toEqual(around);
      expect([...found.dark]).toEqual(depths.map((depth) => (depth > c ? 1 : 0)));
      expect([...found.light]).toEqual(depths.map((depth) => (-depth > c ? 1 : 0)));
      const counts = Array.from({ length: 256 }, () => 0);
      for (const depth of depths) counts[Math.abs(depth)] = (counts[Math.abs(depth)] ?? 0) + 1;
      expect(seen).toEqual(counts);
    }),
  );
});

test("a plane of several bands is separated like each of its rows", () => {
  const [width, height] = [70, 150];
  const pixels = Uint8Array.from({ length: width * height }, (_, at) => (at * 7919) % 251);
  const medians = Uint8Array.from({ length: 35 * 75 }, (_, at) => (at * 31) % 256);
  const { background, dark } = separateInk(
    { pixels, width, height },
    { pixels: medians, width: 35 },
    2,
    () => 30,
  );
  const at = (x: number, y: number) => y * width + x;
  for (const [x, y] of [
    [0, 63],
    [69, 64],
    [13, 127],
    [1, 128],
    [69, 149],
  ] as [number, number][]) {
    const median = medians[(y >> 1) * 35 + (x >> 1)] ?? 0;
    expect(background[at(x, y)]).toBe(median);
    expect(dark[at(x, y)]).toBe(median - (pixels[at(x, y)] ?? 0) > 30 ? 1 : 0);
  }
});

test("the compiled kernels are those of their source", async () => {
  const source = new URL("../../../../tools/text/ocr/pixel-kernels.as.ts", import.meta.url);
  expect(SOURCE, "run `npm run kernels`").toBe(hashOf(await readFile(source, "utf8")));
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
