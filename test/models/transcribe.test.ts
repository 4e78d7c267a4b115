import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { isFailure } from "../../src/core/errors.ts";
import type { CallRecord } from "../../src/core/events.ts";
import { createLedger, NO_BUDGET } from "../../src/core/ledger.ts";
import { readSettings } from "../../src/core/settings.ts";
import type { ModelsOptions } from "../../src/models/models.ts";
import type { TranscriptionReply } from "../../src/models/speech.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { memoryStore, transcribe } from "./setup.ts";

let server: ModelServer;
/** Another name for the same server, since a client remembers the formats that a server refuses. */
let fresh = 0;

beforeAll(async () => {
  server = await startModelServer(() => "");
});

beforeEach(() => {
  server.reset();
  fresh++;
});

afterAll(() => server.close());

type Options = Partial<ModelsOptions> & { runtime?: Record<string, unknown> };

async function heard(more: Options = {}): Promise<TranscriptionReply> {
  const url = server.url.replace("/v1", `/${fresh}/v1`);
  const result = await transcribe(url, more);
  if (result.status === "limit") throw new Error(`limit of ${result.limit}`);
  return result.reply;
}

async function failureOf(work: Promise<unknown>) {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  return isFailure(error) ? error : undefined;
}

const plain = { confidence: null, speaker: null };

test("sends the sound and reads segments, words and confidence, in seconds of the sound", async () => {
  server.answer(() => ({
    text: "one two",
    segments: [
      { start: 0.5, end: 2, text: " one ", avg_logprob: Math.log(0.5) },
      { start: 2, end: 99, text: "two\n three", no_speech_prob: 0.25 },
      { start: 30, end: 31, text: "  " },
    ],
    words: [{ word: "one", start: 0.5, end: 1.5 }],
  }));
  expect(await heard()).toEqual({
    segments: [
      {
        ...{ start_s: 0.5, end_s: 2, text: "one", confidence: 0.5, speaker: null },
        words: [{ start_s: 0.5, end_s: 1.5, text: "one" }],
      },
      { start_s: 2, end_s: 30, text: "two three", confidence: 0.75, speaker: null },
    ],
    isTimed: true,
    silent: 0,
  });
  const [request] = server.requests;
  expect(request).toMatchObject({
    kind: "transcription",
    model: "whisper-1",
    format: "verbose_json",
    body: { "timestamp_granularities[]": ["segment", "word"], temperature: ["0"] },
  });
  expect(request?.audios[0]?.toString()).toBe("RIFF");
});

test("a format that the server refuses is replaced by a simpler one, once", async () => {
  server.answer(({ format }) =>
    format === "json" ? { text: "all of it" } : { status: 400, text: "response_format: use json" },
  );
  const whole = { segments: [{ start_s: 0, end_s: 30, text: "all of it", ...plain }] };
  expect(await heard()).toEqual({ ...whole, isTimed: false, silent: 0 });
  expect(server.requests.map(({ format }) => format)).toEqual([
    "verbose_json",
    "verbose_json",
    "json",
  ]);
  await heard();
  expect(server.requests).toHaveLength(4);
});

test("a text with an empty list of segments has no times", async () => {
  server.answer(() => ({ text: "all of it", segments: [] }));
  expect(await heard()).toEqual({
    segments: [{ start_s: 0, end_s: 30, text: "all of it", ...plain }],
    isTimed: false,
    silent: 0,
  });
});

test.each(["", " "])("an empty list of segments with the text %j is silence", async (text) => {
  server.answer(() => ({ text, segments: [] }));
  expect(await heard()).toEqual({ segments: [], isTimed: true, silent: 0 });
});

test.each<[string, unknown, unknown]>([
  [
    "LocalAI's nanoseconds",
    { text: "one", segments: [{ start: 1.5e9, end: 3e9, text: "one" }] },
    [{ start_s: 1.5, end_s: 3, text: "one", ...plain }],
  ],
  [
    "whisper.cpp's words within segments, of which one has no times",
    {
      text: "one two",
      segments: [
        {
          ...{ start: 1, end: 3, text: " one two" },
          words: [
            { word: " one", start: 1, end: 1.5, probability: 0.9 },
            { word: " two", start: 2, end: 3, probability: 0.7 },
            { word: "?" },
          ],
        },
      ],
    },
    [
      {
        ...{ start_s: 1, end_s: 3, text: "one two", confidence: 0.8, speaker: null },
        words: [
          { start_s: 1, end_s: 1.5, text: "one" },
          { start_s: 2, end_s: 3, text: "two" },
        ],
      },
    ],
  ],
  [
    "speakers",
    { text: "a b", segments: [{ start: 0, end: 1, text: "a", speaker: "A" }] },
    [{ start_s: 0, end_s: 1, text: "a", confidence: null, speaker: "A" }],
  ],
  [
    "words with an empty list of segments",
    { text: "one", segments: [], words: [{ word: "one", start: 1, end: 1.4 }] },
    [{ start_s: 1, end_s: 1.4, text: "one" }],
  ],
  [
    "words without segments, cut at pauses",
    {
      text: "one two three",
      words: [
        { word: "one", start: 1, end: 1.4 },
        { word: "two", start: 1.5, end: 2 },
        { word: "three", start: 9, end: 9.5 },
      ],
    },
    [
      { start_s: 1, end_s: 2, text: "one two" },
      { start_s: 9, end_s: 9.5, text: "three" },
    ],
  ],
])("reads %s", async (_name, body, expected) => {
  server.answer(() => ({ body: JSON.stringify(body) }));
  expect((await heard()).segments).toMatchObject(expected as object);
});

