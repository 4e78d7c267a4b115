import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { CallRecord } from "../../src/core/events.ts";
import { type Budget, createLedger, NO_BUDGET } from "../../src/core/ledger.ts";
import { readSettings } from "../../src/core/settings.ts";
import { createEmbeddings } from "../../src/models/embeddings.ts";
import type { ModelsOptions } from "../../src/models/models.ts";
import { embedderOf } from "../../src/models/name.ts";
import { openStore } from "../../src/storage/open.ts";
import { embeddingOf } from "../../src/testing/embedding.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { tempFolder } from "../support/temp.ts";
import { HASTY, memoryStore, VIDEO } from "./setup.ts";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(() => "");
});
beforeEach(() => {
  server.reset();
  server.answer(() => "");
});
afterAll(() => server.close());

const MODELS = [
  ["openai", "openai:nomic-embed-text"],
  ["google", "google-genai:gemini-embedding-001"],
] as const;

function rig(embeddings: string, more: Partial<ModelsOptions> & { budget?: Partial<Budget> } = {}) {
  const { budget, ...options } = more;
  const calls: CallRecord[] = [];
  const ledger = createLedger({ ...NO_BUDGET, ...budget });
  const made = createEmbeddings({
    store: memoryStore(),
    settings: readSettings({
      strategy: "agent",
      model: "openai:gpt-4.1",
      search: { embeddings },
      runtime: { base_url: server.url },
    }),
    emit: (_stage, body) => {
      if (body.type === "call") calls.push(body.call);
    },
    ledger,
    run: "run-1",
    patience: HASTY,
    ...options,
  });
  const embed = (...texts: string[]) =>
    made.embed(texts, { stage: "search", label: "what was found", video: VIDEO });
  return { ...made, embed, calls, ledger };
}

const numbers = (vectors: readonly Float32Array[]) => vectors.map((vector) => [...vector]);
const rounded = (text: string) => [...Float32Array.from(embeddingOf(text))];

test.each(MODELS)(
  "%s: a vector for each text in its order, equal texts sent once",
  async (protocol, model) => {
    const { embed, calls } = rig(model);
    const result = await embed("red car", "milk", "red car");
    expect(result.status === "embedded" && numbers(result.vectors)).toEqual([
      rounded("red car"),
      rounded("milk"),
      rounded("red car"),
    ]);
    expect(server.requests.map(({ kind, texts }) => ({ kind, texts }))).toEqual([
      { kind: "embeddings", texts: ["red car", "milk"] },
    ]);
    expect(server.requests[0]).toMatchObject({ protocol, model: model.split(":")[1] });
    expect(calls).toMatchObject([
      { role: "embedder", model, finish: "stop", cached: false, usage: { calls: 0, frames: 0 } },
    ]);
  },
);

test("embeddings are stored per text, for every run; only missing ones are sent and paid", async () => {
  const folder = await tempFolder();
  const store = await openStore(folder);
  const prices = { "openai:e": { input: 1_000_000, output: 0 } };
  try {
    const first = rig("openai:e", { store, prices });
    await first.embed("red car", "milk");
    const second = rig("openai:e", { store, prices, run: "run-2" });
    const result = await second.embed("milk", "bread", "red car");
    expect(server.requests.map(({ texts }) => texts)).toEqual([["red car", "milk"], ["bread"]]);
    expect(result.status === "embedded" && numbers(result.vectors)).toEqual(
      ["milk", "bread", "red car"].map(rounded),
    );
    const third = rig("openai:e", { store, prices, run: "run-3" });
    await third.embed("bread");
    expect(server.requests).toHaveLength(2);
    expect(third.calls[0]).toMatchObject({ cached: true, usage: { input: 2, cost: 2, paid: 0 } });
    // Same as without stored replies: the budget is reached at the same search.
    expect(second.ledger.spent()).toMatchObject({ calls: 0, tokens: 4, cost: 4 });
    await store.forget(VIDEO);
    await rig("openai:e", { store, prices, run: "run-4" }).embed("bread");
    expect(server.requests).toHaveLength(3);
  } finally {
    await store.close();
  }
});

test.each(MODELS)("%s: many texts go in several requests", async (_, model) => {
  const { embed } = rig(model);
  const texts = Array.from({ length: 230 }, (_, i) => `text number ${i}`);
  const result = await embed(...texts);
  expect(server.requests.map((request) => request.texts.length).sort()).toEqual(
    [100, 100, 30].sort(),
  );
  expect(result.status === "embedded" && numbers(result.vectors)).toEqual(texts.map(rounded));
});

