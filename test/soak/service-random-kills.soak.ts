import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { seeded } from "../../src/core/random.ts";
import { serveCommand } from "../app/service/served.ts";
import { startModelServer } from "../support/model-server.ts";
import { makeShuffled } from "../support/shuffled.ts";
import { tempFolder } from "../support/temp.ts";
import { derivedThatDisagrees, uploadsThatDisagree } from "./kills/check-folder.ts";
import { createJournal } from "./kills/journal.ts";

/*
 * Kills a service at random moments while several clients upload, ask, correct evidence, review and remove.
 * SEED=number repeats the choices of a run (not its timing); KILLS=number is the number of kills.
 */

const SEED = process.env.SEED ?? String(Date.now() % 1_000_000);
const KILLS = Number(process.env.KILLS ?? 100);
const CLIENTS = 6;
/** Each process is killed after a random number of acknowledgements up to this, or after this time. */
const MOST_ACKNOWLEDGED = 10;
const LIFE_MS = 20_000;
const MOMENT_MS = 400;
/** Kills between two checks of derived data, which wait until all questions have ended. */
const LOOK_EVERY = 10;

test(`${KILLS} kills at random moments: files and rows agree, and nothing acknowledged is lost (SEED=${SEED})`, async () => {
  const random = seeded(`service random kills ${SEED}`);
  const server = await startModelServer(() => ({ text: "B", delay_ms: random() * 200 }), {
    keep: "light",
  });
  const file = join(await tempFolder(), "tea.mp4");
  await makeShuffled(file, 2);
  const data = await tempFolder();
  const start = () => serveCommand(data, server.url, ["--strategy", "direct", "--frames", "4"]);
  const journal = createJournal(await readFile(file), random);
  let service = await start();
  for (let kill = 1; kill <= KILLS; kill++) {
    let isOver = false;
    const clients = Array.from({ length: CLIENTS }, () => journal.work(service, () => isOver));
    const enough = journal.total() + Math.ceil(random() * MOST_ACKNOWLEDGED);
    const until = performance.now() + LIFE_MS;
    while (journal.total() < enough && performance.now() < until) await sleep(10);
    await sleep(random() * MOMENT_MS);
    isOver = true;
    service.child.kill("SIGKILL");
    await service.exit;
    await Promise.all(clients);
    service = await start();
    expect([kill, uploadsThatDisagree(data)]).toEqual([kill, []]);
    await journal.check(service);
    if (kill % LOOK_EVERY > 0 && kill < KILLS) continue;
    await journal.settle(service);
    expect([kill, derivedThatDisagrees(data)]).toEqual([kill, []]);
    process.stdout.write(`kill ${kill}, acknowledged: ${JSON.stringify(journal.acknowledged)}\n`);
  }
  service.child.kill("SIGTERM");
  expect(await service.exit).toBe(0);
  expect(service.said()).not.toContain('"level":50');
  await server.close();
});
