import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { Command, MemorySaver } from "@langchain/langgraph";
import { context as otelContext, trace } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { ask } from "../../graphs/ask.ts";
import { askGraph } from "../../graphs/ask-graph.ts";
import type { Store } from "../../src/core/contracts.ts";
import { openStore } from "../../src/storage/open.ts";
import { withPrivateTraces } from "../../src/tracing/private-langsmith.ts";
import { agentTurns, call, composeFilm } from "../support/agent-film.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { tempFolder } from "../support/temp.ts";

/** Words of the subtitles, of the question, and of what the model says. */
const WORDS = ["green part", "voice want", "turquoise", "Ignore the question"];

let folder: string;
let film: string;
let store: Store;
let model: ModelServer;
let langsmith: { server: Server; bodies: string[] };
const exporter = new InMemorySpanExporter();

beforeAll(async () => {
  folder = await tempFolder();
  film = await composeFilm(folder);
  store = await openStore(join(folder, "store"));
  model = await startModelServer(() => "B");
  langsmith = await startLangSmith();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  trace.setGlobalTracerProvider(provider);
});
afterEach(() => {
  vi.unstubAllEnvs();
  exporter.reset();
});
afterAll(async () => {
  trace.disable();
  otelContext.disable();
  await model.close();
  await store.close();
  await new Promise((done) => langsmith.server.close(done));
});

async function startLangSmith() {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const bytes = Buffer.concat(chunks);
      const unpack = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync }[
        request.headers["content-encoding"] ?? ""
      ];
      bodies.push(String(unpack === undefined ? bytes : unpack(bytes)));
      response.setHeader("content-type", "application/json");
      response.end(request.url?.endsWith("/info") ? '{"batch_ingest_config":{}}' : "{}");
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { server, bodies };
}

let asked = 0;
async function askAgent(runtime: object = {}) {
  model.reset();
  model.answer(
    agentTurns([
      call("view_frames", { from_s: 11, to_s: 14, count: 3, seen: "a turquoise hallway" }),
      call("search_evidence", { query: "green" }),
      call("answer", { answer: "B", evidence: ["E1"], confidence: 0.5 }),
    ]),
  );
  return ask(
    film,
    { text: `What does the voice want (${++asked})?`, options: ["A lamp", "A green part"] },
    {
      store,
      settings: {
        strategy: "agent",
        model: "openai:scripted",
        recognition: { max_side: 160 },
        runtime: { base_url: model.url, ...runtime },
      },
    },
  );
}

const sum = (numbers: readonly unknown[]) =>
  numbers.reduce<number>((total, number) => total + Number(number ?? 0), 0);

test("an agent's question is one tree of spans, whose tokens are those of the answer", async () => {
  const { answer } = await askAgent();
  const spans = exporter.getFinishedSpans();
  const [root, ...others] = spans.filter((span) => span.parentSpanContext === undefined);
  expect(others).toEqual([]);
  expect(root?.name).toBe("invoke_agent agent");
  const ids = new Set(spans.map((span) => span.spanContext().spanId));
  const isInTree = ({ parentSpanContext: parent }: ReadableSpan) =>
    parent === undefined || ids.has(parent.spanId);
  expect(spans.every(isInTree)).toBe(true);
  expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1);
  const calls = spans.filter(({ attributes }) => attributes["gen_ai.operation.name"] === "chat");
  expect(calls).toHaveLength(answer.usage.calls);
  expect(sum(calls.map(({ attributes }) => attributes["gen_ai.usage.input_tokens"]))).toBe(
    answer.usage.input,
  );
  expect(sum(calls.map(({ attributes }) => attributes["gen_ai.usage.output_tokens"]))).toBe(
    answer.usage.output,
  );
  expect(calls[0]?.attributes).toMatchObject({
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": "scripted",
  });
  const tools = spans.flatMap(({ attributes }) => attributes["gen_ai.tool.name"] ?? []);
  expect(tools).toEqual(expect.arrayContaining(["view_frames", "search_evidence"]));
  expect(root?.attributes["video_rrd.usage.calls"]).toBe(answer.usage.calls);
  const text = JSON.stringify(spans.map(({ name, attributes }) => ({ name, attributes })));
  for (const word of WORDS) expect(text).not.toContain(word);
});

test("a question asked within a span of the program is a child of that span", async () => {
  const { AsyncLocalStorageContextManager } = await contextManager();
  otelContext.setGlobalContextManager(new AsyncLocalStorageContextManager());
  const outer = trace.getTracer("program").startSpan("request");
  await otelContext.with(trace.setSpan(otelContext.active(), outer), () => askAgent());
  const root = exporter.getFinishedSpans().find(({ name }) => name === "invoke_agent agent");
  expect(root?.parentSpanContext?.spanId).toBe(outer.spanContext().spanId);
  otelContext.disable();
});

