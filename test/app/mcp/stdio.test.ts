import { copyFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Sample } from "../../../evals/benchmarks/sample.ts";
import { tools } from "../../../tools/agent/define-tool.ts";
import { makeRun } from "../../evals/run/made-runs.ts";
import { agentTurns, call, composeFilm } from "../../support/agent-film.ts";
import { CLI } from "../../support/command-line.ts";
import { type ModelServer, type Script, startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { callEveryTool, callTool, childrenOf, connectCommand, processesNaming } from "./rig.ts";

let folder: string;
let server: ModelServer;
let script: Script;
let runs: string[];
let answered_id = "";
let connected: Awaited<ReturnType<typeof connectCommand>>;

beforeAll(async () => {
  folder = await tempFolder();
  for (const name of ["videos", "secret"]) await mkdir(join(folder, name));
  server = await startModelServer((request) => script(request));
  await composeFilm(join(folder, "videos"), "GATE 7");
  await composeFilm(join(folder, "secret"));
  await symlink(join(folder, "secret", "film.mp4"), join(folder, "videos", "link.mp4"));
  const words = "1\n00:00:05,000 --> 00:00:08,000\nThe password is heron.\n";
  await writeFile(join(folder, "secret", "words.srt"), words);
  await symlink(join(folder, "secret", "words.srt"), join(folder, "videos", "film.srt"));
  runs = await Promise.all(
    ["first", "second"].map((name, at) => {
      const replies = { a: at === 0 ? "1, 2" : "2, 1" };
      const made = { settings: { strategy: "random" }, samples: [ordered], replies };
      return makeRun(join(folder, "runs", name), made);
    }),
  );
  connected = await connectCommand(folder, flags(), { roots: [folder] });
});
afterAll(async () => {
  await connected.client.close();
  await server.close();
});
beforeEach(() => {
  server.reset();
  script = () => "A";
});

const ordered: Sample = {
  ...{ id: "a", video: "a.mp4", hasVideo: false, question: "", task: "order", goal: "Make tea" },
  ...{ options: [], answer: [1, 2], groups: {}, row: {} },
};
const flags = () => [
  ...["--allow-folder", "videos", "--allow-folder", "runs", "--data-dir", "store"],
  ...["--max-side", "160", "--ocr", "off", "--strategy", "agent"],
  ...["--model", "openai:scripted", "--base-url", server.url],
];
const run = (name: string, given: Record<string, unknown>, options = {}) =>
  callTool(connected.client, name, given, options);
const green = call("view_frames", { from_s: 12, to_s: 14, count: 2 });
const ask = { video: "film.mp4", question: "Which colour fills the screen at 0:13?" };

test("the tools of the agent are listed with a parameter for the video", async () => {
  const listed = (await connected.client.listTools()).tools;
  const agent = tools.all().filter(({ look }) => look !== "video");
  for (const { name, parameters } of agent) {
    const tool = listed.find((one) => one.name === name);
    const properties = Object.keys(tool?.inputSchema.properties ?? {});
    expect(properties).toEqual([...Object.keys(parameters.shape), "seen", "video"]);
    expect(tool?.outputSchema?.type).toBe("object");
  }
});

test("a tool of the agent shows pictures that a client takes, each with a name and a time", async () => {
  const shown = await run("view_frames", { video: "film.mp4", from_s: "0:12", to_s: 14, count: 2 });
  expect(shown.images).toHaveLength(2);
  const [picture] = shown.images;
  const { width = 0, dominant } = {
    ...(await sharp(picture).metadata()),
    ...(await sharp(picture).stats()),
  };
  expect(width).toBeLessThanOrEqual(160);
  expect(dominant.g).toBeGreaterThan(dominant.b);
  expect(shown.data).toMatchObject({ evidence: [{ name: "E1", kind: "frame" }, { name: "E2" }] });
  const again = await run("get_evidence", { video: "film.mp4", names: ["E2"] });
  expect(again.data).toMatchObject({ total: 1, evidence: [{ name: "E2" }] });
});

test("evidence is shown once, whichever file with the same bytes is named, also after a refused call", async () => {
  for (const name of ["one.mp4", "two.mp4"])
    await copyFile(join(folder, "secret", "film.mp4"), join(folder, "videos", name));
  const refused = await run("subtitles", { video: "two.mp4" });
  expect(refused).toMatchObject({ isError: true });
  const query = "Watch for the green part";
  const found = await run("search_evidence", { video: "one.mp4", query });
  const [first] = found.data.evidence as { text: string }[];
  expect(first).toMatchObject({ name: "E1", text: `${query} of the screen.` });
  await run("subtitles", { video: "two.mp4", from_s: 0, to_s: 30 });
  const shown = await run("get_evidence", { video: "one.mp4" });
  const texts = (shown.data.evidence as { text: string }[]).map(({ text }) => text);
  expect(texts).toEqual([...new Set(texts)]);
});

test("ask_video returns the answer with its evidence, times and the verdict of the check", async () => {
  script = agentTurns([green, call("answer", { answer: "green", evidence: ["E25"] })]);
  const progress: string[] = [];
  const answered = await run("ask_video", ask, {
    onprogress: ({ message = "" }) => progress.push(message),
  });
  expect(answered.data).toMatchObject({
    status: "answered",
    answer: "green",
    check: { verdict: "supported", by: "model" },
    evidence: [{ kind: "frame" }],
  });
  expect(answered.text).toMatch(/^Answer \(answered\):\n.*\n<<<data\ngreen\ndata>>>\n/);
  expect(answered.images).toHaveLength(1);
  expect(progress.length).toBeGreaterThan(0);
  const { page, evidence } = answered.data as { page: string; evidence: { frame: string }[] };
  answered_id = String(answered.data.id);
  const html = (await connected.client.readResource({ uri: page })).contents[0];
  expect(html).toMatchObject({ mimeType: "text/html", text: expect.stringContaining("green") });
  const frame = (await connected.client.readResource({ uri: evidence[0]?.frame ?? "" }))
    .contents[0];
  expect(frame).toMatchObject({ mimeType: "image/jpeg" });
});

test("text from the video is quoted as data, and a linked file outside the folder is not read", async () => {
  const indexed = await run("index_video", { video: "film.mp4" });
  expect(indexed.data).toMatchObject({ status: "indexed", items: { subtitle: 2 } });
  const found = await run("search_videos", { query: "answer heron" });
  expect(found.data).toMatchObject({ searched: 1, matches: [{ kind: "subtitle" }] });
  expect(found.text).toMatch(/<<<data\n.*Ignore the question.*\ndata>>>/);
  expect(found.text).not.toContain("heron");
});

test.each([
  ["a link", "link.mp4"],
  ["a path that climbs", "../secret/film.mp4"],
  ["an absolute path", "/etc/passwd"],
  ["an address", "http://localhost/film.mp4"],
  ["a file address", "file:///etc/passwd"],
])("%s out of the folder is refused", async (_what, video) => {
  const refused = await run("overview", { video });
  expect(refused).toMatchObject({ isError: true, images: [] });
  expect(refused.text).toMatch(/is not in an allowed folder|Cannot find/);
  const asked = await run("ask_video", { ...ask, video });
  expect(asked).toMatchObject({ isError: true, data: { status: "failed", error: refused.text } });
});

test("a client sets only what a caller may set", async () => {
  for (const settings of [{ "runtime.base_url": "http://evil" }, { model: "openai:other" }]) {
    const refused = await run("ask_video", { ...ask, settings });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/cannot set "runtime.base_url"|model is not allowed/);
  }
  expect(server.requests).toHaveLength(0);
});

