import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Evidence } from "../../src/core/shapes.ts";
import { compose, type Shape } from "../../src/media/compose.ts";
import { openStore } from "../../src/storage/open.ts";
import { closeOcr } from "../../tools/ocr.ts";
import { readText } from "../../tools/read-text.ts";
import { openVideo } from "../../tools/video.ts";
import { describeShared, sharedFile } from "../support/shared.ts";
import { tempFolder } from "../support/temp.ts";

afterAll(closeOcr);

const FPS = 10;

/** Four slides: a title, a bullet that comes after two seconds, another slide, the first again. */
async function lecture(): Promise<string> {
  const file = join(await tempFolder(), "lecture.mp4");
  const words = (text: string, y: number, size = 0.07): Shape => ({
    draw: "text",
    text,
    x: 0.08,
    y,
    size,
    anchor: "left",
    colour: "black",
  });
  const title = words("Photosynthesis", 0.15, 0.1);
  const first = words("Plants turn light into sugar", 0.4);
  const second = words("Water enters through the roots", 0.6);
  const slide = (duration_s: number, ...shapes: Shape[]) =>
    ({ kind: "picture", picture: { background: "white", shapes }, duration_s }) as const;
  await compose(
    {
      width: 640,
      height: 360,
      fps: FPS,
      silent: true,
      segments: [
        slide(2, title, first),
        slide(2.5, title, first, second),
        { kind: "card", text: "Questions welcome", duration_s: 2 },
        slide(0.2, words("too short to be read", 0.5)),
        slide(2, title, first),
      ],
    },
    file,
  );
  return file;
}

const file = await lecture();
const spans = (items: Evidence[]) =>
  items.map(({ text, start_s, end_s }) => [
    text,
    Math.round(start_s * 100) / 100,
    Math.round(end_s * 100) / 100,
  ]);

test("each text stands from the frame it appears to the one it goes, a title over two slides once", async () => {
  const store = await openStore(await tempFolder());
  const work = { store, run: "text" };
  const video = await openVideo(file, work);
  const items = await readText(video, {}, work);
  expect(spans(items)).toEqual([
    ["Photosynthesis", 0, 4.5],
    ["Plants turn light into sugar", 0, 4.5],
    ["Water enters through the roots", 2, 4.5],
    ["Questions welcome", 4.5, 6.5],
    ["Photosynthesis", 6.7, 8.7],
    ["Plants turn light into sugar", 6.7, 8.7],
  ]);
  for (const item of items) {
    expect(item).toMatchObject({
      video: video.hash,
      kind: "text",
      by: { who: "tool", name: "tesseract" },
      frame: { video: video.hash, width: 640, height: 360 },
    });
    expect(item.confidence).toBeGreaterThan(0.8);
    expect(item.frame?.t_s).toBeGreaterThanOrEqual(item.start_s);
    expect(item.frame?.t_s).toBeLessThan(item.end_s);
  }
  const bullet = items[2]?.box;
  expect(Math.abs((bullet?.x ?? 0) - 0.08 * 640)).toBeLessThan(6);
  expect(Math.abs((bullet?.y ?? 0) + (bullet?.height ?? 0) / 2 - 0.6 * 360)).toBeLessThan(8);

  let asked = 0;
  const again = await readText(video, {}, { ...work, run: "later", progress: () => asked++ });
  expect(again).toEqual(items);
  expect(asked).toBe(0);
  await store.close();
});

test("lines below the confidence asked for are left out", async () => {
  const store = await openStore(await tempFolder());
  const work = { store, run: "text" };
  const items = await readText(await openVideo(file, work), { min_confidence: 1 }, work);
  expect(items).toEqual([]);
  await store.close();
});

test("a setting out of range and an abort are failures", async () => {
  const store = await openStore(await tempFolder());
  const work = { store, run: "text" };
  const video = await openVideo(file, work);
  await expect(readText(video, { max_side: 3 }, work)).rejects.toMatchObject({
    kind: "wrong-usage",
  });
  await expect(
    readText(video, {}, { ...work, signal: AbortSignal.timeout(1) }),
  ).rejects.toMatchObject({ name: expect.stringMatching(/Failure|AbortError/) });
  await store.close();
});

describeShared("real videos", () => {
  async function read(name: string): Promise<Evidence[]> {
    const store = await openStore(await tempFolder());
    const work = { store, run: "text" };
    try {
      return await readText(await openVideo(sharedFile(`media/videos/${name}`), work), {}, work);
    } finally {
      await store.close();
    }
  }

  const near = (items: Evidence[], text: string) => items.filter((item) => item.text === text);

  test("bullets that appear one by one each have their own start", async () => {
    const items = await read("lecture_gis_bullets_vfr.mp4");
    const expected: [string, number, number][] = [
      ["You will learn about...", 0, 91.2],
      ["New ways to see and understand the world", 5.2, 91.2],
      ["Mapping and spatial analysis", 12.6, 91.2],
      ["How to make a good map", 21.2, 91.2],
      ["How to communicate your ideas", 24.2, 91.2],
      ["Using GIS software and data", 28, 91.2],
      ["Load course outline", 94.9, 101.55],
    ];
    for (const [text, start_s, end_s] of expected) {
      const [item, ...more] = near(items, text);
      expect(more).toEqual([]);
      expect([text, item?.start_s]).toEqual([text, expect.closeTo(start_s, 0)]);
      expect(item?.end_s).toBeCloseTo(end_s, 0);
    }
  });

  test("equations of an animation stand at their seconds", async () => {
    const items = await read("manim_tex_derivation.mp4");
    const expected: [string, number, number][] = [
      ["A^2 + B^2 = C^2", 0.6, 15.2],
      ["A^2 = C^2 - B^2", 1.7, 15.2],
      ["A^2 = (C + B)(C - B)", 4.7, 6.4],
      ["A^2 = (C + B)(C - B)", 8.7, 15.3],
      ["A = sqrt((C + B)(C - B))", 11.7, 15.2],
    ];
    const equations = items.filter((item) => item.kind === "equation");
    expect(equations.map((item) => item.text)).toEqual(expected.map(([text]) => text));
    for (const [index, [, start_s, end_s]] of expected.entries()) {
      expect(Math.abs((equations[index]?.start_s ?? 0) - start_s)).toBeLessThan(0.5);
      expect(Math.abs((equations[index]?.end_s ?? 0) - end_s)).toBeLessThan(0.5);
    }
    expect(spans(near(items, "here come dots"))).toEqual([
      ["here come dots", expect.closeTo(20.75, 0), expect.closeTo(22.3, 0)],
    ]);
  });
});
