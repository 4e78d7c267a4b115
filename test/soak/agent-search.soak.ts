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
 * Films of ten minutes with cues of two seconds, each with and without a cut around them, and a scripted model that looks
 * at the pixels it is sent. LOOKING_SEEDS: number of seeds (50). LOOKING_FIRST: the first seed (100). Seeds below 150 are
 * development data: the search was tuned on them. LOOKING_FOLDER: folder that keeps films, store and
 * outcomes, so that a stopped test can resume, and ranges of seeds that ran at the same time are printed together.
 * LOOKING_WAYS: comma-separated, of direct, rrd, react, agent, random (agent,random,direct). LOOKING_CUTS: yes or no for
 * only the films with or without a cut around each cue.
 */

const SEEDS = Number(process.env.LOOKING_SEEDS ?? 50);
const FIRST = Number(process.env.LOOKING_FIRST ?? 100);
const ASKED = (process.env.LOOKING_WAYS?.split(",") ?? [
  "agent",
  "random",
  "direct",
]) as readonly Way[];
const CUTS = [true, false].filter((cut) => process.env.LOOKING_CUTS !== (cut ? "no" : "yes"));
/** Required accuracy with a cut and without one, and for each case. */
const REQUIRED = 0.9;
const REQUIRED_PER_CASE = 0.8;

test(`cues of ${SEEDS} seeds are found within ${MOST_CALLS} calls and ${MOST_FRAMES} frames`, {
  timeout: 6 * 3_600_000,
}, async () => {
  const folder = process.env.LOOKING_FOLDER ?? (await tempFolder());
  await mkdir(folder, { recursive: true });
  const store = await openStore(join(folder, "store"));
  const server = await startModelServer(lookingModel);
  const outcomes: Outcome[] = [];
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++)
    for (const cut of CUTS)
      outcomes.push(...(await askFilmOnce(seed, cut, { folder, store, server }, { ways: ASKED })));
  await server.close();
  await store.close();
  console.log(`Scripted model, seeds ${FIRST} to ${FIRST + SEEDS - 1}\n${tableOf(outcomes)}`);

  const agent = outcomes.filter(({ way }) => way === "agent");
  expect(Math.max(...agent.map(({ calls }) => calls))).toBeLessThanOrEqual(MOST_CALLS);
  expect(Math.max(...agent.map(({ frames }) => frames))).toBeLessThanOrEqual(MOST_FRAMES);
  const accuracyOf = (group: readonly Outcome[]) =>
    group.filter(({ right }) => right).length / group.length;
  for (const cut of CUTS) {
    const group = agent.filter((one) => one.cut === cut);
    const around = cut ? "with a cut" : "without a cut";
    expect(accuracyOf(group), around).toBeGreaterThanOrEqual(REQUIRED);
    for (const name of CASES)
      expect(
        accuracyOf(group.filter((one) => one.question.case === name)),
        `${name}, ${around}`,
      ).toBeGreaterThanOrEqual(REQUIRED_PER_CASE);
  }
});
