import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { RunLine } from "../../../evals/run/run-line.ts";
import { openRunLog } from "../../../src/storage/run-log.ts";
import { knowing, mmrData, vcrData } from "../../evals/run/run-fixtures.ts";
import { CLI, runCli, runCommand } from "../../support/command-line.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { canMount } from "../../support/own-disk.ts";
import { procedureModel } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";

let server: ModelServer;
let root: string;
let mmr: string;

beforeAll(async () => {
  server = await startModelServer(knowing);
  root = await tempFolder();
  mmr = await mmrData(2, 4);
});
afterAll(() => server.close());
beforeEach(() => {
  server.reset();
  server.answer(knowing);
});

/** Runs the real program, in its own process if `onStart` takes its pid. */
const cli = (args: readonly string[], onStart?: (pid: number) => void) =>
  onStart === undefined ? runCommand(root, args) : runCli(root, args, onStart);

const asking = (data: string, out: string, store: string) => [
  ...["--data", data, "--out", out, "--data-dir", store],
  ...["--model", "openai:scripted", "--base-url", server.url],
];
const direct = ["--strategy", "direct", "--frames", "2", "--max-side", "64"];
const linesOf = async (folder: string) =>
  (await openRunLog(join(root, folder)).read()).samples as RunLine[];

test.each(["eval", "sweep"])("%s --resume does not plan, and keeps its folder", async (command) => {
  for (const [flag, ...value] of [["--dry-run"], ["--out", "other"]] as const) {
    const { code, err } = await cli([command, "--resume", "nowhere", flag, ...value]);
    expect(code).toBe(2);
    expect(err).toContain(`--resume does not allow ${flag}: a `);
  }
});

test("a killed run resumes with the same results and pays once", async () => {
  const places = [2, 4, 1, 3];
  const data = await vcrData([places.slice(0, 2), places.slice(0, 3), places]);
  const good = procedureModel(places);
  server.answer(async (request) => ({ text: String(await good(request)), delay_ms: 60 }));
  const CONNECTIONS = 3;
  const arm = [
    ...["--strategy", "rrd", "--recognition", "sequential", "--recognition-input", "whole-video"],
    ...["--reasoning", "merge-sort", "--frames", "4", "--max-side", "64"],
    ...["--max-connections", String(CONNECTIONS)],
  ];
  const whole = await cli(["eval", "vcrbench", ...asking(data, "whole", "store-whole"), ...arm]);
  expect(whole.code).toBe(0);
  const unique = new Set(server.chats().map((request) => request.hash)).size;
  expect(unique).toBeGreaterThan(10);

  server.reset();
  const killAt = [2, 8];
  let resumed = ["eval", "vcrbench", ...asking(data, "killed", "store-killed"), ...arm];
  for (const calls of killAt) {
    let pid = 0;
    const ending = cli(resumed, (started) => {
      pid = started;
    });
    while (server.chats().length < calls) await new Promise((done) => setTimeout(done, 5));
    process.kill(pid, "SIGKILL");
    expect((await ending).code).not.toBe(0);
    resumed = ["eval", "--resume", "killed"];
  }
  expect(JSON.parse(await readFile(join(root, "killed", "header.json"), "utf8")).status).toBe(
    "running",
  );
  const last = await cli(resumed);
  expect(last.code).toBe(0);
  const sent = server.chats();
  expect(new Set(sent.map((request) => request.hash)).size).toBe(unique);
  expect(sent.length).toBeLessThanOrEqual(unique + killAt.length * CONNECTIONS);
  const facts = async (folder: string) =>
    (await linesOf(folder))
      .map(({ sample, reply, answer, scores, cites }) => ({ sample, reply, answer, scores, cites }))
      .sort((a, b) => (a.sample < b.sample ? -1 : 1));
  expect(await facts("killed")).toEqual(await facts("whole"));
}, 120_000);

