import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { compose } from "../../src/media/compose.ts";
import { openStore } from "../../src/storage/open.ts";
import { closeOcr } from "../../tools/text/ocr.ts";
import { findTitleCards } from "../../tools/video/title-cards.ts";
import { openVideo } from "../../tools/video/video.ts";
import { differences, randomSet, trueCards } from "../support/card-sets.ts";
import { tempFolder } from "../support/temp.ts";

const SETS = 200;

afterAll(closeOcr);

test(`${SETS} random sets of cards and decoys are found to the frame`, async () => {
  const folder = await tempFolder();
  const work = { store: await openStore(join(folder, "store")), run: "soak" };
  const wrong: Record<number, string[]> = {};
  for (let seed = 1000; seed < 1000 + SETS; seed++) {
    const { spec, numbers } = randomSet(seed);
    const file = join(folder, "set.mp4");
    const truth = trueCards(numbers, await compose(spec, file));
    const { cards } = await findTitleCards(await openVideo(file, work), work);
    const found = differences(cards, truth, spec.fps);
    if (found.length > 0) wrong[seed] = found;
  }
  await work.store.close();
  expect(wrong).toEqual({});
});
