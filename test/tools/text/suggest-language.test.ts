import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { drawPicture } from "../../../src/media/compose/picture.ts";
import { openStore } from "../../../src/storage/open.ts";
import { closeOcr } from "../../../tools/text/ocr.ts";
import { suggestLanguage } from "../../../tools/text/suggest-language.ts";
import { openVideo } from "../../../tools/video/video.ts";
import { tempFolder } from "../../support/temp.ts";

afterAll(closeOcr);

/** The suggestion for a picture of these lines, if nothing was read in it. */
async function suggestionFor(lines: readonly string[]): Promise<string | null> {
  const folder = await tempFolder();
  const [width, height] = [960, 540];
  const raw = await drawPicture(
    {
      background: "white",
      shapes: lines.map((text, row) => ({
        ...({ draw: "text", text, x: 0.05, anchor: "left", colour: "black" } as const),
        ...{ y: 0.15 + row * 0.2, size: 0.065 },
      })),
    },
    width,
    height,
  );
  const file = join(folder, "slide.png");
  await writeFile(
    file,
    await sharp(raw, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer(),
  );
  const job = { store: await openStore(join(folder, "store")), run: "script" };
  try {
    return await suggestLanguage(await openVideo(file, job), [], {}, job);
  } finally {
    await job.store.close();
  }
}

test("a slide in another script suggests its languages", async () => {
  const slide = ["Деление клеток и рост тканей", "каждая половина получает одну копию", "Вопросы"];
  expect(await suggestionFor(slide)).toBe(
    "The text on screen looks Cyrillic, but it was read as English. Pass --ocr-language rus (or ukr, bul).",
  );
});

test("an empty picture suggests nothing", async () => {
  expect(await suggestionFor([])).toBeNull();
});
