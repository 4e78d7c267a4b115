import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { readLine } from "../../evals/run/run-line.ts";
import { requireSharedRuns } from "../../evals/workers/require-shared-runs.ts";
import type { SharedRuns, SharedTask, TakenTask } from "../../src/core/shared-runs.ts";
import { openStore } from "../../src/storage/open.ts";
import { endWorkers, startWorker } from "../evals/workers/fleet.ts";
import { runCli } from "../support/command-line.ts";
import { type PostgresServer, startPostgresServer } from "../support/postgres-process.ts";
import { makeData, startSlowModel } from "./eval-data.ts";
import { below, type Measured, median, timed } from "./measured.ts";

const REPLY_S = 0.2;
/** Calls in flight of each worker. */
const CALLS = 2;
const SAMPLES_PER_WORKER = 100;
const FEW_JOBS = 100;
const MANY_JOBS = 100_000;
const TAKEN = 50;
const STEPS = 300;
const ROUNDS = 3;

/** Workers on one PostgreSQL: samples a second by workers, the cost of queue and memo, and taking a job from a long queue. */
export async function bench(): Promise<Measured[]> {
  const postgres = await startPostgresServer({ durable: true });
  const root = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
  const model = await startSlowModel(REPLY_S);
  try {
    const runs = { postgres, root, url: model.url };
    const alone = await samplesPerSecond(runs, 0);
    const rates: number[] = [];
    for (const workers of [1, 2, 4]) rates.push(await samplesPerSecond(runs, workers));
    const [one = Number.NaN, two = Number.NaN, four = Number.NaN] = rates;
    return [
      atLeast("samples/s of 2 workers / twice those of 1", two / (2 * one), 0.85),
      atLeast("samples/s of 4 workers / 4 times those of 1", four / (4 * one), 0.85),
      told(`samples/s of 4 workers / ${CALLS * 4} calls of 200 ms in flight`, four / ideal(4)),
      below("queue, time of a sample", (CALLS / one - CALLS / alone) * 1000, "ms", 15),
      ...(await takingJobs(postgres, root)),
      ...(await storingSteps(postgres, root)),
    ];
  } finally {
    await endWorkers();
    model.stop();
    await postgres.remove();
    await rm(root, { recursive: true, force: true });
  }
}

const ideal = (workers: number) => (CALLS * workers) / REPLY_S;
const atLeast = (name: string, value: number, least: number): Measured => ({
  ...{ name, value, unit: "" },
  ...{ bar: `at least ${least}`, ok: value >= least },
});

const told = (name: string, value: number): Measured => ({
  ...{ name, value, unit: "" },
  ...{ bar: "none", ok: true },
});

interface Runs {
  postgres: PostgresServer;
  root: string;
  url: string;
}

/** Of the samples between the first and the last result; 0 workers: the process of `eval` asks the questions. */
async function samplesPerSecond({ postgres, root, url }: Runs, workers: number): Promise<number> {
  const name = `workers-${workers}`;
  const data = join(root, `data-${name}`);
  const store = ["--data-dir", join(root, name), "--store", postgres.address(name)];
  const calls = ["--max-connections", String(CALLS)];
  await makeData(data, SAMPLES_PER_WORKER * Math.max(1, workers));
  for (let i = 0; i < workers; i++)
    await startWorker(root, [...store, ...calls, "--concurrency", String(CALLS)]);
  const { code, err } = await runCli(root, [
    ...["eval", "mmr-v", "--data", data, "--strategy", "blind", "--out", `run-${name}`],
    ...["--model", "openai:slow", "--base-url", url, ...store, ...calls],
    ...(workers === 0 ? ["--max-samples", String(CALLS)] : ["--workers", "remote"]),
  ]);
  if (code !== 0) throw new Error(`eval ended with ${code}: ${err}`);
  await endWorkers();
  const text = await readFile(join(root, `run-${name}`, "samples.jsonl"), "utf8");
  const ends = text
    .trim()
    .split("\n")
    .map((line) => readLine(JSON.parse(line), name))
    .map(({ started_at, seconds }) => Date.parse(started_at) / 1000 + seconds)
    .sort((a, b) => a - b);
  // Without the samples of the start, while not every worker has begun.
  const from = ends.length >> 2;
  return (ends.length - 1 - from) / ((ends.at(-1) ?? 0) - (ends[from] ?? 0));
}

