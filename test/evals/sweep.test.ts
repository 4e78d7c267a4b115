import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ladder } from "../../evals/presets/ladder.ts";
import { makeReport } from "../../evals/report.ts";
import { readForReport } from "../../evals/report-input.ts";
import { planSweep, resumeSweep, startSweep } from "../../evals/sweep.ts";
import { readSweep } from "../../evals/sweep-settings.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { procedureModel } from "../support/shuffled.ts";
import { tempFolder } from "../support/temp.ts";
import { refusal, vcrData } from "./run-fixtures.ts";

const CLI = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
const PLACES = [2, 3, 1];
let server: ModelServer;
let data: string;
let root: string;

beforeAll(async () => {
  server = await startModelServer(procedureModel(PLACES));
  data = await vcrData([PLACES, PLACES.slice(0, 2)]);
  root = await tempFolder();
});
afterAll(() => server.close());
beforeEach(() => {
  server.reset();
  server.answer(procedureModel(PLACES));
});

const base = (store: string) => ({
  benchmark: "vcrbench",
  data,
  strategy: "rrd",
  model: "openai:scripted",
  recognition: { frames: 4, max_side: 64 },
  runtime: { base_url: server.url, data: join(root, store), max_connections: 3 },
});
const grid = (store: string) => ({
  base: base(store),
  axes: { recognition: ["all-at-once", "sequential"], reasoning: ["all-at-once", "merge-sort"] },
});

test("cells share what they have in common: every different call is sent once", async () => {
  const folder = join(root, "grid");
  const sweep = readSweep(grid("store-grid"));
  const plan = await planSweep(sweep);
  expect(server.chats()).toHaveLength(0);
  const { calls, runs } = await startSweep(sweep, folder);
  expect(runs.map(({ progress }) => [progress.done, progress.errors])).toEqual(
    Array.from({ length: 4 }, () => [2, 0]),
  );
  expect(new Set(server.chats().map(({ hash }) => hash)).size).toBe(calls.unique);
  expect(server.chats()).toHaveLength(calls.unique);
  expect(calls.sum).toBeGreaterThan(calls.unique);
  expect(calls.sum).toBeLessThanOrEqual(plan.calls);

  const again = await resumeSweep(folder);
  expect(again.calls).toEqual(calls);
  expect(server.chats()).toHaveLength(calls.unique);
  expect((await refusal(startSweep(sweep, folder))).message).toMatch(/sweep --resume/);
});

test("a sweep is refused above its cost limit, and where its cost cannot be known, before anything is sent", async () => {
  const dear = { ...grid("store-dear"), cost_limit: 0.001 };
  const unknown = await refusal(startSweep(readSweep(dear), join(root, "dear")));
  expect(unknown).toMatchObject({ kind: "limit-met" });
  expect(unknown.message).toMatch(/has no price: give `--prices`/);
  const prices = join(root, "prices.yaml");
  await writeFile(prices, '"openai:scripted": { input: 2, output: 8 }\n');
  const priced = (cost_limit: number) =>
    readSweep({ ...dear, cost_limit }, { runtime: { prices } });
  const refused = await refusal(startSweep(priced(0.001), join(root, "dear")));
  expect(refused.message).toMatch(/at most \$0\.001, but its \d+ calls may cost \$\d+\.\d\d/);
  expect(server.chats()).toHaveLength(0);
  const { runs } = await startSweep(priced(1000), join(root, "dear"));
  expect(runs).toHaveLength(4);
});

test("the ladder: each rung against the one below, with equal frames, and what is left out is told", async () => {
  const folder = join(root, "ladder");
  const { strategy: _strategy, ...given } = base("store-ladder");
  await startSweep(
    readSweep(ladder, { ...given, recognition: { frames: 12, max_side: 64 } }),
    folder,
  );
  const { results, ...told } = await readForReport([folder], {});
  const [part] = makeReport(results, told).parts;
  expect(part?.runs).toEqual([
    "1-blind",
    "2-direct",
    "3-direct-by-clip",
    "4-rrd-whole-video",
    "5-rrd-clip",
  ]);
  const rungs = part?.tables.find(({ title }) => title === "Differences between runs");
  expect(rungs?.rows.map((row) => row.slice(0, 3))).toEqual([
    ["2-direct", "1-blind", "2"],
    ["3-direct-by-clip", "2-direct", "2"],
    ["4-rrd-whole-video", "3-direct-by-clip", "2"],
    ["5-rrd-clip", "4-rrd-whole-video", "2"],
  ]);
  expect(part?.warnings[0]).toContain("gold descriptions is left out");
  const frames = part?.tables
    .find(({ title }) => title === "What it took, for each sample")
    ?.rows.map((row) => Number(row[2]));
  expect(frames).toEqual([0, 12, 12, 12, 12]);
});

test("killed without warning, a sweep goes on where it was and pays for nothing twice but what was in flight", async () => {
  const good = procedureModel(PLACES);
  server.answer(async (request) => ({ text: String(await good(request)), delay_ms: 40 }));
  const file = join(root, "grid.yaml");
  await writeFile(file, JSON.stringify(grid("store-killed")));
  const out = join(root, "killed");
  const killAt = [3, 9];
  let args = ["sweep", file, "--out", out];
  for (const calls of killAt) {
    const child = spawn(process.execPath, [CLI, ...args], { stdio: "ignore" });
    const ended = new Promise((done) => child.once("close", done));
    while (server.chats().length < calls) await new Promise((done) => setTimeout(done, 5));
    child.kill("SIGKILL");
    await ended;
    args = ["sweep", "--resume", out];
  }
  const { runs, calls } = await resumeSweep(out, { max_samples: 2 });
  expect(runs.map(({ progress }) => [progress.done, progress.errors])).toEqual(
    Array.from({ length: 4 }, () => [2, 0]),
  );
  const sent = server.chats();
  expect(new Set(sent.map(({ hash }) => hash)).size).toBe(calls.unique);
  expect(sent.length).toBeLessThanOrEqual(calls.unique + killAt.length * 3);
  const replies = async (sweep: string, cell: string) =>
    (await readFile(join(root, sweep, cell, "samples.jsonl"), "utf8"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { sample: string; reply: string })
      .map(({ sample, reply }) => `${sample}: ${reply}`)
      .sort();
  for (const cell of [
    "1-mode=all-at-once,method=all-at-once",
    "4-mode=sequential,method=merge-sort",
  ])
    expect(await replies("killed", cell)).toEqual(await replies("grid", cell));
}, 120_000);

test("what is no sweep, or a damaged one, is told in one sentence", async () => {
  expect(await refusal(resumeSweep(root))).toMatchObject({ kind: "not-found" });
  const folder = await tempFolder();
  await writeFile(join(folder, "sweep.json"), '{"format": 9');
  expect(await refusal(resumeSweep(folder))).toMatchObject({ kind: "data-malformed" });
});
