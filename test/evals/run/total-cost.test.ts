import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { judgeResults } from "../../../evals/judges/judge-run.ts";
import { resumeRun, startRun } from "../../../evals/run/run.ts";
import { readResults } from "../../../evals/score/read-results.ts";
import { resumeSweep, startSweep } from "../../../evals/sweep/sweep.ts";
import { readSweep } from "../../../evals/sweep/sweep-settings.ts";
import { startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { knowing, mmrData, refusal } from "./run-fixtures.ts";

/** Each reply costs $0.01 by these prices and counts. */
const EACH = 0.01;
const priced = async (request: Parameters<typeof knowing>[0]) => ({
  text: String(await knowing(request)),
  usage: { input: 1000, output: 0 },
});
const server = await startModelServer(priced);
afterAll(() => server.close());
beforeEach(() => {
  server.reset();
  server.answer(priced);
});
const root = await tempFolder();
const data = await mmrData(1, 8);
const prices = join(root, "prices.yaml");
await writeFile(prices, '"openai:scripted": { input: 10, output: 0 }\n');

const input = (store: string, more: object = {}) => ({
  benchmark: "mmr-v",
  data,
  strategy: "direct",
  model: "openai:scripted",
  recognition: { frames: 2, max_side: 64 },
  runtime: { base_url: server.url, data: join(root, store), prices, max_connections: 1 },
  max_samples: 1,
  ...more,
});

test("A run stops at its total limit, and continues with a higher limit from what was paid", async () => {
  const folder = join(root, "run");
  expect((await startRun(input("store"), folder)).progress.done).toBe(8);
  expect(server.chats()).toHaveLength(8);

  server.reset();
  const limited = join(root, "limited run");
  const failure = await refusal(
    startRun(input("store-2", { total_cost_limit: 3.5 * EACH }), limited),
  );
  expect(failure).toMatchObject({ kind: "limit-met" });
  expect(failure.message).toMatch(
    /^Stopped at --total-cost-limit 0\.035: \$0\.0300 is paid, 3 of 8 results are complete\. .*`eval --resume '.*limited run' --total-cost-limit/,
  );
  expect(server.chats()).toHaveLength(3);
  const header = JSON.parse(await readFile(join(limited, "header.json"), "utf8"));
  expect(header).toMatchObject({ status: "stopped", total_cost_limit: 0.035 });

  // The same limit again sends nothing.
  expect(await refusal(resumeRun(limited))).toMatchObject({ kind: "limit-met" });
  expect(server.chats()).toHaveLength(3);
  expect(await refusal(resumeRun(limited, { total_cost_limit: 0.055 }))).toMatchObject({
    message: expect.stringContaining("$0.0500 is paid, 5 of 8"),
  });
  const { progress, header: last } = await resumeRun(limited, { total_cost_limit: 1 });
  expect(progress).toMatchObject({ done: 8, errors: 0 });
  expect(last).toMatchObject({ status: "finished", total_cost_limit: 1 });
  expect(server.chats()).toHaveLength(8);
});

test("Cached replies cost nothing, so a run from the memo passes any limit", async () => {
  await startRun(input("store-3"), join(root, "paid"));
  server.reset();
  const { progress } = await startRun(
    input("store-3", { total_cost_limit: 0 }),
    join(root, "kept"),
  );
  expect(progress).toMatchObject({ done: 8, stopped: 0, paid: 0 });
  expect(server.chats()).toHaveLength(0);
});

test("Payments of interrupted samples count, and those of a run without the file of payments", async () => {
  const folder = join(root, "cut");
  await refusal(startRun(input("store-4", { total_cost_limit: 2.5 * EACH }), folder));
  await writeFile(join(folder, "samples.jsonl"), "");
  await rm(join(root, "store-4"), { recursive: true });
  expect((await refusal(resumeRun(folder))).message).toContain("$0.0200 is paid, 0 of 8");
  const old = join(root, "old");
  await refusal(startRun(input("store-5", { total_cost_limit: 2.5 * EACH }), old));
  await rm(join(old, "paid.jsonl"));
  expect((await refusal(resumeRun(old))).message).toContain("$0.0200 is paid, 2 of 8");
  expect(server.chats()).toHaveLength(4);
});

test("Calls in flight finish when the limit is reached, and their samples have results", async () => {
  server.answer(async (request) => ({ ...(await priced(request)), delay_ms: 50 }));
  const folder = join(root, "flight");
  const wide = {
    ...input("store-6", { total_cost_limit: 4.2 * EACH, max_samples: 8 }),
    runtime: { ...input("store-6").runtime, max_connections: 8 },
  };
  // Reserved is less than what a call costs here: those in flight overshoot.
  await refusal(startRun(wide, folder));
  const { said } = await readResults(folder);
  expect(said.length).toBe(server.chats().length);
  expect(said.every(({ line }) => line?.status === "answered")).toBe(true);
});

test("A sweep shares one limit among its runs, including earlier payments", async () => {
  const sweep = (total_cost_limit?: number) =>
    readSweep({
      base: input("store-7"),
      axes: { frames: [1, 2] },
      ...(total_cost_limit === undefined ? {} : { total_cost_limit }),
    });
  const folder = join(root, "sweep");
  const failure = await refusal(startSweep(sweep(10.5 * EACH), folder));
  expect(failure.message).toMatch(
    /^The sweep stopped at --total-cost-limit 0\.105, in 2-.*after paying \$0\.1000\..*sweep --resume/,
  );
  const stopped = (await readResults(join(folder, sweep().cells[1]?.name ?? ""))).header;
  expect(stopped).toMatchObject({
    status: "stopped",
    total_cost_limit: null,
    ended_by: `Stopped at --total-cost-limit 0.105 of the sweep: $0.1000 is paid by all its runs, 2 of 8 results of this run are complete. Continue with a higher limit: \`sweep --resume ${folder} --total-cost-limit ...\`.`,
  });
  expect(server.chats()).toHaveLength(10);
  expect(await refusal(resumeSweep(folder))).toMatchObject({ kind: "limit-met" });
  expect(server.chats()).toHaveLength(10);
  const { runs } = await resumeSweep(folder, { total_cost_limit: 1 });
  expect(runs.map(({ progress }) => progress.done)).toEqual([8, 8]);
  expect(server.chats()).toHaveLength(16);
  expect(() => readSweep({ base: input("x"), cost_limit: 3 })).toThrow(/use `total_cost_limit`/);
});

