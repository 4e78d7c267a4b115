import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { startRun } from "../../evals/run/run.ts";
import { requireSharedRuns } from "../../evals/workers/require-shared-runs.ts";
import { openStore } from "../../src/storage/open.ts";
import { knowing, mmrData } from "../evals/run/run-fixtures.ts";
import { endWorkers, startWorker } from "../evals/workers/fleet.ts";
import { startModelServer } from "../support/model-server.ts";
import { startPostgres } from "../support/postgres-server.ts";
import { tempFolder } from "../support/temp.ts";

/* Measures workers and their queue, on an idle machine: samples a second, and milliseconds of the database for each. */

const CALL_MS = 200;
const CONNECTIONS = 2;
const SAMPLES_OF_ONE = 50;

afterEach(endWorkers);

test("samples a second of 1, 2 and 4 workers with 2 calls of 200 ms in flight each", async () => {
  const postgres = await startPostgres();
  const root = await tempFolder();
  const data = await mmrData(2, 2 * SAMPLES_OF_ONE);
  const server = await startModelServer(
    async (request) => ({ text: String(await knowing(request)), delay_ms: CALL_MS }),
    { keep: "light" },
  );
  const rates: number[] = [];
  for (const workers of [1, 2, 4]) {
    const folder = join(root, `store-${workers}`);
    const address = postgres.address(`scale ${workers}`);
    const width = ["--max-connections", String(CONNECTIONS), "--concurrency", `${CONNECTIONS + 1}`];
    for (let started = 0; started < workers; started++)
      await startWorker(root, ["--store", address, "--data-dir", folder, ...width]);
    const store = await openStore(folder, address);
    const times: number[] = [];
    await startRun(
      {
        ...{ benchmark: "mmr-v", data, strategy: "direct", model: "openai:scripted" },
        recognition: { frames: 2, max_side: 64 },
        runtime: { data: folder, base_url: server.url },
        ...{ workers: "remote", limit: SAMPLES_OF_ONE * workers },
      },
      join(root, `run-${workers}`),
      { store, onProgress: ({ fresh }) => fresh > 0 && times.push(performance.now()) },
    );
    await store.close();
    await endWorkers();
    const [first = 0, last = 0] = [times[0], times.at(-1)];
    rates.push(((times.length - 1) * 1000) / (last - first));
  }
  const [one = 0, ...more] = rates;
  const shares = more.map(
    (rate, place) => `${Math.round((100 * rate) / (one * 2 ** (place + 1)))} %`,
  );
  process.stdout.write(
    `${rates.map((rate) => rate.toFixed(1)).join(", ")} samples a second; of linear: ${shares.join(", ")}; ${((CONNECTIONS * 1000) / CALL_MS).toFixed(0)} without any overhead for one\n`,
  );
  expect(more[0]).toBeGreaterThan(0.85 * 2 * one);
  await server.close();
});

test("taking a task, storing its result and ending its job takes under 15 ms, also of 100,000", async () => {
  const store = await openStore(await tempFolder(), (await startPostgres()).address("queue"));
  const runs = requireSharedRuns(store);
  const header = { format: 1, status: "running" as const, created_at: new Date().toISOString() };
  const session = await runs.join({
    ...{ version: "1", stages: ["reason"], concurrency: 1, timing: { beat_s: 3, life_s: 30 } },
    atWork: () => ({}),
  });
  const medians: { all: number; take: number }[] = [];
  for (const size of [100, 100_000]) {
    const run = `run-${size}`;
    await runs.open({ run, key: run, header: { run, ...header }, most_tries: 3 });
    const tasks = Array.from({ length: size }, (_, number) => ({
      ...{ stage: "reason" as const, sample: `q${number}`, epoch: 1, video: "", attempt: 0 },
      json: JSON.stringify({ text: "x".repeat(500) }),
    }));
    await runs.enqueue(run, tasks);
    const samples: { all: number; take: number }[] = [];
    for (let round = 0; round < 60; round++) {
      const began = performance.now();
      const [task] = await session.take(run, "reason", 1);
      const take = performance.now() - began;
      if (task === undefined) throw new Error("no task");
      await runs.results(run).append({ sample: task.sample, epoch: 1, text: "y".repeat(2_000) });
      await session.finish(task);
      samples.push({ all: performance.now() - began, take });
    }
    const middle = (of: "all" | "take") =>
      samples.map((one) => one[of]).toSorted((a, b) => a - b)[samples.length >> 1] ?? 0;
    medians.push({ all: middle("all"), take: middle("take") });
  }
  process.stdout.write(`${JSON.stringify(medians)} ms, with 100 and 100,000 tasks\n`);
  const [few, many] = medians;
  expect(many?.all).toBeLessThan(15);
  expect(many?.take).toBeLessThan(2 * (few?.take ?? 0) + 1);
  await session.close();
  await store.close();
});
