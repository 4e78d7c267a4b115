import { join } from "node:path";
import { expect, test } from "vitest";
import { askInStore } from "../../graphs/ask.ts";
import { loadPrompts } from "../../prompts/load-prompts.ts";
import { readSettings } from "../../src/core/settings.ts";
import { openStore } from "../../src/storage/open.ts";
import { openVideo } from "../../tools/video/video.ts";
import { plainVideo } from "../evals/run/run-fixtures.ts";
import { tempFolder } from "../support/temp.ts";
import { DEVELOPED } from "../support/unseen/developed.ts";
import { HELD_OUT } from "../support/unseen/held-out.ts";
import { countTable, measureLessons } from "../support/unseen/measure.ts";

const SEEDS = Array.from({ length: 20 }, (_, place) => 100 + place);

test.each([
  ["developed", DEVELOPED],
  ["held out", HELD_OUT],
])("lessons of unseen make, %s", async (name, subjects) => {
  const folder = await tempFolder();
  const store = await openStore(join(folder, "store"));
  await plainVideo(join(folder, "film.mp4"), 1);
  const video = await openVideo(join(folder, "film.mp4"), { store, run: "soak" });
  const settings = readSettings({ strategy: "extractive" });
  const parts = { video, settings, prompts: await loadPrompts(null), store };
  const counts = await measureLessons(subjects, SEEDS, video.hash, async (question, given) => {
    const { answer } = await askInStore({ ...parts, question, given });
    return answer;
  });
  process.stdout.write(`${countTable(name, counts)}\n`);
  await store.close();
  const { questions = 0, right = 0, wrong = 0, found = 0 } = counts.get("all") ?? {};
  const spoken = counts.get("spoken number");
  expect(right).toBeGreaterThanOrEqual(0.9 * questions);
  expect(wrong).toBeLessThanOrEqual(0.05 * questions);
  expect(found).toBeGreaterThanOrEqual(0.9 * questions);
  expect(spoken?.right).toBeGreaterThanOrEqual(0.75 * (spoken?.questions ?? 1));
});
