import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type RunOptions, resumeRun, startRun } from "../../../evals/run/run.ts";
import { readEvalHeader } from "../../../evals/run/run-header.ts";
import type { RunLine } from "../../../evals/run/run-line.ts";
import { openStore } from "../../../src/storage/open.ts";
import { openRunLog } from "../../../src/storage/run-log.ts";
import { runCli } from "../../support/command-line.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { canMount, ownDisk } from "../../support/own-disk.ts";
import {
  type PostgresServer,
  postgresPrograms,
  startPostgres,
} from "../../support/postgres-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { knowing, mmrData, refusal } from "../run/run-fixtures.ts";
import { endWorkers, startWorker } from "./fleet.ts";

const VIDEOS = 2;
const QUESTIONS = 5;
const ALL = VIDEOS * QUESTIONS;
const CONNECTIONS = 2;
const HOUR_MS = 3_600_000;
const CLOCK = join(import.meta.dirname, "../../support/settable-clock.ts");

describe.skipIf(postgresPrograms() === null && !process.env.CI)("eval --workers remote", () => {
  let postgres: PostgresServer;
  let server: ModelServer;
  let root: string;
  let data: string;
  /** The lines of a run without workers. */
  let local: unknown[];

  beforeAll(async () => {
    postgres = await startPostgres();
    server = await startModelServer(knowing);
    root = await tempFolder();
    data = await mmrData(VIDEOS, QUESTIONS);
    await startRun(input("local"), join(root, "local"));
    local = await facts("local");
  });
  afterAll(() => server.close());
  beforeEach(() => {
    server.reset();
    server.answer(knowing);
  });
  afterEach(endWorkers);

  const input = (name: string) => ({
    ...{ benchmark: "mmr-v", data, strategy: "direct", model: "openai:scripted" },
    recognition: { frames: 2, max_side: 64 },
    runtime: { data: join(root, `store-${name}`), base_url: server.url },
  });
  /** The same, as a command. */
  const command = (name: string, out: string) => [
    ...["eval", "mmr-v", "--data", data, "--out", out, "--workers", "remote"],
    ...["--store", postgres.address(name), "--data-dir", `store-${name}`],
    ...["--model", "openai:scripted", "--base-url", server.url],
    ...["--strategy", "direct", "--frames", "2", "--max-side", "64"],
  ];
  /** Submits a run, or collects its results, in this process. */
  async function submit(name: string, out: string, more: object = {}, options: RunOptions = {}) {
    const store = await openStore(join(root, `store-${name}`), postgres.address(name));
    const asked = { ...input(name), workers: "remote", ...more };
    return startRun(asked, join(root, out), { ...options, store }).finally(() => store.close());
  }
  const flags = (name: string, folder = `store-${name}`) => [
    ...["--store", postgres.address(name), "--data-dir", folder],
    ...["--max-connections", String(CONNECTIONS), "--concurrency", String(CONNECTIONS)],
  ];
  const worker = (name: string, more: string[] = [], env = {}, nodeArgs: string[] = []) =>
    startWorker(root, [...flags(name), ...more], env, nodeArgs);
  async function linesOf(folder: string) {
    return (await openRunLog(join(root, folder)).read()).samples as RunLine[];
  }
  /** Lines without times, and without what depends on who asked first. */
  async function facts(folder: string) {
    const lines = (await linesOf(folder)).map(
      ({ started_at: _, seconds: _s, time: _t, calls, ...line }) => ({
        ...line,
        calls: calls.map(({ seconds: _c, model_s: _m, ...call }) => call),
      }),
    );
    return lines.sort((a, b) => (a.sample < b.sample ? -1 : 1));
  }
  const arrived = (calls: number) =>
    expect.poll(() => server.chats().length, { timeout: 60_000 }).toBeGreaterThanOrEqual(calls);

  test("one worker prepares the videos, another answers without decoding, an hour ahead; the run ends as a local one", async () => {
    const clock = join(root, "clock");
    await writeFile(clock, String(HOUR_MS));
    const [index, reason] = await Promise.all([
      worker("stages", ["--stages", "index", "--metrics-port", "0"]),
      worker(
        "stages",
        ["--stages", "reason"],
        { CLOCK_SHIFT_FILE: clock, FFMPEG_PATH: join(root, "no-ffmpeg") },
        ["--import", CLOCK],
      ),
    ]);
    await submit("stages", "stages");
    expect(server.chats()).toHaveLength(ALL);
    expect(await facts("stages")).toEqual(local);
    expect(await readEvalHeader(openRunLog(join(root, "stages")))).toMatchObject({
      status: "finished",
      workers: "remote",
    });
    const address = /http:\S+/.exec(index.said())?.[0] ?? "";
    // A path that is no URL does not end the worker.
    expect((await fetch(address.replace("/metrics", "//"))).status).toBe(404);
    const metrics = await (await fetch(address)).text();
    for (const outcome of ["taken", "done"])
      expect(metrics).toContain(
        `video_rrd_worker_tasks_total{stage="index",outcome="${outcome}"} ${VIDEOS}`,
      );
    expect(metrics).toContain('video_rrd_run_tasks{state="waiting"} 0');
    for (const { child } of [index, reason]) child.kill("SIGTERM");
    expect([await index.exit, await reason.exit]).toEqual([0, 0]);
    expect([index.said(), reason.said()]).toEqual([
      expect.stringContaining("it stored 0 results"),
      expect.stringContaining(`it stored ${ALL} results`),
    ]);
  });

  test("killed workers and submitters: each question is asked once, except for calls in flight", async () => {
    server.answer(async (request) => ({ text: String(await knowing(request)), delay_ms: 300 }));
    const first = await worker("kills");
    let pid = 0;
    const killed = runCli(root, command("kills", "one"), (started) => {
      pid = started;
    });
    await arrived(3);
    first.child.kill("SIGKILL");
    process.kill(pid, "SIGKILL");
    expect((await killed).code).not.toBe(0);
    const second = await worker("kills");
    // Another process submits the same run while the first folder waits for it.
    const ends = await Promise.all([submit("kills", "two"), submit("kills", "one")]);
    expect(ends.map(({ progress }) => progress.done)).toEqual([ALL, ALL]);
    expect(new Set(server.chats().map(({ hash }) => hash)).size).toBe(ALL);
    expect(server.chats().length).toBeLessThanOrEqual(ALL + CONNECTIONS);
    const lines = await linesOf("one");
    expect(lines).toEqual(await linesOf("two"));
    expect(lines.map(({ reply }) => reply).sort()).toEqual(
      (local as RunLine[]).map(({ reply }) => reply).sort(),
    );
    // Lost results are collected again.
    const before = server.chats().length;
    await rm(join(root, "two", "samples.jsonl"));
    await submit("kills", "two");
    expect(await linesOf("two")).toEqual(lines);
    expect(server.chats().length).toBe(before);
    expect(second.said()).not.toContain("Failed");
  });

  test.skipIf(!canMount())(
    "a worker with a full disk says so and leaves its samples to the others, without an error",
    async () => {
      const disk = await ownDisk(join(root, "small"), "3m");
      const sick = await startWorker(root, flags("disk", "small"), {}, [], disk.wrapped);
      disk.inside(sick.child, `dd if=/dev/zero of=${root}/small/full bs=64k status=none || true`);
      const submitted = submit("disk", "disk");
      await expect.poll(sick.said, { timeout: 60_000 }).toContain("The disk is full");
      expect(server.chats()).toHaveLength(0);
      await worker("disk");
      expect(await submitted).toMatchObject({ progress: { done: ALL, errors: 0 } });
      expect(await facts("disk")).toEqual(local);
      expect(server.chats()).toHaveLength(ALL);
      sick.child.kill("SIGTERM");
      expect(await sick.exit).toBe(0);
      expect(sick.said()).toContain("it stored 0 results");
    },
  );

  test("a video that no worker has: its samples fail after a while, the others are answered, and it is tried again", async () => {
    const more = { limit: `${QUESTIONS}-${QUESTIONS + 1}` };
    const [there, away] = [join(data, "videos/v1.mp4"), join(data, "videos/away.mp4")];
    const submitted = submit("away", "away", more);
    const store = await openStore(join(root, "store-away"), postgres.address("away"));
    await expect
      .poll(async () => (await store.runs?.list())?.map(({ tasks }) => tasks), { timeout: 60_000 })
      .toEqual([2]);
    await store.close();
    await rename(there, away);
    const one = await worker("away", ["--video-wait", "1"]);
    const ended = await submitted.finally(() => rename(away, there));
    expect(ended).toMatchObject({ progress: { done: 1, errors: 1 } });
    expect((await linesOf("away")).flatMap(({ error }) => error ?? [])).toEqual([
      {
        kind: "file-unreadable",
        message: expect.stringMatching(
          /^No worker has had the video .*v1\.mp4 for \d+ s\. Mount its folder/,
        ),
      },
    ]);
    expect(one.said()).toContain("v1.mp4 is missing on this machine: its questions are left");
    await submit("away", "away", more);
    expect((await linesOf("away")).flatMap(({ error }) => error ?? [])).toEqual([]);
  });

  test("SIGTERM drains; a sample that ends its worker is parked, and tried again when the run continues", async () => {
    const isPoison = (texts: readonly string[]) => texts.join("\n").includes("Which of 7?");
    const starts = () => server.chats().filter(({ texts }) => isPoison(texts)).length;
    server.answer(async (request) => ({
      text: String(await knowing(request)),
      delay_ms: isPoison(request.texts) ? 60_000 : 0,
    }));
    const more = { sample_tries: 2, limit: "7-8" };
    const submitted = submit("parked", "parked", more);
    // A worker that is stopped in order does not count.
    for (const [start, signal] of (["SIGTERM", "SIGKILL", "SIGKILL"] as const).entries()) {
      const one = await worker("parked", ["--drain", "0"]);
      await expect.poll(starts, { timeout: 60_000 }).toBe(start + 1);
      one.child.kill(signal);
      expect(await one.exit).toBe(signal === "SIGTERM" ? 0 : signal);
    }
    await worker("parked");
    expect(await submitted).toMatchObject({ progress: { done: 1, errors: 1 } });
    const errorsOf = async () => (await linesOf("parked")).flatMap(({ error }) => error ?? []);
    expect(await errorsOf()).toMatchObject([{ kind: "worker-lost" }]);
    server.answer(knowing);
    const { run } = await readEvalHeader(openRunLog(join(root, "parked")));
    const runs = async (...args: string[]) => {
      const store = ["--store", postgres.address("parked"), "--json"];
      const { out } = await runCli(root, ["runs", ...args, ...store]);
      return JSON.parse(out) as unknown;
    };
    expect(await runs("list")).toMatchObject([
      { run, state: "ended", tasks: 2, done: 1, failed: 1 },
    ]);
    expect(await runs("retry", run.slice(0, 8))).toMatchObject({ state: "open", tasks: 2 });
    await submit("parked", "parked", more);
    expect(await errorsOf()).toEqual([]);
    expect(starts()).toBe(4);
  });

  test("a run that continues without workers stops the samples of one that has no free place", async () => {
    server.answer(async (request) => ({ text: String(await knowing(request)), delay_ms: 60_000 }));
    await worker("local");
    const stop = new AbortController();
    const stopped = refusal(submit("local", "left", {}, { signal: stop.signal }));
    await arrived(CONNECTIONS);
    stop.abort();
    expect(await stopped).toMatchObject({ kind: "cancelled" });
    server.answer(knowing);
    const store = await openStore(join(root, "store-local"), postgres.address("local"));
    const ended = await resumeRun(join(root, "left"), { workers: "local" }, { store });
    expect(ended.progress).toMatchObject({ done: ALL, errors: 0 });
    expect(await store.runs?.list({ run: ended.header.run })).toMatchObject([
      { state: "cancelled", running: 0 },
    ]);
    await store.close();
  });

  test("the submitter says that no worker runs, and what a worker lacks; without it the jobs stay", async () => {
    const notes: string[] = [];
    const stop = new AbortController();
    const { runtime } = input("lacking");
    process.env.TEST_GATEWAY_KEY = "secret";
    const more = { limit: 2, runtime: { ...runtime, headers: "X-Key=$TEST_GATEWAY_KEY" } };
    const submitted = submit("lacking", "lacking", more, {
      signal: stop.signal,
      onNote: (text) => notes.push(text),
    });
    await expect
      .poll(() => notes.join("\n"), { timeout: 60_000 })
      .toContain("No worker is running");
    const one = await worker("lacking");
    await expect
      .poll(() => notes.join("\n"), { timeout: 60_000 })
      .toContain("start a worker with --header 'X-Key=$TEST_GATEWAY_KEY'");
    stop.abort();
    await expect(submitted).rejects.toMatchObject({
      message: expect.stringContaining("the workers continue"),
    });
    expect(one.said()).toContain("The run sends headers from environment variables");
    await worker("lacking", ["--header", "X-Key=$TEST_GATEWAY_KEY"]);
    await arrived(2);
    expect(server.chats()[0]?.headers).toMatchObject({ "x-key": expect.anything() });
    const ended = await submit("lacking", "lacking", more);
    expect(ended).toMatchObject({ progress: { done: 2, errors: 0 } });
  });

  test("a limit of dollars holds for all workers together, and a higher one continues the run", async () => {
    server.answer(async (request) => ({
      text: String(await knowing(request)),
      usage: { input: 1000, output: 0 },
    }));
    const prices = join(root, "prices.yaml");
    await writeFile(prices, '"openai:scripted": { input: 10, output: 0 }\n');
    const { runtime } = input("dollars");
    const more = { total_cost_limit: 0.035, limit: 5, runtime: { ...runtime, prices } };
    await worker("dollars");
    await expect(submit("dollars", "dollars", more)).rejects.toMatchObject({ kind: "limit-met" });
    // Two calls in flight may each cost more than was reserved.
    expect(server.chats().length).toBeLessThanOrEqual(4);
    const store = await openStore(runtime.data, postgres.address("dollars"));
    const changes = { total_cost_limit: 1 };
    const ended = await resumeRun(join(root, "dollars"), changes, { store });
    await store.close();
    expect(ended).toMatchObject({ progress: { done: 5, errors: 0 } });
    expect(server.chats()).toHaveLength(5);
  });
});
