import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compareResults } from "../../../evals/compare/compare.ts";
import { resumeRun, startRun } from "../../../evals/run/run.ts";
import { readResults } from "../../../evals/score/read-results.ts";
import { agentTurns, call, composeFilm } from "../../support/agent-film.ts";
import { CLI } from "../../support/command-line.ts";
import { type ModelServer, type Script, startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { startRig } from "../service/rig.ts";
import { callTool, connectCommand, processesNaming } from "./rig.ts";

/* The operator's MCP servers in runs, commands, the service, and our own MCP server. */

const PROGRAM = join(import.meta.dirname, "../../support/mcp-tools-server.ts");

let model: ModelServer;
let script: Script;
let folder: string;
let servers: string;
let stubborn: string;
let plain: string;

beforeAll(async () => {
  folder = await tempFolder();
  await composeFilm(folder);
  model = await startModelServer((request) => script(request));
  process.env.STATION_VERSION = "1.0.0";
  const file = async (name: string, env: object) => {
    const entry = { command: process.execPath, args: [PROGRAM, folder], env };
    const path = join(folder, name);
    await writeFile(path, JSON.stringify({ mcpServers: { weather: entry } }));
    return path;
  };
  servers = await file("servers.json", { SERVER_VERSION: "$STATION_VERSION" });
  plain = await file("plain.json", {});
  stubborn = await file("stubborn.json", { STUBBORN: "$STATION_VERSION" });
});
afterAll(() => model.close());

const settings = () => ({
  ...{ strategy: "agent", model: "openai:scripted", search: { verify: false } },
  recognition: { max_side: 160, ocr: "off", subtitles: "off" },
});
const turns = () =>
  agentTurns([
    call("weather__forecast", { city: "Ulm" }),
    call("answer", { answer: "A", evidence: ["E1"] }),
  ]);
const question = {
  video: "film.mp4",
  question: "Is it green?",
  options: ["Yes", "No"],
  answer: "A",
};
const running = async () =>
  (await processesNaming(folder)).filter((line) => line.includes(PROGRAM));
const nothingRuns = () => expect.poll(running, { timeout: 8000 });

test("a run records servers and tools; other tools make it another run, which cannot be resumed", async () => {
  const data = join(folder, "questions.jsonl");
  await writeFile(data, `${JSON.stringify({ id: "a", ...question })}\n`);
  const runtime = { base_url: model.url, mcp: servers, data: join(folder, "store") };
  const begin = async (name: string) => {
    script = turns();
    const input = { benchmark: "dataset", data, ...settings(), runtime };
    return startRun(input, join(folder, name));
  };
  const { header } = await begin("first");
  expect(header.mcp).toMatchObject([
    { name: "weather", transport: "stdio", server: { name: "weather-station", version: "1.0.0" } },
  ]);
  expect(header.mcp?.[0]?.tools.map(({ name }) => name)).toContain("weather__forecast");
  expect(JSON.stringify(header)).not.toContain(PROGRAM);
  await begin("again");
  process.env.STATION_VERSION = "2.0.0";
  await begin("newer");
  const [first, again, newer] = await Promise.all(
    ["first", "again", "newer"].map((name) => readResults(join(folder, name))),
  );
  const { comparisons } = compareResults([first, again, newer] as never);
  expect(comparisons.map(({ rerun }) => rerun)).toEqual([true, false]);
  const resume = (changes: object) =>
    resumeRun(join(folder, "first"), changes).catch(({ message }: Error) => message);
  // A folder may come from anybody: commands that only it names are not started.
  expect(await resume({})).toContain(`Add --mcp ${servers}.`);
  expect(await resume({ runtime: { mcp: servers } })).toContain(
    "the MCP server weather has another version or other tools since the run started",
  );
  process.env.STATION_VERSION = "1.0.0";
  expect(await resume({ runtime: { mcp: servers } })).toMatchObject({ progress: { done: 1 } });
  await nothingRuns().toEqual([]);
});

const flags = (mcp: string) => [
  ...["--strategy", "agent", "--model", "openai:scripted", "--base-url", model.url],
  ...["--mcp", mcp, "--max-side", "160", "--ocr", "off", "--data-dir", "store"],
];

test.each([
  ["SIGINT", 130],
  ["SIGKILL", undefined],
] as const)("%s during a call leaves no server behind", async (signal, code) => {
  const called = Promise.withResolvers<void>();
  script = agentTurns([
    () => {
      setTimeout(called.resolve, 300);
      return call("weather__wait", {});
    },
  ]);
  // Only a server that ends with its input can end when its client is killed.
  const mcp = signal === "SIGINT" ? stubborn : servers;
  const child = execa(process.execPath, [CLI, "ask", "film.mp4", `Why ${signal}?`, ...flags(mcp)], {
    ...{ cwd: folder, reject: false, env: { OPENAI_API_KEY: "sk-x", STATION_VERSION: "1.0.0" } },
  });
  await called.promise;
  expect(await running()).toHaveLength(1);
  child.kill(signal);
  const { exitCode } = await child;
  expect(exitCode).toBe(code);
  await nothingRuns().toEqual([]);
});

test("questions to the service use the operator's servers; nobody can name others", async () => {
  script = turns();
  const rig = await startRig({
    settings: { ...settings(), runtime: { base_url: model.url, mcp: servers } },
  });
  const { id } = await rig.upload(join(folder, "film.mp4"));
  const asked = await rig.ask(id, { text: "Is it green?" });
  expect(await rig.ended(asked.id)).toMatchObject({ state: "answered" });
  expect(model.chats().at(-1)?.toolResults[0]?.text).toContain("Ulm: rain.");
  // The servers are shared between questions and stay until the service stops.
  expect(await running()).toHaveLength(1);
  const refused = await rig.send("POST", `/api/v1/videos/${id}/questions`, {
    text: "Is it red?",
    settings: { "runtime.mcp": servers },
  });
  expect(refused.status).toBe(422);
  expect(await refused.text()).not.toContain(folder);
  await rig.stop();
  await nothingRuns().toEqual([]);
});

test("our own MCP server gives them to the agent and does not list them", async () => {
  script = turns();
  const all = ["--allow-folder", ".", "--no-verify", ...flags(plain)];
  const { client, logged } = await connectCommand(folder, all);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names.filter((name) => name.includes("weather"))).toEqual([]);
  const given = { video: "film.mp4", question: "Is the screen green?" };
  const refused = await callTool(client, "ask_video", {
    ...given,
    settings: { "runtime.mcp": plain },
  });
  expect(refused.text).toContain('cannot set "runtime.mcp"');
  const answered = await callTool(client, "ask_video", given);
  expect(answered.data, logged()).toMatchObject({ status: "answered" });
  await client.close();
  await nothingRuns().toEqual([]);
});