/** A context manager as programs register it, by the interface of `@opentelemetry/api`. */
async function contextManager() {
  const { AsyncLocalStorage } = await import("node:async_hooks");
  const { ROOT_CONTEXT } = await import("@opentelemetry/api");
  class AsyncLocalStorageContextManager {
    storage = new AsyncLocalStorage<typeof ROOT_CONTEXT>();
    active = () => this.storage.getStore() ?? ROOT_CONTEXT;
    with = <A extends unknown[], F extends (...args: A) => ReturnType<F>>(
      context: typeof ROOT_CONTEXT,
      work: F,
      thisArg?: ThisParameterType<F>,
      ...args: A
    ): ReturnType<F> => this.storage.run(context, () => work.call(thisArg as never, ...args));
    bind = <T>(_: typeof ROOT_CONTEXT, target: T): T => target;
    enable = () => this;
    disable = () => this;
  }
  return { AsyncLocalStorageContextManager };
}

test("--trace-file has one OTLP request per line, with words only if --trace-content is set", async () => {
  const plain = join(folder, "plain.jsonl");
  const full = join(folder, "full.jsonl");
  await askAgent({ trace_file: plain });
  await askAgent({ trace_file: full, trace_content: true });
  const spansOf = async (path: string) =>
    (await readFile(path, "utf8"))
      .trim()
      .split("\n")
      .flatMap((line) => JSON.parse(line).resourceSpans[0].scopeSpans[0].spans);
  const spans = await spansOf(plain);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(spans.filter(({ parentSpanId }) => parentSpanId === undefined)).toHaveLength(1);
  for (const span of spans) {
    expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
    expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
  }
  const words = JSON.stringify(spans);
  for (const word of WORDS) expect(words).not.toContain(word);
  expect(JSON.stringify(await spansOf(full))).toContain("voice want");
});

test("a trace file that cannot be written is an error that names it", async () => {
  await expect(askAgent({ trace_file: folder })).rejects.toThrow(folder);
});

/** Runs and words that arrive at LangSmith during `work`, which asks so many questions. */
async function sentToLangSmith(work: () => Promise<unknown>, questions = 1): Promise<string> {
  const { address, port } = langsmith.server.address() as AddressInfo;
  vi.stubEnv("LANGSMITH_TRACING", "true");
  vi.stubEnv("LANGSMITH_ENDPOINT", `http://${address}:${port}`);
  vi.stubEnv("LANGSMITH_API_KEY", "ls-not-a-key");
  langsmith.bodies.length = 0;
  await work();
  await vi.waitFor(() => expect(langsmith.bodies.join("")).toContain('"end_time"'), 10_000);
  // The root run of a question ends last.
  const ended = /"name":"agent"[^}]*"end_time"/g;
  await vi.waitFor(
    () =>
      expect([...langsmith.bodies.join("").matchAll(ended)].length).toBeGreaterThanOrEqual(
        questions,
      ),
    10_000,
  );
  return langsmith.bodies.join("\n");
}

test("questions asked at once are separate trees, though their calls wait for one connection", async () => {
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => askAgent({ max_connections: 1 })),
  );
  const spans = exporter.getFinishedSpans();
  const roots = spans.filter((span) => span.parentSpanContext === undefined);
  expect(roots).toHaveLength(answers.length);
  const sent = await sentToLangSmith(
    () => Promise.all(Array.from({ length: 4 }, () => askAgent({ max_connections: 1 }))),
    4,
  );
  const traces = (name: string) =>
    [...sent.matchAll(new RegExp(`"name":"${name}"[^}]*"trace_id":"([^"]+)"`, "g"))].map(
      ([, id]) => id,
    );
  expect(new Set(traces("agent")).size).toBe(4);
  expect(new Set(traces("openai:scripted"))).toEqual(new Set(traces("agent")));
});

test("with --trace-content LangSmith gets the words", async () => {
  const sent = await sentToLangSmith(() => askAgent({ trace_content: true }));
  expect(sent).toContain("green part");
  expect(sent).not.toMatch(/[A-Za-z0-9+/]{300}/);
});

test("LangSmith gets runs with hashes and sizes in place of words, pictures and replies", async () => {
  const sent = await sentToLangSmith(() => askAgent());
  expect(sent).toContain('"name":"agent"');
  expect(sent).toContain('"name":"openai:scripted"');
  expect(sent).toMatch(/\[sha256 [0-9a-f]{64}, \d+ characters\]/);
  for (const word of WORDS) expect(sent).not.toContain(word);
  expect(sent).not.toMatch(/base64,|[A-Za-z0-9+/]{300}/);
});

test("a graph that pauses for a person is continued while traces are private", async () => {
  const graph = await askGraph({ checkpointer: new MemorySaver(), store });
  const thread = { configurable: { thread_id: "1" } };
  const question = {
    text: `What does the voice want (${++asked})?`,
    options: ["A lamp", "A part"],
  };
  const settings = {
    strategy: "direct",
    model: "openai:scripted",
    runtime: { base_url: model.url },
  };
  model.answer(() => "B");
  const sent = await sentToLangSmith(async () => {
    const input = { video: film, question, settings, review: "answer" } as const;
    const paused = await withPrivateTraces(() => graph.invoke(input, thread));
    expect(paused).toMatchObject({ __interrupt__: [{ value: { answer: "B" } }] });
    const resume: unknown = { answer: "A", note: "a turquoise hallway" };
    const { answer } = await withPrivateTraces(() => graph.invoke(new Command({ resume }), thread));
    expect(answer).toMatchObject({ answer: "A", usage: { calls: 1 } });
  }, 0);
  for (const word of WORDS) expect(sent).not.toContain(word);
});
