import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RESULT_MS } from "../../../src/app/mcp/result-time.ts";
import { DEFAULT_TIMEOUTS } from "../../../src/app/service/options.ts";
import { agentTurns, call, composeFilm } from "../../support/agent-film.ts";
import { type ModelServer, type Script, startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { type Rig, startRig } from "../service/rig.ts";
import { callTool } from "./rig.ts";

const SHORT_MS = 300;

let folder: string;
let film: string;
let model: ModelServer;
let script: Script;
let rig: Rig;

beforeAll(async () => {
  folder = await tempFolder();
  film = await composeFilm(folder);
  model = await startModelServer((request) => script(request));
  rig = await startRig({
    settings: {
      ...{ strategy: "agent", model: "openai:scripted", search: { verify: false } },
      recognition: { max_side: 160, ocr: "off" },
      runtime: { base_url: model.url },
    },
    timeouts: { ...DEFAULT_TIMEOUTS, grace_ms: 200, result_ms: SHORT_MS },
  });
});
afterAll(async () => {
  await rig.stop();
  await model.close();
});

test("calls return before the 60 s after which desktop clients give up", () => {
  expect(RESULT_MS).toBe(38_000);
  expect(DEFAULT_TIMEOUTS.result_ms).toBe(RESULT_MS);
});

async function overStdio() {
  const program = join(import.meta.dirname, "../../support/mcp-short-wait.ts");
  const args = [program, folder, model.url, String(SHORT_MS)];
  const env = { PATH: process.env.PATH ?? "", OPENAI_API_KEY: "sk-x" };
  return {
    transport: new StdioClientTransport({ command: process.execPath, args, env }),
    video: "film.mp4",
  };
}

async function overHttp(): Promise<{ transport: Transport; video: string }> {
  const { id } = await rig.upload(film, "film.mp4");
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", rig.url));
  return { transport: transport as Transport, video: id };
}

test.each([
  ["standard input and output", overStdio],
  ["HTTP", overHttp],
])("over %s, an answer that takes longer is waited for by get_answer", async (way, connect) => {
  const { transport, video } = await connect();
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  const thinking = Promise.withResolvers<void>();
  const answer = call("answer", { answer: "green", evidence: ["E1"] });
  script = agentTurns([
    async () => {
      await thinking.promise;
      return answer;
    },
    answer,
  ]);
  const timed = async (name: string, given: Record<string, unknown>) => {
    const began = performance.now();
    const result = await callTool(client, name, given);
    return { ...result, ms: performance.now() - began };
  };
  const asked = await timed("ask_video", { video, question: `Which colour is it, ${way}?` });
  expect(asked.data).toMatchObject({ status: "running", answer: null });
  expect(asked.ms).toBeGreaterThanOrEqual(SHORT_MS - 20);
  const id = String(asked.data.id);
  expect(asked.text).toContain(`Call get_answer with the id ${id}`);

  const at_once = await timed("get_answer", { id, wait_s: 0 });
  expect(at_once.data).toMatchObject({ id, status: "running" });
  const later = await timed("get_answer", { id, wait_s: 0.5 });
  expect(later.data).toMatchObject({ id, status: "running" });
  expect(later.ms).toBeGreaterThanOrEqual(480);
  expect(later.ms).toBeLessThan(10_000);
  for (const wait_s of [50.1, -1, 1e9])
    expect(await callTool(client, "get_answer", { id, wait_s })).toMatchObject({ isError: true });

  const waiting = timed("get_answer", { id, wait_s: 50 });
  thinking.resolve();
  const answered = await waiting;
  expect(answered.data).toMatchObject({ id, status: "answered", answer: "green" });
  expect(answered.ms).toBeLessThan(30_000);
  await client.close();
});
