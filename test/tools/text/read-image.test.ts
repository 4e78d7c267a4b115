import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { makeEvidence, makeEvidenceSet } from "../../../src/core/evidence.ts";
import { sha256 } from "../../../src/core/hash.ts";
import { seeded } from "../../../src/core/random.ts";
import { searchEvidence } from "../../../tools/search/keyword-search.ts";
import { freeInks, isCrowded } from "../../../tools/text/ocr/glyphs.ts";
import { enlarge } from "../../../tools/text/ocr/pixel-kernels.ts";
import { readPage } from "../../../tools/text/ocr/read-page.ts";
import { findTextLines } from "../../../tools/text/ocr/text-lines.ts";
import { closeOcr } from "../../../tools/text/ocr.ts";
import { readImage } from "../../../tools/text/read-image.ts";
import { greyPlane } from "../../support/grey-plane.ts";
import { describeShared, sharedFile } from "../../support/shared.ts";
import { tempFolder } from "../../support/temp.ts";
import { textImage } from "../../support/text-image.ts";

afterAll(closeOcr);

const textOf = async (image: Uint8Array) =>
  (await readImage(image)).map((line) => line.text).join("\n");

const TWO = [
  { text: "Cells divide by mitosis", x: 60, y: 60, height: 44 },
  { text: "each half receives one copy", x: 60, y: 200, height: 30 },
];

test.each([
  ["black on white", "white", "black", 1],
  ["white on black", "black", "white", 1],
  ["yellow on blue", "#203060", "#f0e060", 1],
  ["faint grey on white", "white", "#a8a8a8", 1],
  ["half the size", "white", "black", 0.5],
])("reads a slide, %s", async (_name, paper, colour, scale) => {
  const slide = await textImage(
    1280,
    720,
    TWO.map((line) => ({ ...line, colour })),
    paper,
  );
  const image = await sharp(slide)
    .resize(Math.round(1280 * scale))
    .jpeg({ quality: 85 })
    .toBuffer();
  const lines = await readImage(image);
  expect(lines.map((line) => line.text)).toEqual(TWO.map((line) => line.text));
  for (const [index, line] of lines.entries()) {
    expect(line.confidence).toBeGreaterThan(0.7);
    expect(Math.abs(line.box.x - 60 * scale)).toBeLessThan(8);
    expect(Math.abs(line.box.y - (TWO[index]?.y ?? 0) * scale)).toBeLessThan(8);
  }
});

test("reads the cells of a table each on its own ground", async () => {
  const cell = (x: number, y: number, fill: string) =>
    ({
      input: { create: { width: 300, height: 90, channels: 3, background: fill } },
      left: x,
      top: y,
    }) as const;
  const ground = await sharp({
    create: { width: 800, height: 300, channels: 3, background: "white" },
  })
    .composite([
      cell(50, 50, "#402080"),
      cell(350, 50, "#402080"),
      cell(50, 140, "#c8e0f8"),
      cell(350, 140, "#e8f4ff"),
    ])
    .png()
    .toBuffer();
  const words = (text: string, x: number, y: number, colour: string) =>
    textImage(
      280,
      60,
      [{ text, x: 10, y: 15, height: 30, colour }],
      colour === "white" ? "#402080" : y > 0 && x < 300 ? "#c8e0f8" : "#e8f4ff",
    ).then((input) => ({ input, left: x, top: y === 0 ? 60 : 150 }));
  const image = await sharp(ground)
    .composite(
      await Promise.all([
        words("Planet", 55, 0, "white"),
        words("Moons", 355, 0, "white"),
        words("Jupiter", 55, 1, "black"),
        words("many", 355, 1, "black"),
      ]),
    )
    .png()
    .toBuffer();
  const text = await textOf(image);
  for (const word of ["Planet", "Moons", "Jupiter", "many"]) expect(text).toContain(word);
});

test("reads an equation in a row with its raised numbers", async () => {
  const image = await textImage(900, 240, [
    { text: "A", x: 60, y: 80, height: 60 },
    { text: "2", x: 124, y: 62, height: 36 },
    { text: "+", x: 190, y: 92, height: 44 },
    { text: "B", x: 270, y: 80, height: 60 },
    { text: "2", x: 324, y: 62, height: 36 },
    { text: "=", x: 390, y: 100, height: 24 },
    { text: "C", x: 480, y: 79, height: 62 },
    { text: "2", x: 540, y: 62, height: 36 },
  ]);
  expect(await readImage(image)).toMatchObject([{ kind: "equation", text: "A^2 + B^2 = C^2" }]);
});

test("a texture is not text", async () => {
  const random = seeded("texture");
  // Seeded: of unlike textures some two in a hundred yield a word at little more than the least confidence.
  const grains = Uint8Array.from({ length: 640 * 360 }, () => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.max(0, Math.min(255, 128 + 40 * normal));
  });
  const noise = await sharp(grains, { raw: { width: 640, height: 360, channels: 1 } })
    .blur(1.5)
    .png()
    .toBuffer();
  expect(await readImage(noise)).toEqual([]);
});

