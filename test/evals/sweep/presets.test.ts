import { afterAll, beforeAll, expect, test } from "vitest";
import {
  expectPresetsRecomputed,
  PAPERS,
  type PresetRuns,
  startPresetRuns,
} from "../../support/preset-runs.ts";

let world: PresetRuns;

beforeAll(async () => {
  world = await startPresetRuns(1);
});
afterAll(() => world.close());

test("every table of the papers is what a script computes from the runs", async () => {
  const folders: string[] = [];
  for (const { name } of PAPERS) {
    const models = name === "vcrbench-table-1" ? ["openai:one", "openai:two"] : undefined;
    folders.push(await world.run(world.sweepOf(name, {}, models), name));
  }
  const { parts } = await expectPresetsRecomputed(folders);
  expect(parts.flatMap(({ preset }) => preset ?? []).sort()).toEqual(
    PAPERS.map(({ name }) => name).sort(),
  );
});
