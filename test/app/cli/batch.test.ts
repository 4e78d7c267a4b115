import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { mathSample, scoreCard } from "../../evals/judges/judged-runs.ts";
import { makeRun } from "../../evals/run/made-runs.ts";
import { type BatchRules, startBatchServer } from "../../support/batch-server.ts";
import { makeClip } from "../../support/clips.ts";
import { runCli, runCommand } from "../../support/command-line.ts";
import { tempFolder } from "../../support/temp.ts";

let folder = "";
const QUESTIONS = 5;

beforeAll(async () => {
  process.env.OPENAI_API_KEY = "sk-test-openai-0123456789";
  folder = await tempFolder();
  await makeClip(folder, "clip.mp4", { frames: 8 });
  const lines = Array.from({ length: QUESTIONS }, (_, index) =>
    JSON.stringify({
      ...{ id: `q${index}`, video: "clip.mp4", question: `Which card is number ${index}?` },
      ...{ options: ["red", "blue"], answer: "A" },
    }),
  );
  await writeFile(join(folder, "questions.jsonl"), `${lines.join("\n")}\n`);
});

const RUN = [
  ...["eval", "questions.jsonl", "--strategy", "direct", "--model", "openai:gpt-4.1"],
  ...["--frames", "2", "--batch"],
];

test("a run that is killed while its batch is processed resumes from that batch, at half the price", async () => {
  const rules: BatchRules = { looks: 1e6 };
  await using server = await startBatchServer(() => "A", rules);
  const killed = await runCli(
    folder,
    [...RUN, "--base-url", server.url, "--out", "run"],
    async (pid) => {
      while (!server.log.includes("GET /v1/batches/batch_1"))
        await new Promise((done) => setTimeout(done, 20));
      process.kill(pid, "SIGKILL");
    },
  );
  expect(killed.code).toBe(null);
  const listed = await runCli(folder, ["batches", "--json"]);
  expect(JSON.parse(listed.out).batches).toMatchObject([
    { model: "openai:gpt-4.1", batch: "batch_1", requests: QUESTIONS, done: 0, state: "running" },
  ]);

  rules.looks = 1;
  const resumed = await runCli(folder, ["eval", "--resume", "run", "--json"]);
  expect([resumed.code, resumed.err]).toEqual([0, expect.any(String)]);
  expect(server.batches.map(({ lines }) => lines.length)).toEqual([QUESTIONS]);
  expect(server.model.requests).toHaveLength(QUESTIONS);
  expect(await readdir(join(folder, ".video-rrd", "batches"))).toEqual([]);

  const lines = (await readFile(join(folder, "run", "samples.jsonl"), "utf8")).trim().split("\n");
  for (const { input, output, cost } of lines.map((line) => JSON.parse(line).usage))
    expect(cost).toBeCloseTo((input * 2 + output * 8) / 2e6, 12);
});

test("a stopped run says how to collect or cancel its batch, also behind a gateway", async () => {
  const rules: BatchRules = { looks: 1e6, gatewayKey: "key-of-the-gateway" };
  const env = { GATEWAY_KEY: "key-of-the-gateway" };
  const header = ["--header", "X-Gateway-Key=$GATEWAY_KEY"];
  await using server = await startBatchServer(() => "A", rules);
  const to = ["--base-url", server.url, "--data-dir", "other"];
  const stop = async (pid: number) => {
    while (!server.log.includes("GET /v1/batches/batch_1"))
      await new Promise((done) => setTimeout(done, 20));
    process.kill(pid, "SIGINT");
  };
  const stopped = await runCli(folder, [...RUN, ...to, ...header, "--out", "stopped"], stop, env);
  expect(stopped.code).toBe(130);
  expect(stopped.err).toContain(
    `1 batch with ${QUESTIONS} calls will be processed and billed: \`eval --resume`,
  );
  const cancel = ["batches", "--cancel", "--data-dir", "other"];
  const refused = await runCommand(folder, cancel);
  expect(refused.code).not.toBe(0);
  expect(refused.out).toMatch(/openai:gpt-4\.1 +batch_1 +5 +0 +not reached/);
  expect(server.batches[0]?.status).not.toBe("cancelled");
  const cancelled = await runCommand(folder, [...cancel, ...header], env);
  expect(cancelled.out).toMatch(/openai:gpt-4\.1 +batch_1 +5 +0 +cancelled/);
  expect(server.batches[0]?.status).toBe("cancelled");
});

test("sweep and judge send their calls in batches, at half the price", async () => {
  await using server = await startBatchServer((request) =>
    request.model === "gpt-4o" ? scoreCard(5) : "A",
  );
  const to = ["--base-url", server.url, "--data-dir", "swept", "--batch"];
  await writeFile(
    join(folder, "grid.yaml"),
    JSON.stringify({
      base: { strategy: "direct", model: "openai:gpt-4.1" },
      axes: { "recognition.frames": [2, 3] },
    }),
  );
  const grid = ["sweep", "grid.yaml", "--benchmark", "questions.jsonl", "--out", "sweep"];
  const swept = await runCommand(folder, [...grid, "--limit", "2", ...to]);
  expect([swept.code, swept.err]).toEqual([0, expect.any(String)]);
  expect(server.batches.map(({ lines }) => lines.length)).toEqual([2, 2]);
  expect(server.log.filter((line) => line.includes("chat/completions"))).toEqual([]);

  await mkdir(join(folder, "judged"));
  await makeRun(join(folder, "judged"), {
    benchmark: "videomathqa",
    settings: { strategy: "direct", model: "openai:answerer" },
    samples: ["m1", "m2"].map((id) => mathSample(id)),
    replies: { m1: "The side is 3.", m2: "The side is 4." },
  });
  const args = ["judge", "judged", "--kind", "steps", "--judge-model", "openai:gpt-4o", "--json"];
  const judged = await runCommand(folder, [...args, ...to]);
  expect([judged.code, judged.err]).toEqual([0, expect.any(String)]);
  const sent = server.batches.slice(2).flatMap(({ lines }) => lines);
  expect(sent).toHaveLength(server.model.requests.length - 4);
  const { usage } = JSON.parse(judged.out);
  expect(usage.paid).toBeCloseTo((usage.input * 2.5 + usage.output * 10) / 2e6, 12);
});