test("words on noise are read, although tesseract takes too long to read a page of noise", async () => {
  const [width, height] = [811, 533];
  const next = seeded("noise26");
  // The sum of four draws has a deviation of 0.577: here 26 grey levels.
  const grey = () =>
    Math.min(255, Math.max(0, 128 + ((next() + next() + next() + next() - 2) * 26) / 0.577));
  const noise = Uint8Array.from({ length: width * height }, () => Math.round(grey()));
  const words = [
    { text: "Kitchen", x: 300, y: 140, height: 60 },
    { text: "Reads words", x: 200, y: 300, height: 50 },
  ];
  const white = words.map((word) => ({ ...word, colour: "white" }));
  const image = await sharp(noise, { raw: { width, height, channels: 1 } })
    .toColourspace("srgb")
    .composite([{ input: await textImage(width, height, white, "black"), blend: "lighten" }])
    .png()
    .toBuffer();
  expect(await readPage({ pixels: noise, width, height }, { page_s: 0.2 })).toEqual([]);
  const lines = await readImage(image, { page_s: 2 });
  expect(lines.map(({ text }) => text)).toEqual(["Kitchen", "Reads words"]);
});

/** Bright cells at random on a dark ground, of this many pixels. */
async function cells(pixels: number, share: number): Promise<Buffer> {
  const next = seeded("cells");
  const [width, height] = [640 / pixels, 360 / pixels];
  const grid = Uint8Array.from({ length: width * height }, () => (next() < share ? 210 : 30));
  return sharp(grid, { raw: { width, height, channels: 1 } })
    .resize(640, 360, { kernel: "nearest" })
    .png()
    .toBuffer();
}

async function linesOf(image: Buffer) {
  const plane = await greyPlane(image);
  const { page, lines } = await findTextLines(plane.width < 900 ? enlarge(plane) : plane);
  const crowded = isCrowded(page);
  freeInks(page);
  return { crowded, lines };
}

test("marks above each other from edge to edge are no line, and the page is not read as a whole", async () => {
  const texture = await cells(1, 0.3);
  const { crowded, lines } = await linesOf(texture);
  expect(crowded).toBe(true);
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line.glyphs.length).toBeLessThan(200);
  expect(await readImage(texture)).toEqual([]);
});

test("a word is read on a texture with more lines than a sample", async () => {
  const word = await textImage(640, 360, [{ text: "Kitchen", x: 180, y: 150, height: 60 }]);
  const label = sharp(word).extract({ left: 160, top: 130, width: 330, height: 100 });
  const input = await label.png().toBuffer();
  const image = sharp(await cells(4, 0.1)).composite([{ input, left: 160, top: 130 }]);
  const read = await readImage(await image.png().toBuffer());
  expect(read.some(({ text }) => text.includes("Kitchen"))).toBe(true);
});

test("a page full of small words is not crowded", async () => {
  const rows = Array.from({ length: 20 }, (_, row) => ({
    ...{ text: "each half receives one copy of the whole", x: 20, y: 20 + 34 * row, height: 20 },
  }));
  const { crowded, lines } = await linesOf(await textImage(1280, 720, rows));
  expect([crowded, lines.length]).toEqual([false, 20]);
});

test("a blank image has no lines, and a file that is not an image is a failure", async () => {
  expect(await readImage(await textImage(320, 200, []))).toEqual([]);
  await expect(readImage(new Uint8Array([1, 2, 3]))).rejects.toMatchObject({ kind: "ocr" });
});

test("an abort ends a reading", async () => {
  const image = await textImage(1280, 720, TWO);
  await expect(readImage(image, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    kind: "cancelled",
  });
});

describeShared("real images", () => {
  const image = (name: string) => readFile(sharedFile(`media/images/${name}`));

  test("print is read to the word", async () => {
    const manifest: { file: string; transcript?: string }[] = JSON.parse(
      await readFile(sharedFile("media/MANIFEST.json"), "utf8"),
    );
    const entry = manifest.find(({ file }) => file === "images/printed_quick_brown_dog.png");
    const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");
    expect(words(await textOf(await image("printed_quick_brown_dog.png")))).toEqual(
      words(entry?.transcript ?? ""),
    );
  });

  test("a slide with a table and boxes drawn over it keeps its words", async () => {
    const lines = await readImage(await image("slide_memory_allocation.png"));
    const text = lines.map((line) => line.text).join("\n");
    for (const words of [
      "Memory Allocation",
      "Storage",
      "sizeof",
      "entire lifetime",
      "-9223372036854775808",
    ])
      expect(text).toContain(words);

    const video = sha256("slide");
    const folder = await tempFolder();
    const evidence = lines.map((line) =>
      makeEvidence({
        video,
        kind: line.kind,
        start_s: 0,
        end_s: 1,
        text: line.text,
        box: line.box,
        by: { who: "tool", name: "tesseract" },
        confidence: line.unread ? null : line.confidence,
        from: [],
      }),
    );
    const hits = await searchEvidence(
      makeEvidenceSet(evidence),
      "automatic memory allocation",
      {},
      { derived: async () => folder },
    );
    expect(hits[0]?.evidence.text).toMatch(/Local variables.*automatic memory allocation/);
  });

  test.each(["latex_gamma.png", "hw_algebra.jpg", "photo_screen_integral.jpg"])(
    "an unreadable equation is marked as unread: %s",
    async (name) => {
      const lines = await readImage(await image(name));
      expect(lines).toMatchObject([{ kind: "equation", text: "", unread: true, confidence: 0 }]);
      expect(lines[0]?.box.width).toBeGreaterThan(200);
    },
  );
});
