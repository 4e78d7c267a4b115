import { randomBytes } from "node:crypto";
import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { exportResults } from "../../../../evals/export/export-run.ts";
import { exportLog } from "../../../../evals/export/inspect/export-log.ts";
import { exportLogs } from "../../../../evals/export/inspect/export-logs.ts";
import { writeLogFile } from "../../../../evals/export/inspect/log-file.ts";
import { toToolInfo } from "../../../../evals/export/inspect/tool-info.ts";
import { readResults } from "../../../../evals/score/read-results.ts";
import { scoreResults } from "../../../../evals/score/score-run.ts";
import { Failure } from "../../../../src/core/errors.ts";
import { readEvalLog } from "../../../support/eval-log.ts";
import { tempFolder } from "../../../support/temp.ts";
import { makeRun, order, PROCEDURES } from "../../run/made-runs.ts";

let root: string;
beforeAll(async () => {
  root = await tempFolder();
});

const settings = {
  strategy: "direct",
  model: "openai:gpt-4.1",
  budget: { calls: 2 },
  generation: { extra_body: { gateway_token: "sk-hidden" } },
  runtime: { headers: "X-Gate=$GATE_TOKEN", base_url: "http://127.0.0.1:9/v1?key=sk-hidden" },
};

test("failed, stopped and unread replies are in a log as Inspect has them", async () => {
  const folder = await makeRun(join(root, "mixed"), {
    settings,
    samples: PROCEDURES,
    replies: { "1": order(2, 1, 3), "2": null, "3": "I cannot tell.", "4": order(1, 3, 4, 2) },
    line: { limits_met: ["calls", "cost"], usage: usage(1000, 400) },
  });
  const results = await readResults(folder);
  const score = scoreResults(results);
  const file = join(root, "mixed.eval");
  await exportLogs([{ path: folder, results }], file, { isSweep: false, onFile: () => undefined });
  const log = await readEvalLog(file);
  const byId = new Map(log.samples.map((sample) => [sample.id, sample]));

  expect(byId.get("2")).toMatchObject({
    error: { message: "model-unreachable: The server was away." },
    output: { choices: [], error: "The server was away." },
    metadata: { unscored: { [score.extractor]: "The server was away." } },
  });
  expect(byId.get("2")?.scores).toEqual({});
  expect(byId.get("1")).toMatchObject({
    target: "2, 1, 3",
    limit: { type: "turn", limit: 2 },
    output: { completion: order(2, 1, 3) },
  });
  expect(byId.get("1")?.events.map(({ event }) => event)).toContain("sample_limit");
  const [own] = log.header.results.scores;
  expect(own?.metrics.accuracy?.value).toBe(score.all.accuracy);
  expect(own?.metrics.accuracy_answered?.value).toBe(score.all.accuracyAnswered);
  expect(log.accuracies[score.extractor]).toEqual({
    accuracy: score.all.accuracy,
    answered: score.all.answered,
  });
  expect(log.header.eval).toMatchObject({
    model: "openai/gpt-4.1",
    model_base_url: "http://127.0.0.1:9/v1",
    solver_args: { "generation.extra_body": ["gateway_token"] },
    metadata: { header_names: ["x-gate"] },
  });
  expect(JSON.stringify(log.documents)).not.toMatch(/sk-hidden|GATE_TOKEN/);
});

const usage = (input: number, cached_input: number) => ({
  ...{ calls: 1, frames: 8, input, output: 20, cost: 0.01, paid: 0.01 },
  ...{ cached_input, reasoning: 5 },
});

test("tokens of the provider's cache are counted apart, and a question's epochs are averaged", async () => {
  const [asked] = PROCEDURES;
  const call = { key: "k", stage: "answer", role: "reasoner", label: "", model: "openai:gpt-4.1" };
  const folder = await makeRun(join(root, "epochs"), {
    settings,
    samples: PROCEDURES.slice(0, 1),
    replies: { "1": order(2, 1, 3) },
    line: {
      usage: usage(1000, 400),
      calls: [
        { ...call, finish: "stop", cached: false, seconds: 1, frames: 8, input: 1000, output: 20 },
      ],
    },
    header: { epochs: 2, status: "stopped" },
  });
  const results = await readResults(folder);
  const [said] = results.said;
  const second = { ...said, sample: asked, epoch: 2, reply: order(1, 2, 3) } as NonNullable<
    typeof said
  >;
  const file = join(root, "epochs.eval");
  const both = { ...results, said: [...results.said, second] };
  await exportLog(both, file, { blobs: null, created: "" });
  const log = await readEvalLog(file);
  expect(log.header.status).toBe("cancelled");
  expect(log.samples[0]?.model_usage).toEqual({
    "openai/gpt-4.1": {
      ...{ input_tokens: 600, input_tokens_cache_read: 400, output_tokens: 20 },
      ...{ total_tokens: 1020, reasoning_tokens: 5, total_cost: 0.01 },
    },
  });
  expect(log.header.stats.model_usage["openai/gpt-4.1"]?.total_tokens).toBe(2040);
  expect(log.reductions).toMatchObject([
    { reducer: "mean", samples: [{ sample_id: "1", value: 0.5 }] },
  ]);
  expect(log.accuracies[scoreResults(both).extractor]?.accuracy).toBe(0.5);
});

