import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../../src/storage/open.ts";
import { CASES } from "../support/looking-films.ts";
import { lookingModel } from "../support/looking-model.ts";
import {
  askFilmOnce,
  MOST_CALLS,
  MOST_FRAMES,
  type Outcome,
  tableOf,
  type Way,
} from "../support/looking-runs.ts";
import { startModelServer } from "../support/model-server.ts";
import { tempFolder } from "../support/temp.ts";

/*
 * Films of ten minutes with cues of two seconds, each with and without a cut around them, and a model that looks at
 * the pixels it is sent. LOOKING_SEEDS: how many seeds (50). LOOKING_FIRST: the first of them (100; those below 150
 * were looked at while the search was built). LOOKING_FOLDER keeps films, store and outcomes: what was asked there is not
 * asked again, so that a run that was stopped goes on, and ranges of seeds run beside each other are told together.
 * LOOKING_WAYS: only these of direct,rrd,react,agent,random.
 */

const SEEDS = Number(process.env.LOOKING_SEEDS ?? 50);
const FIRST = Number(process.env.LOOKING_FIRST ?? 100);
const ASKED = (process.env.LOOKING_WAYS?.split(",") ?? [
  "agent",
  "random",
  "direct",
]) as readonly Way[];
/** Share of the answers that has to be right with a cut and without one, and in each case. */
const GOAL = 0.9;
const LEAST = 0.8;

test(`cues of ${SEEDS} seeds are found within ${MOST_CALLS} calls and ${MOST_FRAMES} frames`, {
  timeout: 6 * 3_600_000,
}, async () => {
  const folder = process.env.LOOKING_FOLDER ?? (await tempFolder());
  await mkdir(folder, { recursive: true });
  const store = await openStore(join(folder, "store"));
  const server = await startModelServer(lookingModel);
  const outcomes: Outcome[] = [];
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++)
    for (const cut of [true, false])
      outcomes.push(...(await askFilmOnce(seed, cut, { folder, store, server }, { ways: ASKED })));
  await server.close();
  await store.close();
  console.log(
    `Seeds ${FIRST} to ${FIRST + SEEDS - 1}, a scripted model that looks\n${tableOf(outcomes)}`,
  );

  const agent = outcomes.filter(({ way }) => way === "agent");
  expect(Math.max(...agent.map(({ calls }) => calls))).toBeLessThanOrEqual(MOST_CALLS);
  expect(Math.max(...agent.map(({ frames }) => frames))).toBeLessThanOrEqual(MOST_FRAMES);
  const shareOf = (those: readonly Outcome[]) =>
    those.filter(({ right }) => right).length / those.length;
  for (const cut of [true, false]) {
    const those = agent.filter((one) => one.cut === cut);
    const around = cut ? "with a cut" : "without a cut";
    expect(shareOf(those), around).toBeGreaterThanOrEqual(GOAL);
    for (const name of CASES)
      expect(
        shareOf(those.filter((one) => one.question.case === name)),
        `${name}, ${around}`,
      ).toBeGreaterThanOrEqual(LEAST);
  }
});
