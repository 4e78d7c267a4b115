import { existsSync, writeSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openScan, packScan } from "../../src/media/scan-file.ts";
import { PictureFile, picturesIn, picturesInFile } from "../../src/media/scan-pictures.ts";
import { tempFolder } from "../support/temp.ts";

/** Pictures of 1,024 bytes that name their frame. 12,000 of them, 12 MB, fill the memory of one reader. */
const SIZE = 1024;
const FRAMES = 13_000;
const picture = (frame: number) => new Uint8Array(new Uint32Array(SIZE / 4).fill(frame).buffer);
const frameOf = (bytes: Uint8Array) =>
  new Uint32Array(bytes.slice().buffer).reduce((a, b) => (a === b ? a : -1));

test("pictures that no longer fit in memory are read from a file without a name, in any order", async () => {
  const path = join(await tempFolder(), "film");
  const file = PictureFile.nameless(path);
  expect(existsSync(path)).toBe(false);
  let count = 0;
  const pictures = picturesInFile(file, 0, () => count, SIZE);
  for (; count < FRAMES; count++) {
    writeSync(file.fd, picture(count));
    if (count > 0) expect(frameOf(pictures.at(count >> 1))).toBe(count >> 1);
  }
  fc.assert(
    fc.property(fc.array(fc.nat(FRAMES - 1), { minLength: 1, maxLength: 100 }), (frames) => {
      const held = frames.map((frame) => pictures.at(frame));
      expect(held.map(frameOf)).toEqual(frames);
    }),
    { numRuns: 100 },
  );
  expect([pictures.at(-1).length, pictures.at(FRAMES).length]).toEqual([0, 0]);
});

test("a packed scan gives the same pictures; a file that is cut off is refused", async () => {
  const path = join(await tempFolder(), "scan.bin");
  const [count, width, height] = [70, 8, 4];
  const bytes = (size: number) => Uint8Array.from({ length: count * size }, (_, i) => i % 251);
  const scan = {
    ...{ count, width, height, pts_s: Float64Array.from({ length: count }, (_, i) => i / 25) },
    signatures: picturesIn(bytes(32), 32),
    chroma: picturesIn(bytes(16), 16),
  };
  const packed = Buffer.concat(Array.from(packScan(scan), (part) => Buffer.from(part)));
  await writeFile(path, packed);
  const opened = openScan(path);
  expect(opened.pts_s).toEqual(scan.pts_s);
  for (const frame of [69, 0, 31, 32, 64, -1, 70]) {
    expect(opened.signatures.at(frame)).toEqual(scan.signatures.at(frame));
    expect(opened.chroma.at(frame)).toEqual(scan.chroma.at(frame));
  }
  await writeFile(path, packed.subarray(0, -1));
  expect(() => openScan(path)).toThrow(/does? not fit|do not fit/);
});