test("a missing index is the place in the list", async () => {
  const data = [{ embedding: [1, 2] }, { index: 1, embedding: [3, 4] }];
  server.answer(() => ({ body: JSON.stringify({ data }) }));
  const result = await rig("openai:e").embed("red car", "milk");
  expect(result.status === "embedded" && numbers(result.vectors)).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

test.each([
  [
    400,
    "<400> InternalError.Algo.InvalidParameter: Value error, batch size is invalid, it should not be larger than 10.: input.contents",
  ],
  [413, "input batch size 136 > maximum allowed batch size 64"],
  [400, "Too many inputs. The max number of inputs is 10."],
])("a server that refuses by %i so many texts (%s) gets fewer at once", async (status, text) => {
  server.answer(({ texts }) =>
    texts.length > 10 ? { status, text } : { usage: { input: texts.length, output: 0 } },
  );
  const model = `openai:${text.length}-at-once`;
  const prices = { [model]: { input: 1_000_000, output: 0 } };
  const { embed, calls } = rig(model, { prices });
  const texts = Array.from({ length: 25 }, (_, i) => `text ${String(i).padStart(3, "0")}`);
  const sent = () => server.requests.map((request) => request.texts.length);
  const result = await embed(...texts);
  expect(result.status === "embedded" && numbers(result.vectors)).toEqual(texts.map(rounded));
  expect(sent()).toEqual([25, 13, 7, 6, 7, 5]);
  expect(calls).toMatchObject([{ usage: { input: 50, cost: 50, paid: 25 } }]);
  server.reset();
  await embed(...texts.slice(0, 20).map((one) => `${one}, later`));
  expect(sent().sort()).toEqual([6, 7, 7]);
});

test("a refusal of one text ends the request, also one of several texts", async () => {
  const text =
    "input (700 tokens) is too large to process. increase the physical batch size (current batch size: 512)";
  server.answer(() => ({ status: 400, text }));
  await expect(rig("openai:e").embed("red car", "milk")).rejects.toMatchObject({
    kind: "model-rejected",
  });
  expect(server.requests).toHaveLength(1);
});

test("a single text is not divided", async () => {
  server.answer(() => ({ status: 413, text: "batch size 1 > maximum allowed batch size 0" }));
  await expect(rig("openai:e").embed("red car")).rejects.toMatchObject({ kind: "model-rejected" });
  expect(server.requests).toHaveLength(1);
});

test.each([
  "vertex_ai does not support parameters: {'encoding_format': 'float'}, for model=m.",
  "Value 'float' supplied for argument 'encoding_format' is not valid -- accepted values are 'base64'",
])("a server that refuses encoding_format (%s) is asked without it from then on", async (text) => {
  server.answer(({ body }) => ("encoding_format" in (body as object) ? { status: 400, text } : ""));
  const { embed } = rig(`openai:${text.length}-without-format`);
  expect(await embed("red car")).toMatchObject({ status: "embedded" });
  expect(await embed("milk")).toMatchObject({ status: "embedded" });
  const formats = server.requests.map(
    ({ body }) => (body as { encoding_format?: string }).encoding_format,
  );
  expect(formats).toEqual(["float", undefined, undefined]);
});

test.each([404, 405, 501])(
  "a server that replies %i has no embeddings: reported once, and not asked again",
  async (status) => {
    server.answer(() => ({ status, text: "no such thing here" }));
    const { embed, ledger } = rig("openai:e");
    const result = await embed("red car");
    expect(result).toMatchObject({
      status: "none",
      why: expect.stringContaining("no such thing here"),
    });
    expect(await embed("milk")).toEqual(result);
    expect(server.requests).toHaveLength(1);
    expect(ledger.spent()).toMatchObject({ tokens: 0 });
  },
);

test.each(MODELS)("%s: an overload is retried, a refusal is not", async (_, model) => {
  let calls = 0;
  server.answer(() => (calls++ === 0 ? { status: 429, text: "busy" } : ""));
  expect(await rig(model).embed("red car")).toMatchObject({ status: "embedded" });
  expect(server.requests).toHaveLength(2);
  server.reset();
  server.answer(() => ({ status: 401, text: "who are you?" }));
  const refused = rig(model);
  await expect(refused.embed("red car")).rejects.toMatchObject({ kind: "model-rejected" });
  expect(server.requests).toHaveLength(1);
  expect(refused.calls).toMatchObject([{ finish: "failed", error: { kind: "model-rejected" } }]);
});

test.each([
  ["no JSON", "<html>"],
  ["a vector too few", JSON.stringify({ data: [{ index: 0, embedding: [1, 2] }] })],
  [
    "vectors of two lengths",
    JSON.stringify({
      data: [
        { index: 0, embedding: [1] },
        { index: 1, embedding: [1, 2] },
      ],
    }),
  ],
])("a body with %s is unusable", async (_, body) => {
  server.answer(() => ({ body }));
  await expect(rig("openai:e").embed("red car", "milk")).rejects.toMatchObject({
    kind: "model-unusable",
  });
});

test("a budget of tokens is checked before the request, one of calls is not", async () => {
  const spent = rig("openai:e", { budget: { tokens: 3 } });
  expect(await spent.embed("a text of more than twelve letters")).toEqual({
    status: "limit",
    limit: "tokens",
  });
  expect(server.requests).toHaveLength(0);
  const { embed } = rig("openai:e", { budget: { calls: 0 } });
  expect(await embed("red car")).toMatchObject({ status: "embedded" });
});

test("a stop ends the request and is not a failure of the server", async () => {
  const stop = new AbortController();
  server.answer(() => {
    stop.abort();
    return { delay_ms: 5000 };
  });
  const { embed, calls } = rig("openai:e", { signal: stop.signal });
  await expect(embed("red car")).rejects.toMatchObject({ kind: "cancelled" });
  expect(calls).toEqual([]);
});

test.each([
  ["its own address", { model: "openai:gpt-4.1" }, "openai:text-embedding-3-small"],
  ["Google's", { model: "google-genai:gemini-2.5-flash" }, "google-genai:gemini-embedding-001"],
  [
    "a server of one's own",
    { model: "openai:llava", runtime: { base_url: "http://127.0.0.1:1/v1" } },
    null,
  ],
  ["a name", { model: "openai:llava", search: { embeddings: "openai:bge-m3" } }, "openai:bge-m3"],
  ["off", { model: "openai:gpt-4.1", search: { embeddings: "off" } }, null],
])("which model embeds: %s", (_, settings, name) => {
  expect(embedderOf(readSettings({ strategy: "agent", ...settings }), {})).toBe(name);
});

test("without a model nothing is sent", async () => {
  const { name, embed } = rig("off");
  expect(name).toBeNull();
  expect(await embed("red car")).toMatchObject({ status: "none" });
  expect(server.requests).toHaveLength(0);
});
