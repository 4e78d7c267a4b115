import { afterAll, beforeAll, test } from "vitest";
import {
  expectPresetsRecomputed,
  PAPERS,
  type PresetRuns,
  startPresetRuns,
} from "../support/preset-runs.ts";

let world: PresetRuns;

beforeAll(async () => {
  world = await startPresetRuns(6);
});
afterAll(() => world.close());

test.each(PAPERS)("$name by two models on six videos", async ({ name }) => {
  const folder = await world.run(world.sweepOf(name, {}, ["openai:one", "openai:two"]), name);
  await expectPresetsRecomputed([folder]);
});
