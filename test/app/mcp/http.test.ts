import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addKey } from "../../../src/app/service/auth.ts";
import { NO_LIMITS } from "../../../src/app/service/options.ts";
import { openStore } from "../../../src/storage/open.ts";
import { agentTurns, call, composeFilm } from "../../support/agent-film.ts";
import { type ModelServer, type Script, startModelServer } from "../../support/model-server.ts";
import { makeShuffled } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { client as apiClient, type Rig, startRig } from "../service/rig.ts";
import { callEveryTool, callTool, childrenOf } from "./rig.ts";

let model: ModelServer;
let script: Script = () => "A";
let rig: Rig;
let video: string;
let keys: { ann: string; ben: string };

beforeAll(async () => {
  const data = await tempFolder();
  model = await startModelServer((request) => script(request));
  const store = await openStore(data);
  keys = {
    ann: await addKey(store.service, "ann", { ...NO_LIMITS, in_flight: 2 }),
    ben: await addKey(store.service, "ben", NO_LIMITS, ["review"]),
  };
  await store.close();
  rig = await startRig({
    data,
    auth: { by: "keys" },
    settings: {
      ...{ model: "openai:scripted", strategy: "agent", runtime: { base_url: model.url } },
      recognition: { max_side: 160, ocr: "off" },
    },
  });
  const film = await composeFilm(data);
  video = (await apiClient(rig.url, header(keys.ann)).upload(film, "film.mp4")).id;
});
afterAll(async () => {
  await rig.stop();
  await model.close();
});

const header = (key: string) => ({ authorization: `Bearer ${key}` });
const endpoint = () => new URL("/mcp", rig.url);

async function connect(key: string) {
  const transport = new StreamableHTTPClientTransport(endpoint(), {
    requestInit: { headers: header(key) },
  });
  const client = new Client({ name: "test", version: "1.0.0" }, { capabilities: { roots: {} } });
  await client.connect(transport);
  return { client, transport };
}

test("a key reaches its own videos by id, asks, and is told the verdict", async () => {
  const { client, transport } = await connect(keys.ann);
  const listed = await callTool(client, "list_videos", {});
  expect(listed.data).toMatchObject({ videos: [{ video, name: "film.mp4" }] });
  const answer = call("answer", { answer: "green", evidence: ["E25"] });
  script = agentTurns([call("view_frames", { from_s: 12, to_s: 14, count: 2 }), answer]);
  const answered = await callTool(client, "ask_video", { video, question: "Which colour?" });
  expect(answered.data).toMatchObject({ answer: "green", check: { verdict: "supported" } });
  const { page = "", id = "" } = answered.data as { page?: string; id?: string };
  const { contents } = await client.readResource({ uri: page });
  expect(contents[0]).toMatchObject({ mimeType: "text/html" });
  expect((await callTool(client, "get_answer", { id })).data).toMatchObject({ answer: "green" });
  const shown = await callTool(client, "view_frames", { video, from_s: 1, to_s: 2, count: 1 });
  expect(shown.images).toHaveLength(1);
  await transport.terminateSession();
  await expect(client.listTools()).rejects.toThrow(/session/i);
});

test("the evidence page of an order is listed by its goal", async () => {
  const api = apiClient(rig.url, header(keys.ann));
  const order = { task: "order", text: "", goal: "Make tea", settings: { strategy: "random" } };
  const clips = join(await tempFolder(), "clips.mp4");
  await makeShuffled(clips, 2);
  const { id } = await api.ask((await api.upload(clips, "clips.mp4")).id, order);
  expect((await api.ended(id)).state).toBe("answered");
  const { client } = await connect(keys.ann);
  const { resources } = await client.listResources();
  expect(resources[0]).toMatchObject({
    uri: expect.stringContaining(id),
    name: "Evidence: Order: Make tea",
  });
  await client.close();
});

test("paths, uploads of others and runs are not reachable, and errors name no path", async () => {
  const { client } = await connect(keys.ann);
  for (const given of ["/etc/passwd", "../film.mp4", "0".repeat(32)])
    expect(await callTool(client, "overview", { video: given })).toMatchObject({
      isError: true,
      text: "There is no video with this id.",
    });
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).not.toContain("list_runs");
  await expect(
    client.readResource({ uri: `video-rrd://frames/${"a".repeat(64)}` }),
  ).rejects.toThrow("no resource");
  await client.close();
});