test("each run of a sweep becomes a file, and a response file one without a model", async () => {
  const runs = await Promise.all(
    ["a", "b"].map(async (name) => {
      const path = await makeRun(join(root, name), {
        settings,
        samples: PROCEDURES,
        replies: { "1": order(2, 1, 3) },
      });
      return { path, results: await readResults(path) };
    }),
  );
  const logs = join(root, "logs");
  await exportLogs(runs, logs, { isSweep: true, onFile: () => undefined });
  expect((await readdir(logs)).sort()).toEqual(["a.eval", "b.eval"]);

  const path = join(root, "responses.jsonl");
  await writeFile(path, runs.map((run) => exportResults(run.results, "lmms-eval"))[0] ?? "");
  const results = await readResults(path, { benchmark: "vcrbench" });
  const file = join(root, "responses.eval");
  await exportLogs([{ path, results }], file, { isSweep: false, onFile: () => undefined });
  const log = await readEvalLog(file);
  expect(log.header).toMatchObject({ status: "success", eval: { model: "none/none" } });
  expect(log.samples).toMatchObject([{ output: { completion: order(2, 1, 3) } }]);
});

test("entries are made while the file is written, and a failure leaves no file", async () => {
  const file = join(root, "many.eval");
  let last = 0;
  const document = () => randomBytes(2 ** 15).toString("hex");
  const entries = Array.from({ length: 40 }, (_, place) => ({
    name: `samples/${place}_epoch_1.json`,
    async make() {
      last = (await stat(file).catch(() => ({ size: 0 }))).size;
      return document();
    },
  }));
  await writeLogFile(file, entries);
  expect(last).toBeGreaterThan((await stat(file)).size * 0.8);

  const folder = await makeRun(join(root, "broken"), {
    settings: {},
    samples: PROCEDURES,
    replies: { "1": order(2, 1, 3) },
    line: { transcript: "0".repeat(64) },
  });
  const results = await readResults(folder);
  const damaged = new Failure("store-damaged", "The blob has changed.");
  const writing = exportLog(results, join(root, "broken.eval"), {
    blobs: { read: () => Promise.reject(damaged) },
    created: "",
  });
  await expect(writing).rejects.toMatchObject({ kind: "store-damaged" });
  expect((await readdir(root)).filter((name) => name.startsWith("broken."))).toEqual([]);

  const newer = new TextEncoder().encode(JSON.stringify({ format: 2 }));
  const reading = exportLog(results, join(root, "broken.eval"), {
    blobs: { read: () => Promise.resolve(newer) },
    created: "",
  });
  await expect(reading).rejects.toMatchObject({ kind: "store-format" });

  const notes: string[] = [];
  const missing = join(root, "no-such-folder");
  await exportLogs([{ path: folder, results }], file, {
    ...{ isSweep: false, data: missing, onFile: () => undefined },
    onNote: (text) => notes.push(text),
  });
  expect(notes).toEqual([expect.stringContaining(`there is no data folder in ${missing}`)]);

  const gone = new Failure("not-found", "There is no such blob.");
  await exportLog(results, file, { blobs: { read: () => Promise.reject(gone) }, created: "" });
  expect((await readEvalLog(file)).samples[0]?.metadata.messages).toMatch(/no longer in the store/);
});

test("a tool of another server keeps only the members of its schema that Inspect reads", () => {
  const tool = toToolInfo({
    name: "t",
    description: "",
    parameters: {
      type: "object",
      properties: {
        a: { type: "integer", exclusiveMinimum: 0, default: 3 },
        b: { oneOf: [{ const: "x" }, { type: "array", items: { type: "string", format: 7 } }] },
        c: true,
      },
      required: "all",
    },
  });
  expect(tool.parameters).toEqual({
    type: "object",
    properties: {
      a: { type: "integer", default: 3 },
      b: {
        default: null,
        anyOf: [
          { default: null, enum: ["x"] },
          { default: null, type: "array", items: { type: "string", default: null } },
        ],
      },
      c: { default: null },
    },
    required: [],
  });
});

test("options whose letters are not those of their places have them in the choices", async () => {
  const path = join(root, "replies.json");
  const row = (id: string, options: object) => ({
    ...{ id, video: "v.mp4", question: "Which?", options, answer: "C", reply: "Answer: C" },
  });
  await writeFile(
    path,
    JSON.stringify([
      row("gap", { A: "red", C: "blue" }),
      row("usual", { A: "red", B: "sea", C: "blue" }),
    ]),
  );
  const results = await readResults(path);
  const file = join(root, "replies.eval");
  await exportLogs([{ path, results }], file, { isSweep: false, onFile: () => undefined });
  const { samples } = await readEvalLog(file);
  expect(samples.map(({ id, choices, target }) => [id, choices, target])).toEqual([
    ["gap", ["(A) red", "(C) blue"], "C"],
    ["usual", ["red", "sea", "blue"], "C"],
  ]);
});