test("a model that tells speakers apart is asked for them", async () => {
  server.answer(() => ({ text: "", segments: [] }));
  const settings = readSettings({
    recognition: { transcriber: "openai:gpt-4o-transcribe-diarize" },
    runtime: { transcriber_url: server.url },
  });
  await heard({ settings });
  expect(server.requests[0]).toMatchObject({
    format: "diarized_json",
    body: { chunking_strategy: ["auto"] },
  });
});

test("the language that is spoken is sent, and stored apart from the sound without it", async () => {
  server.answer(() => ({ text: "ja" }));
  const store = memoryStore();
  const keys = new Set<string>();
  const inLanguage = (speech_language: string | null) =>
    heard({
      store,
      settings: readSettings({
        recognition: { transcriber: "openai:whisper-1", speech_language },
        runtime: { transcriber_url: server.url.replace("/v1", `/${fresh}/v1`) },
      }),
      emit: (_stage, body) => {
        if (body.type === "call") keys.add(body.call.key);
      },
    });
  for (const language of [null, "de", "pt-BR", "de", null]) await inLanguage(language);
  const sent = server.requests.map(({ body }) => (body as { language?: string[] }).language);
  expect(sent).toEqual([undefined, ["de"], ["pt-BR"]]);
  expect(keys.size).toBe(3);
});

test("what the server marks as silence is left out and counted", async () => {
  const said = { start: 0, end: 5, text: "Thanks for watching!" };
  const segments = [
    { ...said, no_speech_prob: 0.9, avg_logprob: -1.4 },
    { ...said, no_speech_prob: 0.9, avg_logprob: -0.2, text: "sure" },
  ];
  server.answer(() => ({ text: "", segments }));
  const { segments: kept, silent } = await heard();
  expect(kept.map(({ text }) => text)).toEqual(["sure"]);
  expect(silent).toBe(1);
});

test("is retried on an overload, but not on a refusal", async () => {
  let calls = 0;
  server.answer(() => (calls++ === 0 ? { status: 429, text: "busy" } : { text: "now" }));
  expect((await heard()).segments).toHaveLength(1);
  expect(server.requests).toHaveLength(2);
  server.reset();
  server.answer(() => ({ status: 401, text: "no key" }));
  expect((await failureOf(heard()))?.kind).toBe("model-rejected");
  expect(server.requests).toHaveLength(1);
});

test.each([
  ["model-unusable", { body: "<html>" }],
  ["model-unreachable", { drop: "before" }],
  ["model-unreachable", { drop: "middle", text: "half" }],
  ["model-overloaded", { status: 500, text: "no" }],
  ["media-limit", { status: 413, text: "Request Entity Too Large" }],
] as const)("fails as %s if the server behaves like %o", async (kind, reply) => {
  server.answer(() => reply);
  expect((await failureOf(heard()))?.kind).toBe(kind);
});

test("can be cancelled, and times out", async () => {
  server.answer(() => ({ text: "late", delay_ms: 5000 }));
  const stop = new AbortController();
  const working = heard({ signal: stop.signal });
  setTimeout(() => stop.abort(), 50);
  expect((await failureOf(working))?.kind).toBe("cancelled");
  const late = await failureOf(heard({ runtime: { call_timeout_s: 0.03 } }));
  expect(late?.kind).toBe("model-unreachable");
});

test("is priced by the minute, stored or not, within the limit of dollars", async () => {
  server.answer(() => ({ text: "now" }));
  const store = memoryStore();
  const calls: CallRecord[] = [];
  const ledger = createLedger({ ...NO_BUDGET, cost: 0.007 });
  const more: Options = {
    ...{ store, ledger },
    emit: (_stage, body) => {
      if (body.type === "call") calls.push(body.call);
    },
  };
  await heard(more);
  await heard(more);
  expect(server.requests).toHaveLength(1);
  expect(calls.map(({ role, cached, usage }) => [role, cached, usage.cost, usage.paid])).toEqual([
    ["transcriber", false, 0.003, 0.003],
    ["transcriber", true, 0.003, 0],
  ]);
  await expect(heard(more)).rejects.toThrow("limit of cost");
});
