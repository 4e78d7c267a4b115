import { beforeAll, expect, test } from "vitest";
import { resumeRun, startRun } from "../../../evals/run/run.ts";
import { checkEvalHeader } from "../../../evals/run/run-header.ts";
import { acceptRun, type WorkerSettings } from "../../../evals/workers/accept-run.ts";
import { runKey } from "../../../evals/workers/run-key.ts";
import type { RunHeader } from "../../../src/core/contracts.ts";
import { readSettings } from "../../../src/core/settings.ts";
import { version } from "../../../src/core/version.ts";
import { openRunLog } from "../../../src/storage/run-log.ts";
import { tempFolder } from "../../support/temp.ts";
import { mathData, refusal } from "../run/run-fixtures.ts";

let header: RunHeader;
let worker: WorkerSettings;
let run: string;

beforeAll(async () => {
  const folder = await tempFolder();
  const runtime = { data: `${folder}/store` };
  const data = await mathData(1);
  const input = { benchmark: "videomathqa", data, strategy: "random", runtime };
  run = `${folder}/run`;
  ({ header } = await startRun(input, run));
  const own = readSettings({ runtime: { data: "mine", media_memory_mb: 64 } }).runtime;
  worker = { runtime: own, given: {}, transcriber: null, servers: [] };
});

const accept = (changes: object, by: Partial<WorkerSettings> = {}) =>
  acceptRun(
    { run: "r1", key: "k", state: "open", most_tries: 3, header: { ...header, ...changes } },
    { ...worker, ...by },
  );

test("places and speed are those of the worker, everything else is that of the run", async () => {
  const { settings } = await accept({}, { given: { call_timeout_s: 7 } });
  expect(settings.strategy).toBe("random");
  expect(settings.runtime).toMatchObject({ data: "mine", media_memory_mb: 64, call_timeout_s: 7 });
});

test("another version is refused", async () => {
  const versions = { "video-rrd": "0.0.1" };
  expect(await refusal(accept({ versions }))).toMatchObject({
    message: `Version ${version()} cannot answer a run that version 0.0.1 planned: start a worker of version 0.0.1.`,
  });
});

test("a file of a user is refused unless the worker has loaded it with the same hash", async () => {
  const modules = [{ path: "/home/ann/my vote.ts", sha256: "0".repeat(64), named: true }];
  expect(await refusal(accept({ modules }))).toMatchObject({
    message: expect.stringContaining("Start a worker with --module '/home/ann/my vote.ts'."),
  });
});

test("a program that transcribes is started only if the worker names it too", async () => {
  const transcriber = "command:whisper {audio}";
  const base = header.settings as { recognition: object };
  const settings = { ...base, recognition: { ...base.recognition, transcriber } };
  expect(await refusal(accept({ settings }))).toMatchObject({
    message: expect.stringContaining("--transcriber 'command:whisper {audio}'"),
  });
  await expect(accept({ settings }, { transcriber })).resolves.toMatchObject({ run: "r1" });
});

test("changed prompts, other MCP servers and a missing folder are refused", async () => {
  const prompts = Object.fromEntries(
    Object.keys(header.prompts as object).map((name) => [name, "0".repeat(64)]),
  );
  expect(await refusal(accept({ prompts }))).toMatchObject({
    message: expect.stringContaining("start a worker with the same files, as --prompts FOLDER"),
  });
  const server = { name: "n", version: "1" };
  const mcp = [{ name: "notes", transport: "stdio" as const, server, tools: [] }];
  await expect(accept({ mcp }, { servers: mcp })).resolves.toMatchObject({ run: "r1" });
  await expect(accept({}, { servers: mcp })).resolves.toMatchObject({ run: "r1" });
  expect(await refusal(accept({ mcp }))).toMatchObject({ message: expect.stringMatching(/MCP/) });
  const data = { ...(header.data as object), folder: "/nowhere" };
  expect(await refusal(accept({ data }))).toMatchObject({
    message: "The folder of the videos, /nowhere, is missing: mount it at the same path.",
  });
});

test("runs with the same MCP servers are one run, whatever the path of their file", () => {
  const keyWith = (mcp: string, version: string) => {
    const base = header.settings as { runtime: object };
    const server = { name: "n", version };
    const record = { name: "notes", transport: "stdio" as const, server, tools: [] };
    const settings = { ...base, runtime: { ...base.runtime, mcp } };
    return runKey(checkEvalHeader({ ...header, settings, mcp: [record] }, "the run"));
  };
  expect(keyWith("/home/bob/servers.json", "1")).toBe(keyWith("/home/ann/servers.json", "1"));
  expect(keyWith("/home/bob/servers.json", "2")).not.toBe(keyWith("/home/bob/servers.json", "1"));
});

test("a run over gold evidence, which is in files of one machine, is not continued by workers", async () => {
  const log = openRunLog(run);
  const [first] = (await log.read()).samples;
  const gold = { samples: [first?.sample], over: null, oracle: null, stages: [] };
  await log.writeHeader({ ...header, gold });
  expect(await refusal(resumeRun(run, { workers: "remote" }))).toMatchObject({
    message: expect.stringContaining("Invalid --workers remote: an attribution"),
  });
});
