import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { countEquations, equationsInWords } from "../../../../evals/datasets/demo/equations.ts";
import { lessons } from "../../../../evals/datasets/demo/lessons.ts";
import { compose } from "../../../../src/media/compose.ts";
import { openStore } from "../../../../src/storage/open.ts";
import { tempFolder } from "../../../support/temp.ts";

const SEED = 7;

test("tesseract reads most equations of the demo's lessons, and those are solved", async () => {
  const folder = await tempFolder();
  await mkdir(join(folder, "videos"));
  for (const [place, { film, category }] of lessons(SEED).entries())
    if (category === "Arithmetic" || category === "Geometry Angle")
      await compose(film.spec, join(folder, "videos", `lesson_${place + 1}.mp4`));
  const store = await openStore(join(folder, "store"));
  try {
    const count = await countEquations(folder, SEED, store);
    expect(count.written).toBe(7);
    expect(count.read).toBeGreaterThanOrEqual(5);
    expect(count.solved).toBe(count.unknown);
    expect(count.solved).toBeGreaterThanOrEqual(5);
    expect(equationsInWords(count)).toContain(`${count.read} of 7 equations`);
  } finally {
    await store.close();
  }
});
