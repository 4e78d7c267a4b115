import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { closeOcr, OCR_PIXEL_LIMIT, recognise } from "../../../tools/text/ocr.ts";
import { tempFolder } from "../../support/temp.ts";
import { textImage } from "../../support/text-image.ts";

afterAll(closeOcr);

const page = await textImage(640, 240, [
  { text: "Hello wide world", x: 20, y: 20 },
  { text: "second line of text", x: 40, y: 140 },
]);

test("gives lines and words with their boxes in pixels of the image", async () => {
  const read = await recognise(page);
  expect(read.text).toBe("Hello wide world\nsecond line of text");
  expect([read.width, read.height]).toEqual([640, 240]);
  expect(read.confidence).toBeGreaterThan(0.85);
  const [first, second] = read.lines;
  expect(first?.words.map((word) => word.text)).toEqual(["Hello", "wide", "world"]);
  expect(Math.abs((first?.box.x ?? 0) - 20)).toBeLessThanOrEqual(2);
  expect(Math.abs((first?.box.y ?? 0) - 20)).toBeLessThanOrEqual(2);
  expect(Math.abs((second?.box.y ?? 0) - 140)).toBeLessThanOrEqual(2);
  for (const word of read.lines.flatMap((line) => line.words)) {
    expect(word.confidence).toBeGreaterThan(0);
    expect(word.confidence).toBeLessThanOrEqual(1);
  }
});

test("reads a single number when only digits are allowed", async () => {
  const card = await textImage(200, 120, [{ text: "17", x: 60, y: 30, height: 60 }]);
  const read = await recognise(card, { psm: "line", whitelist: "0123456789" });
  expect(read.text).toBe("17");
  expect((await recognise(page)).text).toContain("Hello");
});

test("reads more images at once than there are workers, with the same results as one at a time", async () => {
  const images = await Promise.all(
    ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot"].map((text) =>
      textImage(320, 100, [{ text, x: 20, y: 20 }]),
    ),
  );
  const alone: string[] = [];
  for (const image of images) alone.push(JSON.stringify(await recognise(image)));
  const together = await Promise.all([...images].reverse().map((image) => recognise(image)));
  expect(together.map((read) => JSON.stringify(read)).reverse()).toEqual(alone);
});

test("turns an image by its EXIF orientation before reading it", async () => {
  const turned = await sharp(page).rotate(270).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const read = await recognise(turned);
  expect([read.width, read.height]).toEqual([640, 240]);
  expect(read.lines[0]?.text).toBe("Hello wide world");
});

test.each([
  ["nothing", new Uint8Array()],
  ["bytes that are no image", new Uint8Array([1, 2, 3, 4])],
  ["half an image", page.subarray(0, page.length / 2)],
])("refuses %s with a failure", async (_name, bytes) => {
  await expect(recognise(bytes)).rejects.toMatchObject({ name: "Failure", kind: "ocr" });
});

test("refuses more pixels than the limit without decoding them", async () => {
  const side = Math.ceil(Math.sqrt(OCR_PIXEL_LIMIT)) + 1;
  const huge = await sharp({
    create: { width: side, height: side, channels: 3, background: "white" },
  })
    .png({ compressionLevel: 9 })
    .toBuffer();
  await expect(recognise(huge)).rejects.toMatchObject({ kind: "ocr" });
});

test("an image without text is an empty result", async () => {
  const blank = await textImage(320, 200, []);
  expect(await recognise(blank)).toMatchObject({ text: "", confidence: 0, lines: [] });
});

test("a worker that takes too long is replaced", async () => {
  await expect(recognise(page, { timeout_s: 0.001 })).rejects.toMatchObject({
    kind: "ocr",
    facts: { timeout_s: 0.001 },
  });
  expect((await recognise(page)).text).toContain("Hello wide world");
});

test("an abort ends a running reading and waiting ones", async () => {
  const stop = new AbortController();
  const readings = Array.from({ length: availableParallelism() + 3 }, () =>
    recognise(page, { signal: stop.signal }),
  );
  setTimeout(() => stop.abort(), 10);
  const settled = await Promise.allSettled(readings);
  const cancelled = settled.filter(
    (one) => one.status === "rejected" && one.reason.kind === "cancelled",
  );
  expect(cancelled.length).toBeGreaterThan(1);
  expect((await recognise(page)).text).toContain("Hello wide world");
});

test("a language without data is a failure that names the package", async () => {
  await expect(recognise(page, { languages: ["xxx"] })).rejects.toMatchObject({
    kind: "ocr",
    message: expect.stringContaining("@tesseract.js-data/xxx"),
  });
  await expect(recognise(page, { languages: ["../../eng"] })).rejects.toMatchObject({
    kind: "ocr",
  });
});

test("idle workers do not keep a process alive", async () => {
  const folder = await tempFolder();
  const image = join(folder, "page.png");
  await writeFile(image, page);
  const ocr = new URL("../../../tools/text/ocr.ts", import.meta.url).href;
  const script = `import { readFile } from "node:fs/promises";
    const { recognise } = await import(${JSON.stringify(ocr)});
    console.log((await recognise(await readFile(${JSON.stringify(image)}))).lines.length);`;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "-e", script],
    { timeout: 30_000 },
  );
  expect(stdout.trim()).toBe("2");
  expect(stderr).toBe("");
});