test("runs are listed, scored and compared", async () => {
  const listed = await run("list_runs", {});
  expect(listed.data).toMatchObject({ total: 2 });
  const score = await run("get_score", { run: "first" });
  expect(score).toMatchObject({ isError: false, data: { run: "first" } });
  const compared = await run("compare_runs", { runs });
  expect(compared.data).toMatchObject({ comparison: { common: 1 } });
  expect((await run("get_score", { run: "../secret" })).isError).toBe(true);
});

test("every tool can be called", async () => {
  script = agentTurns([call("answer", { answer: "green", evidence: ["E1"] })]);
  const failed = await callEveryTool(connected.client, "film.mp4", {
    ask_video: { question: "Is any part of it green?" },
    get_answer: { id: answered_id },
    get_evidence: { id: answered_id },
    list_runs: {},
    get_score: { run: "first" },
    compare_runs: { runs },
  });
  expect(failed).toEqual([]);
});

test("roots of the client narrow the folders", async () => {
  connected.shared.roots = [join(folder, "runs")];
  await connected.client.sendRootsListChanged();
  const refused = await run("overview", { video: join(folder, "videos", "film.mp4") });
  expect(refused.text).toContain("is not in an allowed folder");
  connected.shared.roots = [folder, "/"];
  await connected.client.sendRootsListChanged();
  const outside = await run("overview", { video: join(folder, "secret", "film.mp4") });
  expect(outside.text).toContain("is not in an allowed folder");
});

