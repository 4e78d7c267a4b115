import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../../src/storage/open.ts";
import { lookingModel } from "../support/looking-model.ts";
import {
  askFilmOnce,
  MOST_CALLS,
  MOST_FRAMES,
  type Outcome,
  strategyTable,
  type Way,
} from "../support/looking-runs.ts";
import { startModelServer } from "../support/model-server.ts";
import { tempFolder } from "../support/temp.ts";

/*
 * The strategies on the same films, with the scripted model that looks at pixels. The test shows what the strategies let
 * a model see, not how well a real model would answer. LOOKING_FILMS: number of films (12). LOOKING_SECONDS: length of a
 * film in seconds (300). LOOKING_FOLDER: folder that keeps the outcomes, so that a stopped test can resume.
 */

const FILMS = Number(process.env.LOOKING_FILMS ?? 12);
const SECONDS = Number(process.env.LOOKING_SECONDS ?? 300);
const STRATEGIES: readonly Way[] = ["direct", "rrd", "react", "agent"];

test(`direct, rrd, react and agent on the same ${FILMS} films`, {
  timeout: 3 * 3_600_000,
}, async () => {
  const folder = process.env.LOOKING_FOLDER ?? (await tempFolder());
  await mkdir(folder, { recursive: true });
  const store = await openStore(join(folder, "store"));
  const server = await startModelServer(lookingModel);
  const outcomes: Outcome[] = [];
  for (let film = 0; film < FILMS; film++) {
    const context = { folder, store, server };
    const options = { ways: STRATEGIES, duration_s: SECONDS };
    const seed = 200 + Math.floor(film / 2);
    outcomes.push(...(await askFilmOnce(seed, film % 2 === 0, context, options)));
  }
  await server.close();
  await store.close();
  console.log(`Scripted model, ${FILMS} films of ${SECONDS} s\n${strategyTable(outcomes)}`);

  const right = (way: Way) => outcomes.filter((one) => one.way === way && one.right).length;
  for (const way of STRATEGIES) expect(outcomes.some((one) => one.way === way)).toBe(true);
  expect(right("agent")).toBeGreaterThan(right("direct"));
  for (const { way, calls, frames } of outcomes) {
    if (way !== "react" && way !== "agent") continue;
    expect(calls).toBeLessThanOrEqual(MOST_CALLS);
    expect(frames).toBeLessThanOrEqual(MOST_FRAMES);
  }
});