test("A judging stops at its limit and continues with the same command and a higher one", async () => {
  const folder = join(root, "judged");
  server.answer(() => "[[C]]");
  await startRun(input("store-8"), folder).catch(() => null);
  const results = await readResults(folder);
  server.reset();
  server.answer(() => ({ text: "Lack of understanding", usage: { input: 1000, output: 0 } }));
  const judge = (total_cost_limit: number) =>
    judgeResults(
      results,
      {
        kind: "errors",
        judge_model: "openai:scripted",
        text_only: true,
        settings: { runtime: { base_url: server.url, prices, max_connections: 1 } },
      },
      { folder, total_cost_limit },
    );
  expect((await refusal(judge(2.5 * EACH))).message).toMatch(
    /^The judging stopped at --total-cost-limit, which left it \$0\.025: \$0\.0[23]00 is paid/,
  );
  const sent = server.chats().length;
  expect(sent).toBeLessThanOrEqual(3);
  expect(await refusal(judge(2.5 * EACH))).toMatchObject({ kind: "limit-met" });
  expect(server.chats()).toHaveLength(sent);
  expect((await judge(1)).lines.length).toBeGreaterThan(3);
});

test("A model without a price is refused under a limit of dollars, in one sentence and before any call", async () => {
  const { prices: _prices, ...runtime } = input("store-9").runtime;
  for (const more of [{ total_cost_limit: 1 }, { budget: { cost: 1 } }]) {
    const failure = await refusal(
      startRun(input("store-9", { runtime, ...more }), join(root, "unpriced")),
    );
    expect(failure).toMatchObject({ kind: "wrong-setting" });
    expect(failure.message).toMatch(
      /^Invalid --(total-)?cost-limit 1: openai:scripted has no price.*--prices/,
    );
  }
  expect(server.chats()).toHaveLength(0);
});