async function takingJobs(postgres: PostgresServer, root: string): Promise<Measured[]> {
  const store = await openStore(join(root, "queue"), postgres.address("queue"));
  try {
    const few = await secondsOfJobs(requireSharedRuns(store), FEW_JOBS);
    const many = await secondsOfJobs(requireSharedRuns(store), MANY_JOBS);
    return [
      below(`taking a job of ${MANY_JOBS} / of ${FEW_JOBS}`, many.take / few.take, "", 2),
      below("taking a job, storing its result and ending it", many.all * 1000, "ms", 15),
    ];
  } finally {
    await store.close();
  }
}

/** Medians of seconds for one of so many jobs. */
async function secondsOfJobs(
  runs: SharedRuns,
  jobs: number,
): Promise<{ take: number; all: number }> {
  const run = `jobs-${jobs}`;
  const header = { run, format: 1, status: "running" as const };
  const created_at = new Date().toISOString();
  await runs.open({ run, key: run, header: { ...header, created_at }, most_tries: 3 });
  const tasks = Array.from({ length: jobs }, (_, i): SharedTask => {
    return { stage: "reason", sample: `s${i}`, epoch: 1, video: "", attempt: 0, json: "{}" };
  });
  await runs.enqueue(run, tasks);
  const session = await runs.join({
    ...{ version: "bench", stages: ["reason"], concurrency: 1, atWork: () => ({}) },
    timing: { beat_s: 3, life_s: 30 },
  });
  const take: number[] = [];
  const rest: number[] = [];
  for (let i = 0; i < TAKEN; i++) {
    let task: TakenTask | undefined;
    take.push(
      await timed(async () => {
        [task] = await session.take(run, "reason", 1);
      }),
    );
    if (task === undefined) throw new Error(`No job of ${jobs} was taken.`);
    const { sample } = task;
    const taken = task;
    rest.push(
      await timed(async () => {
        await runs.results(run).append({ sample, epoch: 1, text: "y".repeat(2000) });
        await session.finish(taken);
      }),
    );
  }
  await session.close();
  return { take: median(take), all: median(take.map((s, i) => s + (rest[i] ?? 0))) };
}

/** Steps of the memo, compared with a script that makes the same commits: the lease, then the step and the end of the lease. */
async function storingSteps(postgres: PostgresServer, root: string): Promise<Measured[]> {
  const value = { text: "x".repeat(1000) };
  const store = await openStore(join(root, "steps"), postgres.address("steps"));
  const bare = new pg.Client({ connectionString: postgres.address("steps") });
  await bare.connect();
  try {
    await bare.query(
      "CREATE TABLE bare_steps (key text PRIMARY KEY, value text); CREATE TABLE bare_leases (key text PRIMARY KEY)",
    );
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const key = (i: number) => `${round}-${i}`;
      const ours = await timed(async () => {
        for (let i = 0; i < STEPS; i++)
          await store.memo.once({ key: key(i), tags: ["t"], run: "r" }, async () => value);
      });
      const theirs = await timed(async () => {
        for (let i = 0; i < STEPS; i++) {
          await bare.query("SELECT value FROM bare_steps WHERE key = $1", [key(i)]);
          await bare.query("INSERT INTO bare_leases VALUES ($1)", [key(i)]);
          await bare.query("BEGIN");
          await bare.query("INSERT INTO bare_steps VALUES ($1, $2)", [
            key(i),
            JSON.stringify(value),
          ]);
          await bare.query("DELETE FROM bare_leases WHERE key = $1", [key(i)]);
          await bare.query("COMMIT");
        }
      });
      ratios.push(ours / theirs);
    }
    return [below("memo / a script with the same commits", median(ratios), "", 3)];
  } finally {
    await bare.end();
    await store.close();
  }
}
