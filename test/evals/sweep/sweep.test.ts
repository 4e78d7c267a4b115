import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readForReport } from "../../../evals/report/input.ts";
import { makeReport } from "../../../evals/report/report.ts";
import { ladder } from "../../../evals/sweep/presets/ladder.ts";
import { planSweep, resumeSweep, startSweep } from "../../../evals/sweep/sweep.ts";
import { readSweep } from "../../../evals/sweep/sweep-settings.ts";
import { callsText } from "../../../src/app/cli/render/sweep.ts";
import { CLI } from "../../support/command-line.ts";
import {
  type ModelServer,
  type SeenRequest,
  startModelServer,
} from "../../support/model-server.ts";
import { procedureModel, wordsOf } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { refusal, vcrData } from "../run/run-fixtures.ts";

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

test("cells share their common calls: every different call is sent once", async () => {
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
  expect(calls.sent).toBe(calls.unique);
  expect(callsText(calls)).toContain(`${calls.unique} of them distinct: each was sent once.`);
  expect(calls.sum).toBeGreaterThan(calls.unique);
  expect(calls.sum).toBeLessThanOrEqual(plan.calls ?? 0);

  const again = await resumeSweep(folder);
  expect(again.calls).toEqual(calls);
  expect(server.chats()).toHaveLength(calls.unique);
  expect((await refusal(startSweep(sweep, folder))).message).toMatch(/sweep --resume/);

  // A second sweep on the same store sends nothing, and does not claim to have made the calls.
  const repeated = await startSweep(sweep, join(root, "grid-again"));
  expect(server.chats()).toHaveLength(calls.unique);
  expect(repeated.calls).toEqual({ ...calls, sent: 0 });
  expect(callsText(repeated.calls)).toContain(
    `: 0 were sent to a model, ${calls.unique} were answered from replies that were stored already.`,
  );
});

describe("the ladder", () => {
  const stepName = (place: number) => `bring the bowl to stage ${place}`;
  const RUNGS = [
    "1-blind",
    "2-direct",
    "3-direct-by-clip",
    "4-rrd-whole-video",
    "5-rrd-clip",
    "6-rrd-gold",
  ];
  const climbed = async (name: string, over: object) => {
    const folder = join(root, name);
    const { strategy: _strategy, ...given } = base(`store-${name}`);
    const sweep = readSweep(ladder.sweep, {
      ...given,
      // A number that no clip's share divides.
      recognition: { frames: 13, max_side: 64 },
      ...over,
    });
    const plan = await planSweep(sweep);
    await startSweep(sweep, folder);
    const { results, ...told } = await readForReport([folder], {});
    const [part] = makeReport(results, told).parts;
    return { plan, part, table: (of: string) => part?.tables.find(({ title }) => title === of) };
  };

  test("each rung is compared with the one below, with equal frames, up to gold descriptions", async () => {
    const named = await vcrData([PLACES, PLACES.slice(0, 2)], stepName);
    const { plan, part, table } = await climbed("named", { data: named });
    expect(part?.runs).toEqual(RUNGS);
    const differences = table("Differences between runs");
    const byAccuracy = differences?.rows.filter((row) => row[2] === "accuracy");
    expect(byAccuracy?.map(([run, against, , scored]) => [run, against, scored])).toEqual(
      RUNGS.slice(1).map((name, place) => [name, RUNGS[place], "2"]),
    );
    const took = table("Calls, cost and time per sample");
    expect(took?.head.join()).toMatch(/tokens.*cost/i);
    expect(took?.rows.map((row) => Number(row[2]))).toEqual([0, 13, 13, 13, 13, 0]);
    expect(plan.cells.map(({ plan: { calls, frames } }) => [calls, frames])).toEqual([
      ...[
        [2, 0],
        [2, 26],
        [2, 26],
        [4, 26],
        [4, 26],
      ],
      [2, 0],
    ]);
    const accuracy = table("Accuracy")?.rows.at(-1);
    expect(accuracy?.slice(0, 2)).toEqual(["6-rrd-gold", expect.stringContaining("gold")]);
    expect(accuracy?.[5]).toBe("2 of 2");
    const gold = server.chats().at(-1);
    expect(gold?.images).toHaveLength(0);
    expect(wordsOf(gold as SeenRequest)).toContain(`Clip 1: ${stepName(2)}`);
  });

  test("a set without step names ends below it, with a note", async () => {
    const { plan, part } = await climbed("unnamed", {});
    expect(part?.runs).toEqual(RUNGS.slice(0, -1));
    expect(plan.cells).toHaveLength(5);
    const told =
      /6-rrd-gold is left out: .* this set does not have \(nor does released VCRBench\)\./;
    expect(plan.remarks.join(" ")).toMatch(told);
    expect(part?.warnings.join(" ")).toMatch(told);
    const alone = await refusal(
      startSweep(readSweep({ base: base("x"), axes: { descriptions: ["gold"] } }), join(root, "x")),
    );
    expect(alone).toMatchObject({ kind: "wrong-usage" });
    expect(alone.message).toContain("step names");
  });
});

test("a killed sweep resumes and bills only calls in flight again", async () => {
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

test("a missing or damaged sweep is reported in one sentence", async () => {
  expect(await refusal(resumeSweep(root))).toMatchObject({ kind: "not-found" });
  const folder = await tempFolder();
  await writeFile(join(folder, "sweep.json"), '{"format": 9');
  expect(await refusal(resumeSweep(folder))).toMatchObject({ kind: "data-malformed" });
});
