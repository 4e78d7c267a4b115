import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { compareResults } from "../../../evals/compare/compare.ts";
import { exportResults } from "../../../evals/export/export-run.ts";
import { makeReport } from "../../../evals/report/report.ts";
import { startRun } from "../../../evals/run/run.ts";
import type { RunLine } from "../../../evals/run/run-line.ts";
import { timeSpent } from "../../../evals/run/time-spent.ts";
import { readResults } from "../../../evals/score/read-results.ts";
import { scoreResults } from "../../../evals/score/score-run.ts";
import { renderComparison } from "../../../src/app/cli/render/comparison.ts";
import { renderScore } from "../../../src/app/cli/render/score.ts";
import { startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { GOOD, makeRun, PROCEDURES } from "./made-runs.ts";
import { knowing, mmrData } from "./run-fixtures.ts";

const server = await startModelServer(knowing);
afterAll(() => server.close());
beforeEach(() => {
  server.reset();
  server.answer(knowing);
});
const root = await tempFolder();
const data = await mmrData(1, 3);

const input = (more: object = {}) => ({
  benchmark: "mmr-v",
  data,
  strategy: "direct",
  model: "openai:gpt-4.1",
  recognition: { frames: 2, max_side: 64 },
  runtime: { base_url: server.url, data: join(root, "store") },
  ...more,
});

test("A run whose budget allows no call is reported as stopped, not as wrong replies", async () => {
  const folder = join(root, "stopped");
  const { progress } = await startRun(input({ budget: { cost: 0.000001 } }), folder);
  expect(progress).toMatchObject({ done: 3, errors: 0, stopped: 3 });
  expect(server.chats()).toHaveLength(0);
  const results = await readResults(folder);
  const score = scoreResults(results);
  expect(score).toMatchObject({
    invalid_rate: null,
    failures: [],
    all: { all: 3, right: 0, answered: 0 },
    account: { results: 3, stopped: { cost: 3 } },
  });
  expect(renderScore(score)).toContain("stopped by a budget: 3 of 3 (cost); each counts as wrong");

  const good = join(root, "good");
  await startRun(input(), good);
  const other = await readResults(good);
  expect(scoreResults(other)).toMatchObject({ invalid_rate: 0, account: { stopped: {} } });
  expect(renderScore(scoreResults(other))).not.toContain("budget");

  const comparison = compareResults([results, other]);
  expect(comparison.runs.map(({ stopped }) => stopped)).toEqual(["3 of 3 (cost)", null]);
  expect(renderComparison(comparison, 0)).toContain("stopped by a budget");
  const [accuracy] = makeReport([results, other]).parts[0]?.tables ?? [];
  expect(accuracy?.head.at(-1)).toBe("Stopped by a budget");
  expect(accuracy?.rows.map((row) => row.at(-1))).toEqual(["3 of 3 (cost)", "–"]);
  const rows = JSON.parse(exportResults(results, "json")) as { stopped_by: string }[];
  expect(rows.map(({ stopped_by }) => stopped_by)).toEqual(["cost", "cost", "cost"]);
});

test("Replies from the memo keep the model's first duration in the run, the score and the export", async () => {
  server.answer(async (request) => ({ text: String(await knowing(request)), delay_ms: 150 }));
  const store = join(root, "timed-store");
  const runtime = { base_url: server.url, data: store };
  await startRun(input({ runtime }), join(root, "first"));
  const asked = server.chats().length;
  await startRun(input({ runtime }), join(root, "again"));
  expect(server.chats()).toHaveLength(asked);
  const [first, again] = await Promise.all(
    ["first", "again"].map(async (name) => scoreResults(await readResults(join(root, name)))),
  );
  expect(first?.account?.time?.model_s).toBeGreaterThan(0.4);
  expect(again?.account?.time?.model_s).toBe(first?.account?.time?.model_s);
  expect(again?.account?.time).toMatchObject({ samples: 3, unknown_calls: 0, waited_s: 0 });
  const results = await readResults(join(root, "again"));
  const rows = JSON.parse(exportResults(results, "json")) as Record<string, number>[];
  for (const row of rows) {
    expect(row.model_seconds).toBeGreaterThan(0.14);
  }
  expect(renderScore(scoreResults(results))).toMatch(/seconds a sample: model 0\.\d+/);
});

const call = (at: number, seconds: number, model_s: number | null, waited_s = 0) =>
  ({ type: "call", at, call: { seconds, model_s, waited_s, finish: "stop" } }) as never;

test("Own time is the time without calls, and calls without a first duration are counted", () => {
  const events = [
    call(2000, 1, 1),
    call(2500, 1, 0.6, 0.4),
    call(8000, 0.5, null),
    call(8000, 0.25, 7),
  ];
  expect(timeSpent(events, 0, 10_000)).toEqual({
    model_s: 8.6,
    own_s: 8,
    waited_s: 0.4,
    unknown_calls: 1,
  });
  expect(timeSpent([], 1000, 1500)).toMatchObject({ own_s: 0.5, model_s: 0 });
});

const scoreOf = async (name: string, line: Partial<RunLine>) => {
  const folder = await makeRun(join(root, name), {
    settings: { strategy: "rrd", model: "openai:m" },
    samples: PROCEDURES,
    replies: GOOD,
    line,
  });
  return scoreResults(await readResults(folder));
};

test("Word overlap, estimates, overshoot and answers at a limit are counted separately", async () => {
  const usage = { calls: 2, frames: 8, input: 1000, output: 20, cost: 0.01, paid: 0.01 };
  const score = await scoreOf("counted", {
    limits_met: ["tokens"],
    usage: { ...usage, estimated: 1, reasoning: 15, cached_input: 400 },
    diagnostics: { answered_by: "word overlap", overshoot: { tokens: 5, cost: 0.25 } },
  });
  expect(score.account).toMatchObject({
    stopped: {},
    answered_at_limit: 4,
    overshoot: { samples: 4, tokens: 20, cost: 1 },
    by_word_overlap: 4,
    calls: 8,
    estimated_calls: 4,
    reasoning_tokens: 60,
    cached_input_tokens: 1600,
  });
  const text = renderScore(score);
  expect(text).toContain("answered by word overlap, because the model gave no answer: 4 of 4");
  expect(text).toContain("estimates for 4 of 8 calls");
  expect(text).toContain("by 20 tokens and $1.0000");
  expect(text).toContain("reasoning tokens (included in output): 60");
  expect(text).toContain("input tokens from the provider's cache: 1600");
});

test("A run of an earlier version has no times, and its stopped samples are still counted", async () => {
  const score = await scoreOf("old", {
    status: "not-answered",
    reply: "",
    limits_met: ["cost", "calls"],
  });
  expect(score.account).toMatchObject({ time: null, stopped: { "cost, calls": 4 } });
  expect(score).toMatchObject({ invalid_rate: null, all: { all: 4, right: 0 } });
});