test("eval, score, export and compare from the command line", async () => {
  const first = await cli(["eval", "mmr-v", ...asking(mmr, "one", "store"), ...direct, "--json"]);
  expect(first.code).toBe(0);
  expect(JSON.parse(first.out)).toMatchObject({
    total: { count: "8/8", accuracy: "100.00%" },
    video_rrd: { extractor: "sound", all: { right: 8, all: 8 } },
  });
  expect(first.err).toContain("8 of 8 (100 %)");
  expect(first.err).toContain("accuracy 100.0 %");

  server.answer((request) =>
    request.texts.join().includes("Which of 3?") ? "[[C]]" : knowing(request),
  );
  const worse = await cli([
    ...["eval", "mmr-v", ...asking(mmr, "two", "store"), ...direct],
    ...["--seed", "1", "--temperature", "0.5"],
  ]);
  expect(worse.out).toMatch(/all questions \(unanswered = wrong\) +87\.50 %/);
  expect(worse.out).toMatch(/answered only +87\.50 %/);

  const compared = await cli(["compare", "one", "two"]);
  expect(compared.out).toContain("8 questions in common");
  expect(compared.out).toContain("1 flipped question: 0 better, 1 worse");
  expect(compared.out).toContain("two: C");

  const exported = await cli(["export", "two", "--format", "mmr-v", "-o", "two.json"]);
  expect(exported.code).toBe(0);
  const back = await cli(["score", "two.json", "--json"]);
  expect(JSON.parse(back.out).total).toEqual({ count: "7/8", accuracy: "87.50%" });
  const csv = await cli(["export", "two", "--format", "csv"]);
  expect(csv.out.split("\n")[0]).toContain("sample,epoch,video,question,right,answer,value");
  const other = await cli(["export", "two", "--format", "dataset", "-o", "two.csv"]);
  expect(other).toMatchObject({ code: 2, err: expect.stringContaining("Use -o two.jsonl.") });
  const wrong = await cli(["export", "two", "--format", "vcrbench"]);
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining("for two, a run of mmr-v") });
}, 120_000);

test("a YAML file holds the same settings, and flags win over it", async () => {
  await writeFile(
    join(root, "run.yaml"),
    [
      "benchmark: mmr-v",
      `data: ${mmr}`,
      "strategy: direct",
      "model: openai:scripted",
      "limit: 2-4",
      "recognition: { frames: 2, max_side: 64 }",
      `runtime: { base_url: "${server.url}", data: store-yaml, max_connections: 1-2-4 }`,
    ].join("\n"),
  );
  const planned = await cli(["eval", "--config", "run.yaml", "--frames", "3", "--dry-run"]);
  expect(planned.out).toMatch(/model calls +3\n/);
  expect(planned.out).toMatch(/frames sent +at most 9\n/);
  expect(planned.out).toContain("Nothing was sent.");
  expect(server.chats()).toHaveLength(0);
  const ran = await cli(["eval", "--config", "run.yaml", "--frames", "3", "--out", "yaml"]);
  expect(ran.code).toBe(0);
  expect((await linesOf("yaml")).map((line) => line.usage.frames)).toEqual([3, 3, 3]);
  await writeFile(join(root, "wrong.yaml"), "benchmark: mmr-v\nstratgy: direct\n");
  const refused = await cli(["eval", "--config", "wrong.yaml"]);
  expect(refused.code).toBe(2);
  expect(refused.err).toContain("Unknown setting `stratgy`: use one of benchmark, data");
}, 120_000);