test("prompts are filled in", async () => {
  const given = { name: "check_a_claim", arguments: { video: "film.mp4", claim: "It is red." } };
  const { messages } = await connected.client.getPrompt(given);
  expect(JSON.stringify(messages)).toContain("<<<data\\nIt is red.\\ndata>>>");
});

test("50 calls at once are limited, and nothing is left running", async () => {
  const calls = Array.from({ length: 50 }, (_, at) =>
    run("view_frames", { video: "film.mp4", from_s: at / 2, to_s: at / 2 + 1, count: 1 }),
  );
  const results = await Promise.all(calls);
  expect(results.filter(({ text }) => text.includes("Too many calls at once"))).toHaveLength(18);
  await expect.poll(() => childrenOf(connected.pid), { timeout: 10_000 }).toEqual([]);
});

test("a message that is too large ends the connection and the process", async () => {
  const child = execa(process.execPath, [CLI, "mcp", ...flags()], { cwd: folder, reject: false });
  child.stdin.on("error", () => undefined);
  child.stdin.write("x".repeat(11 * 2 ** 20));
  const { exitCode, stderr } = await child;
  expect(exitCode).toBe(0);
  expect(stderr).toContain("exceeded maximum size");
});

const NOISY = `
import { defineTool } from "video-rrd";
import { z } from "zod";
console.log("printed while loading");
export const shout = defineTool({
  name: "shout",
  description: "Prints.",
  parameters: z.object({ words: z.string().describe("what to print") }),
  needs: [],
  cost: "nothing",
  run({ words }) {
    console.log(words);
    process.stdout.write(words);
    return { type: "items", items: [] };
  },
});
`;

test("only JSON-RPC is written to standard output, and a client that leaves ends everything", async () => {
  const waiting = Promise.withResolvers<string>();
  script = () => waiting.promise;
  await writeFile(join(folder, "noisy.ts"), NOISY);
  const args = [CLI, "mcp", ...flags(), "--module", "noisy.ts"];
  const child = execa(process.execPath, args, {
    ...{ cwd: folder, reject: false, env: { OPENAI_API_KEY: "sk-x" } },
  });
  const lines: { id?: number; result?: object }[] = [];
  child.stdout.on("data", (text) => {
    for (const line of String(text).split("\n").filter(Boolean)) lines.push(JSON.parse(line));
  });
  const send = (id: number, method: string, params: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  const reply = (id: number) =>
    expect.poll(() => lines.find((line) => line.id === id)?.result, { timeout: 20_000 });
  const clientInfo = { name: "raw", version: "1" };
  send(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  const call = (id: number, name: string, given: object) =>
    send(id, "tools/call", { name, arguments: given });
  child.stdin.write("this is not JSON\n");
  call(2, "shout", { video: "film.mp4", words: "printed by a tool" });
  call(3, "search_videos", { query: "x".repeat(200_000) });
  await reply(1).toMatchObject({ serverInfo: { name: "video-rrd" } });
  await reply(2).toMatchObject({ structuredContent: { evidence: [] } });
  await reply(3).toMatchObject({ isError: true });
  // An id of an earlier process is still known.
  call(6, "get_answer", { id: answered_id });
  await reply(6).toMatchObject({ structuredContent: { answer: "green" } });
  call(4, "ask_video", ask);
  await expect.poll(() => server.requests.length, { timeout: 20_000 }).toBe(1);
  call(5, "index_video", { video: "film.mp4" });
  child.stdin.end();
  const { exitCode, stderr } = await child;
  waiting.resolve("A");
  expect(exitCode).toBe(0);
  expect(stderr).toContain("printed while loading");
  expect(stderr).toContain("printed by a tool");
  await connected.client.close();
  await expect.poll(() => processesNaming(folder), { timeout: 5000 }).toEqual([]);
});
