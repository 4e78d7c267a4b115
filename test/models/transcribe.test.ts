import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { isFailure } from "../../src/core/errors.ts";
import { findTarget } from "../../src/models/target.ts";
import { transcribeSound } from "../../src/models/transcribe.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { HASTY } from "./setup.ts";

let server: ModelServer;

beforeAll(async () => {
  server = await startModelServer(() => "");
});

beforeEach(() => server.reset());

afterAll(() => server.close());

const plain = { confidence: null, speaker: null };

const sound = {
  bytes: new TextEncoder().encode("RIFF"),
  mime: "audio/wav",
  name: "a.wav",
  seconds: 30,
};

function transcribe(signal = new AbortController().signal, timeout_s = 20) {
  const target = findTarget("openai:whisper-1", { base_url: server.url });
  return transcribeSound(target, sound, {
    language: "en",
    timeout_s,
    connections: 2,
    signal,
    patience: HASTY,
  });
}

async function failureKind(work: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  return isFailure(error) ? error.kind : undefined;
}

test("sends the sound and reads the segments, in seconds of the sound", async () => {
  server.answer(() => ({
    text: "one two",
    segments: [
      { start: 0.5, end: 2, text: " one " },
      { start: 2, end: 99, text: "two\n three" },
      { start: 30, end: 31, text: "  " },
    ],
  }));
  expect(await transcribe()).toEqual([
    { start_s: 0.5, end_s: 2, text: "one", ...plain },
    { start_s: 2, end_s: 30, text: "two three", ...plain },
  ]);
  const [request] = server.requests;
  expect(request).toMatchObject({
    kind: "transcription",
    model: "whisper-1",
    format: "verbose_json",
  });
  expect(request?.audios[0]?.toString()).toBe("RIFF");
});

test("a server without segments gives one segment, and silence gives none", async () => {
  server.answer(() => ({ text: "all of it" }));
  expect(await transcribe()).toEqual([{ start_s: 0, end_s: 30, text: "all of it", ...plain }]);
  const heard = { start: 0, end: 5, text: "Thanks for watching!" };
  const segments = [
    { ...heard, no_speech_prob: 0.9, avg_logprob: -1.4 },
    { ...heard, no_speech_prob: 0.9, avg_logprob: -0.2, text: "sure" },
  ];
  server.answer(() => ({ body: JSON.stringify({ text: "", segments }) }));
  expect(await transcribe()).toEqual([{ start_s: 0, end_s: 5, text: "sure", ...plain }]);
});

test("is retried on an overload, but not on a refusal", async () => {
  let calls = 0;
  server.answer(() => (calls++ === 0 ? { status: 429, text: "busy" } : { text: "now" }));
  expect(await transcribe()).toHaveLength(1);
  expect(server.requests).toHaveLength(2);
  server.reset();
  server.answer(() => ({ status: 400, text: "response_format is not supported" }));
  expect(await failureKind(transcribe())).toBe("model-rejected");
  expect(server.requests).toHaveLength(1);
});

test.each([
  ["model-unusable", { body: "<html>" }],
  ["model-unreachable", { drop: "before" }],
  ["model-unreachable", { drop: "middle", text: "half" }],
  ["model-overloaded", { status: 500, text: "no" }],
] as const)("fails as %s if the server behaves like %o", async (kind, reply) => {
  server.answer(() => reply);
  expect(await failureKind(transcribe())).toBe(kind);
});

test("can be cancelled, and times out", async () => {
  server.answer(() => ({ text: "late", delay_ms: 5000 }));
  const stop = new AbortController();
  const working = transcribe(stop.signal);
  setTimeout(() => stop.abort(), 50);
  expect(await failureKind(working)).toBe("cancelled");
  expect(await failureKind(transcribe(undefined, 0.03))).toBe("model-unreachable");
});
