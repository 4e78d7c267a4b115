import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { startRun } from "../../evals/run/run.ts";
import type { RunLine } from "../../evals/run/run-line.ts";
import { seeded } from "../../src/core/random.ts";
import { openStore } from "../../src/storage/open.ts";
import { openRunLog } from "../../src/storage/run-log.ts";
import { knowing, mmrData } from "../evals/run/run-fixtures.ts";
import { endWorkers, startWorker } from "../evals/workers/fleet.ts";
import { startModelServer } from "../support/model-server.ts";
import { startPostgres } from "../support/postgres-server.ts";
import { tempFolder } from "../support/temp.ts";

/*
 * Kills workers at random moments while they answer a run, and restarts PostgreSQL twice: in order, and after a crash.
 * SEED=number repeats the choices of a run (not its timing); KILLS=number and SAMPLES=number change its size.
 */

const SEED = process.env.SEED ?? String(Date.now() % 1_000_000);
const KILLS = Number(process.env.KILLS ?? 20);
const SAMPLES = Number(process.env.SAMPLES ?? 500);
const WORKERS = 3;
const CONNECTIONS = 4;
const VIDEOS = 5;
const MOST_DELAY_MS = 400;
/** After which kill the database is restarted in order, and after which it crashes. */
const STOP_AFTER = Math.ceil(KILLS / 3);
const CRASH_AFTER = Math.ceil((2 * KILLS) / 3);
/** How long it is away. */
const AWAY_MS = 2_000;

afterEach(endWorkers);

test(`${KILLS} kills of workers in ${SAMPLES} samples: every result once, no call repeated beyond those in flight (SEED=${SEED})`, async () => {
  const random = seeded(`workers ${SEED}`);
  const postgres = await startPostgres();
  const address = postgres.address("soak");
  const root = await tempFolder();
  const data = await mmrData(VIDEOS, SAMPLES / VIDEOS);
  let kills = 0;
  // Spread over the run, so that the last kills come before its end.
  const calls = (kill: number) => (SAMPLES * kill) / (KILLS + 2);
  const server = await startModelServer(
    async (request) => {
      // The run waits for the kills, which take longer than the calls.
      while (request.index > calls(kills + 2) && kills < KILLS) await sleep(20);
      return { text: String(await knowing(request)), delay_ms: random() * MOST_DELAY_MS };
    },
    { keep: "light" },
  );
  const start = () =>
    startWorker(root, [
      ...["--store", address, "--data-dir", "store"],
      ...["--max-connections", String(CONNECTIONS), "--concurrency", String(CONNECTIONS + 1)],
    ]);
  const workers = await Promise.all(Array.from({ length: WORKERS }, start));
  const store = await openStore(join(root, "store"), address);
  const running = startRun(
    {
      ...{ benchmark: "mmr-v", data, strategy: "direct", model: "openai:scripted" },
      recognition: { frames: 2, max_side: 64 },
      runtime: { data: join(root, "store"), base_url: server.url },
      // Innocent samples are in flight at many kills.
      ...{ workers: "remote", sample_tries: 100 },
    },
    join(root, "run"),
    { store, onNote: (text) => process.stdout.write(`${text}\n`) },
  );
  let ended = false;
  running.finally(() => {
    ended = true;
  });
  for (; kills < KILLS && !ended; kills++) {
    while (server.chats().length < calls(kills + 1) && !ended) await sleep(20);
    await sleep(random() * MOST_DELAY_MS);
    const place = Math.floor(random() * WORKERS);
    workers[place]?.child.kill("SIGKILL");
    await workers[place]?.exit;
    workers[place] = await start();
    process.stdout.write(`kill ${kills + 1}: ${server.chats().length} calls\n`);
    if (kills + 1 !== STOP_AFTER && kills + 1 !== CRASH_AFTER) continue;
    await (kills + 1 === CRASH_AFTER ? postgres.crash() : postgres.stop());
    await sleep(AWAY_MS);
    await postgres.start();
    process.stdout.write(`restarted: ${server.chats().length} calls\n`);
  }
  const { progress } = await running;
  await store.close();
  expect(kills).toBe(KILLS);
  expect(progress).toMatchObject({ done: SAMPLES, errors: 0 });
  const lines = (await openRunLog(join(root, "run")).read()).samples as RunLine[];
  expect(new Set(lines.map(({ sample }) => sample)).size).toBe(SAMPLES);
  expect(lines).toHaveLength(SAMPLES);
  const sent = server.chats().map(({ hash }) => hash);
  expect(new Set(sent).size).toBe(SAMPLES);
  process.stdout.write(`${sent.length - SAMPLES} calls repeated, of ${KILLS} kills\n`);
  // A restart of the database may also lose results of calls that were in flight.
  expect(sent.length - SAMPLES).toBeLessThanOrEqual((KILLS + WORKERS) * CONNECTIONS);
  for (const { child } of workers) child.kill("SIGTERM");
  const ends = await Promise.all(workers.map(({ exit }) => exit));
  expect(ends, workers.map(({ said }) => said()).join("\n\n")).toEqual(workers.map(() => 0));
  await server.close();
});