test("keys, roles, origins and sessions are checked", async () => {
  const post = (headers: Record<string, string>, body: unknown = initialize) =>
    fetch(endpoint(), {
      method: "POST",
      headers: {
        ...{ accept: "application/json, text/event-stream", "content-type": "application/json" },
        ...headers,
      },
      body: JSON.stringify(body),
    });
  const statusOf = async (response: Promise<Response>) => {
    const { status, body } = await response;
    await body?.cancel();
    return status;
  };
  expect(await statusOf(post({}))).toBe(401);
  expect(await statusOf(post(header(keys.ben)))).toBe(403);
  expect(await statusOf(post({ ...header(keys.ann), origin: "http://evil.example" }))).toBe(403);
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  expect(await statusOf(post(header(keys.ann), ping))).toBe(400);
  const unknown = { ...header(keys.ann), "mcp-session-id": "x" };
  expect(await statusOf(post(unknown, ping))).toBe(404);
  const large = { ...ping, params: { text: "x".repeat(2 ** 20) } };
  expect(await statusOf(post(header(keys.ann), large))).toBe(413);
});

const initialize = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  },
};

test("cancelling or leaving ends the question, and nothing is left running", async () => {
  const waiting = Promise.withResolvers<void>();
  script = async () => {
    await waiting.promise;
    return "A";
  };
  model.reset();
  // A process of commands that all test files share may be there.
  const children = await childrenOf(process.pid);
  const { client, transport } = await connect(keys.ann);
  const leaving = new AbortController();
  const question = { video, question: "Which colour is it now?" };
  const asked = callTool(client, "ask_video", question, { signal: leaving.signal });
  await expect.poll(() => model.requests.length, { timeout: 10_000 }).toBe(1);
  leaving.abort();
  await expect(asked).rejects.toThrow();
  const api = apiClient(rig.url, header(keys.ann));
  const states = async () => (await api.questions(video)).map(({ state }) => state);
  await expect.poll(states, { timeout: 10_000 }).toEqual(["answered", "cancelled"]);
  const left = callTool(client, "ask_video", question);
  left.catch(() => undefined);
  await expect.poll(states, { timeout: 10_000 }).toEqual(["answered", "cancelled", "running"]);
  // The connection is closed in the middle, without a message.
  await transport.close();
  await expect.poll(states, { timeout: 10_000 }).toEqual(["answered", "cancelled", "cancelled"]);
  waiting.resolve();
  await expect.poll(() => childrenOf(process.pid), { timeout: 10_000 }).toEqual(children);
});

test("every tool can be called, and 50 calls at once are limited", async () => {
  const { client } = await connect(keys.ann);
  script = agentTurns([call("answer", { answer: "green", evidence: ["E1"] })]);
  const { data } = await callTool(client, "ask_video", { video, question: "Is it green?" });
  const failed = await callEveryTool(client, video, {
    ask_video: { question: "Is any part of it green?" },
    get_answer: { id: String(data.id) },
    get_evidence: { id: String(data.id) },
  });
  expect(failed).toEqual([]);
  const huge = await callTool(client, "search_videos", { query: "x".repeat(200_000) });
  expect(huge.text).toContain("Use at most 100000");

  const waiting = Promise.withResolvers<string>();
  script = () => waiting.promise;
  const api = apiClient(rig.url, header(keys.ann));
  const { id } = await api.ask(video, { text: "Is it blue?" });
  const calls = Array.from({ length: 50 }, () => callTool(client, "get_answer", { id, wait_s: 4 }));
  const results = await Promise.all(calls);
  expect(results.filter(({ text }) => text.includes("Too many calls at once"))).toHaveLength(18);
  expect(results.filter(({ data }) => data.status === "running")).toHaveLength(32);
  waiting.resolve("A");
  await client.close();
});

test("a search finds what was seen since the last session", async () => {
  const search = async () => {
    const { client, transport } = await connect(keys.ann);
    const { text } = await callTool(client, "search_evidence", { video, query: "lawn" });
    await transport.terminateSession();
    return text;
  };
  expect(await search()).not.toContain("A green lawn");
  const { client } = await connect(keys.ann);
  const answer = { answer: "a lawn", evidence: ["E25"], seen: "A green lawn fills the picture." };
  script = agentTurns([
    call("view_frames", { from_s: 12, to_s: 14, count: 2 }),
    call("answer", answer),
  ]);
  await callTool(client, "ask_video", { video, question: "What fills the picture?" });
  await client.close();
  expect(await search()).toContain("A green lawn fills the picture.");
});
