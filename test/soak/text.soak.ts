import { afterAll, expect, test } from "vitest";
import type { Evidence } from "../../src/core/shapes.ts";
import { inputArgs, runFfmpeg } from "../../src/media/run-ffmpeg.ts";
import { openStore } from "../../src/storage/open.ts";
import { closeOcr } from "../../tools/text/ocr.ts";
import { readImage } from "../../tools/text/read-image.ts";
import { readText } from "../../tools/text/read-text.ts";
import { suggestLanguage } from "../../tools/text/suggest-language.ts";
import { openVideo } from "../../tools/video/video.ts";
import { scene } from "../support/scenes.ts";
import { describeShared, sharedFile } from "../support/shared.ts";
import { tempFolder } from "../support/temp.ts";

afterAll(closeOcr);

test("40 random scenes have no equations", async () => {
  const found: string[] = [];
  for (let seed = 0; seed < 40; seed++)
    for (const line of await readImage(await scene(`textures ${seed}`)))
      if (line.kind === "equation") found.push(`scene ${seed}: ${line.text}`);
  expect(found).toEqual([]);
});

describeShared("photographs of films", () => {
  test.each([
    ["kitchen_milk_ego.mp4", 40],
    ["bottle_shelf.mp4", 38],
    ["car_lane_silent_audio.mp4", 28],
    ["nasa_webb_subs.mp4", 12],
  ])("%s has no equations", async (name, seconds) => {
    const found: number[] = [];
    for (let at_s = 1; at_s < seconds; at_s += 3) {
      const { stdout } = await runFfmpeg([
        ...["-ss", String(at_s), ...inputArgs(sharedFile(`media/videos/${name}`))],
        ...["-frames:v", "1", "-f", "image2pipe", "-c:v", "png", "-"],
      ]);
      if ((await readImage(stdout)).some(({ kind }) => kind === "equation")) found.push(at_s);
    }
    expect(found).toEqual([]);
  });
});

describeShared("real videos, whole", () => {
  async function read(name: string): Promise<Evidence[]> {
    const store = await openStore(await tempFolder());
    const work = { store, run: "text" };
    try {
      return await readText(await openVideo(sharedFile(`media/videos/${name}`), work), {}, work);
    } finally {
      await store.close();
    }
  }

  const near = (items: Evidence[], text: string) =>
    items.filter((item) => item.text.replace(/\.+$/, "") === text);

  test("bullets that appear one by one have separate starts", async () => {
    const items = await read("lecture_gis_bullets_vfr.mp4");
    const expected: [string, number, number][] = [
      ["You will learn about", 0, 91.2],
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

  test("equations of an animation have the right times", async () => {
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
    const [dots, ...more] = near(items, "here come dots");
    expect(more).toEqual([]);
    expect(dots?.start_s).toBeCloseTo(20.75, 0);
    expect(dots?.end_s).toBeCloseTo(22.3, 0);
  });
});

describeShared("a real lecture", () => {
  test("its script is not another one", async () => {
    const store = await openStore(await tempFolder());
    const work = { store, run: "script" };
    const video = await openVideo(sharedFile("media/videos/lecture_gis_bullets_vfr.mp4"), work);
    // As if nothing had been read.
    expect(await suggestLanguage(video, [], {}, work)).toBeNull();
    await store.close();
  });

  test("the lines of a slide last until the second in which it changes", async () => {
    const store = await openStore(await tempFolder());
    const work = { store, run: "text" };
    const path = sharedFile("media/videos/lecture_stream_ciphers.mp4");
    const items = await readText(await openVideo(path, work), {}, work);
    await store.close();
    for (const words of [
      "Stream ciphers are semantically secure",
      "is a secure PRG",
      "stream cipher E derived from G is sem. sec",
    ]) {
      const [item, ...more] = items.filter(
        ({ text, start_s }) => text.includes(words) && start_s < 100,
      );
      expect(more).toEqual([]);
      expect([words, item?.start_s]).toEqual([words, 0]);
      expect([words, item?.end_s]).toEqual([words, expect.closeTo(114.38, 1)]);
    }
  });
});