test("a run that a budget stopped exits with 1, and an interrupted one prints the command that continues it", async () => {
  await writeFile(join(root, "prices.yaml"), '"openai:scripted": { input: 2, output: 8 }\n');
  const priced = ["--prices", "prices.yaml", "--cost-limit", "0.0000001"];
  const stopped = await cli([
    "eval",
    "mmr-v",
    ...asking(mmr, "spent", "store-spent"),
    ...direct,
    ...priced,
  ]);
  expect(stopped.code).toBe(1);
  expect(stopped.out).toContain("stopped by a budget: 8 of 8 (cost)");
  expect(stopped.err).toContain("Stopped by a budget: 8 of 8 (cost).");
  expect(server.chats()).toHaveLength(0);

  let pid = 0;
  server.answer(async (request) => {
    if (server.chats().length === 2) process.kill(pid, "SIGINT");
    return { text: String(await knowing(request)), delay_ms: 30 };
  });
  const args = ["eval", "mmr-v", ...asking(mmr, "held on", "store-held"), ...direct];
  const interrupted = await cli([...args, "--max-connections", "1"], (started) => {
    pid = started;
  });
  expect(interrupted.code).toBe(130);
  expect(interrupted.err).toMatch(/Interrupted: continue with `eval --resume '.*held on'`\.\n$/);
  const [, folder = ""] = /eval --resume '(.*held on)'`\.\n$/.exec(interrupted.err) ?? [];
  server.answer(knowing);
  const resumed = await cli(["eval", "--resume", folder]);
  expect(resumed.code).toBe(0);
  expect(await linesOf("held on")).toHaveLength(8);
}, 120_000);

test.each([
  [
    ["--limit", "many"],
    'Invalid --limit "many": use a whole number from 1, or a range such as 10-20',
  ],
  [["--limit", "9-3"], 'Invalid --limit "9-3": '],
  [["--strategy", "wizard"], 'Invalid --strategy "wizard" (strategy): use one of direct'],
  [["--epochs", "0"], "Invalid --epochs 0: use a whole number from 1 to 1000"],
  [["--sample-id", "nope"], 'Invalid --sample-id "nope": use ids of the data'],
  [
    ["--max-connections", "4-2-1"],
    'Invalid --max-connections "4-2-1" (runtime.max_connections): use a whole number from 1 to 1024, or min-start-max',
  ],
])("eval %j is refused in one sentence before anything is created", async (args, words) => {
  const ended = await cli([
    "eval",
    "mmr-v",
    ...asking(mmr, "refused", "store"),
    ...direct,
    ...args,
  ]);
  expect(ended.code).toBe(2);
  expect(ended.err).toContain(words);
  expect(ended.err.trim().split("\n").at(-1)).toMatch(/^(Expected|Invalid) .*\.$/);
});

test.skipIf(!canMount())(
  "a full disk stops the run with one sentence; with free space it resumes",
  async () => {
    const disk = join(root, "disk");
    await mkdir(disk);
    const args = ["eval", "mmr-v", ...asking(mmr, "disk/full", "disk/store"), ...direct];
    const first = [...args, "--max-samples", "1"].map((arg) => `'${arg}'`).join(" ");
    const again = `"${process.execPath}" "${CLI}"`;
    const script = [
      `mount -t tmpfs -o size=4m none '${disk}'`,
      `head -c 3600000 /dev/zero > '${disk}/ballast'`,
      `${again} ${first}; echo "first ended with $?"`,
      `cp -r '${disk}/full' before && rm '${disk}/ballast'`,
      `${again} eval --resume disk/full; echo "second ended with $?"`,
      `cp -r '${disk}/full' after`,
    ].join(" && ");
    const both = await new Promise<string>((done, failed) =>
      execFile("unshare", ["-rm", "sh", "-c", script], { cwd: root }, (error, out, err) =>
        error === null ? done(`${out}${err}`) : failed(error),
      ),
    );
    expect(both).toContain("first ended with 1");
    expect(both).toMatch(/The disk is full.*Free some space and run/);
    expect(both).toContain("second ended with 0");
    const [kept, whole] = [await linesOf("before"), await linesOf("after")];
    expect(kept.length).toBeLessThan(8);
    expect(whole).toHaveLength(8);
    for (const line of kept) expect(whole).toContainEqual(line);
  },
  120_000,
);
