import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { Failure } from "../../src/core/errors.ts";
import { seeded } from "../../src/core/random.ts";
import type { Models } from "../../src/models/chat.ts";
import { type Reply, startModelServer } from "../support/model-server.ts";
import { ask, BOTH, HASTY, rig } from "./setup.ts";

const server = await startModelServer(() => "A");
afterAll(() => server.close());
beforeEach(() => server.reset());

async function failureOf(models: Models): Promise<Failure> {
  try {
    await models.call(ask(["?"]));
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("expected a failure");
}

async function textOf(models: Models): Promise<string> {
  const result = await models.call(ask(["?"]));
  return result.status === "replied" ? result.reply.text : result.limit;
}

const PASSING: [string, Reply][] = [
  ["429", { status: 429 }],
  ["429 with Retry-After in seconds", { status: 429, headers: { "retry-after": "0" } }],
  [
    "429 with Retry-After as a date",
    { status: 429, headers: { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" } },
  ],
  ["408", { status: 408 }],
  ["409", { status: 409 }],
  ["500", { status: 500 }],
  ["429 about a quota", { status: 429, text: "You exceeded your current quota, check billing" }],
  ["503", { status: 503 }],
  ["529", { status: 529 }],
  ["a connection dropped before the reply", { drop: "before" }],
  ["a connection dropped in the middle of it", { text: "Correct order", drop: "middle" }],
  ["an empty reply", { empty: true }],
  ["an empty body", { body: "" }],
  ["half a body", { body: '{"choices":[{"mess' }],
  ["a reply without choices", { body: '{"choices":[],"candidates":[]}' }],
];

describe.each(BOTH)("$model", ({ protocol, model }) => {
  test.each(PASSING)("%s is retried", async (_name, fault) => {
    server.answer(({ index }) => (server.chats()[0]?.index === index ? fault : "B"));
    const { models, calls } = rig(server, model);
    expect(await textOf(models)).toBe("B");
    expect(server.chats()).toHaveLength(2);
    expect(calls).toHaveLength(1);
  });

  test.each([400, 401, 403, 404, 413, 422])(
    "%i is an error of the request: one request, one sentence",
    async (status) => {
      server.answer(() => ({ status, text: "too\nmany images" }));
      const { models, calls, ledger } = rig(server, model);
      const failure = await failureOf(models);
      expect(failure.kind).toBe("model-rejected");
      expect(failure.message).toContain(`status ${status}`);
      expect(failure.message).toContain("too many images");
      expect(failure.message).not.toContain("\n");
      expect(failure.facts.status).toBe(status);
      if (status === 401)
        expect(failure.message).toContain(
          protocol === "openai" ? "OPENAI_API_KEY" : "GOOGLE_API_KEY",
        );
      expect(server.chats()).toHaveLength(1);
      expect(calls[0]?.error?.kind).toBe("model-rejected");
      expect(ledger.spent().calls).toBe(0);
    },
  );

  if (protocol === "openai") {
    test("an error in the body of a 200 has its own status and message", async () => {
      const body = JSON.stringify({ error: { code: 402, message: "Insufficient credits" } });
      server.answer(() => ({ body }));
      const failure = await failureOf(rig(server, model).models);
      expect(failure.kind).toBe("model-rejected");
      expect(failure.message).toContain("status 402. Server response: Insufficient credits");
      expect(server.chats()).toHaveLength(1);
    });

    test.each([
      ["that names 429", { code: 429, message: "busy" }],
      ["without a status", { code: "upstream_error", message: "provider gone" }],
      ["without a code", { message: "provider gone" }],
      ["in one word", "overloaded"],
    ])("an error in the body of a 200 %s is retried", async (_name, error) => {
      server.answer(({ index }) =>
        server.chats()[0]?.index === index ? { body: JSON.stringify({ error }) } : "B",
      );
      expect(await textOf(rig(server, model).models)).toBe("B");
      expect(server.chats()).toHaveLength(2);
    });
  }

  test.each([
    "This model's maximum context length is 8192 tokens, yours has 9000",
    "context_length_exceeded",
    "tool_calls must be followed by tool messages",
  ])("400 %j shows the server's message, without a second request", async (text) => {
    server.answer(() => ({ status: 400, text }));
    const failure = await failureOf(rig(server, model).models);
    expect(failure.kind).toBe("model-rejected");
    expect(failure.message).toBe(
      `${model} refused the request: ${server.url} returned status 400. Server response: ${text}`,
    );
    expect(server.chats()).toHaveLength(1);
  });

  test("a server that stays overloaded ends with its own message after the last attempt", async () => {
    server.answer(() => ({ status: 429, text: "tokens per minute" }));
    const { models } = rig(server, model, { patience: { ...HASTY, retries: 2 } });
    const failure = await failureOf(models);
    expect(failure.kind).toBe("model-overloaded");
    expect(failure.message).toContain("tokens per minute");
    expect(server.chats()).toHaveLength(3);
  });

  test.each([{}, { headers: { "content-length": "0" } }])(
    "bodies that stay empty are said to be empty (headers %j)",
    async (more) => {
      server.answer(() => ({ body: "", ...more }));
      const { models } = rig(server, model, { patience: { ...HASTY, retries: 2 } });
      const failure = await failureOf(models);
      expect(failure.kind).toBe("model-unusable");
      expect(failure.message).toMatch(/it sent a body that is not .*(empty|end of JSON input)/);
    },
  );

  test("connections that always drop end as unreachable", async () => {
    server.answer(() => ({ drop: "before" }));
    const { models } = rig(server, model, { patience: { ...HASTY, retries: 2 } });
    expect((await failureOf(models)).kind).toBe("model-unreachable");
    expect(server.chats()).toHaveLength(3);
  });

  test("replies that stay empty are a result, stored for this run", async () => {
    server.answer(() => ({ empty: true, usage: { input: 1000, output: 0 } }));
    const { models } = rig(server, model);
    const first = await models.call(ask(["?"]));
    expect(first).toMatchObject({ status: "replied", reply: { finish: "empty", text: "" } });
    const asked = server.chats().length;
    expect(asked).toBe(6);
    if (first.status === "replied" && first.usage.cost !== null)
      expect(first.usage.paid).toBeCloseTo(first.usage.cost * asked, 9);
    expect(await models.call(ask(["?"]))).toMatchObject({ cached: true });
    expect(server.chats()).toHaveLength(asked);
  });

  test("broken replies are retried, then returned", async () => {
    server.answer(() => ({ text: "half of", finish: protocol === "openai" ? "abort" : "OTHER" }));
    const { models } = rig(server, model);
    const result = await models.call(ask(["?"]));
    expect(result).toMatchObject({ reply: { finish: "broken", text: "half of" } });
    expect(server.chats()).toHaveLength(6);
  });

  test.each([
    ["a body of another schema", '{"hello":"world"}'],
    ["a page", "<!doctype html><title>It works</title>"],
    ["half of a JSON text", '{"choices":[{"mess'],
    ["null", "null"],
  ])("%s is unusable", async (_name, body) => {
    server.answer(() => ({ body }));
    const { models } = rig(server, model);
    const failure = await failureOf(models);
    expect(failure.kind).toBe("model-unusable");
    expect(failure.message).toContain("base URL");
    expect(server.chats()).toHaveLength(4);
  });

  test("a call that takes too long is ended, and its socket too", async () => {
    server.answer(() => ({ text: "late", delay_ms: 5000 }));
    const { models } = rig(server, model, {
      runtime: { call_timeout_s: 0.5 },
      patience: { ...HASTY, retries: 1 },
    });
    const failure = await failureOf(models);
    expect(failure.kind).toBe("model-unreachable");
    expect(failure.message).toContain("0.5 s");
    await until(() => server.inFlight() === 0);
    expect(server.chats().map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  test("the caller's signal ends the request, the pause and the wait for a connection", async () => {
    server.answer(() => ({ text: "late", delay_ms: 5000 }));
    const flying = new AbortController();
    const one = rig(server, model, { signal: flying.signal });
    const waiting = failureOf(one.models);
    await until(() => server.inFlight() === 1);
    flying.abort();
    expect((await waiting).kind).toBe("cancelled");
    await until(() => server.inFlight() === 0);

    server.answer(() => ({ status: 503 }));
    const pausing = new AbortController();
    const two = rig(server, model, {
      signal: pausing.signal,
      patience: { ...HASTY, pause: 10_000, longestPause: 10_000 },
    });
    const paused = failureOf(two.models);
    await until(() => server.chats().length === 2);
    pausing.abort(new Error("the person left"));
    expect((await paused).kind).toBe("cancelled");
    expect(server.chats()).toHaveLength(2);

    const gone = AbortSignal.abort();
    expect((await failureOf(rig(server, model, { signal: gone }).models)).kind).toBe("cancelled");
    expect(server.chats()).toHaveLength(2);
  });

  test("30 % faulty replies change no answer", async () => {
    const random = seeded("faults", model);
    server.answer(({ texts }) => {
      const fault =
        random() < 0.3 ? PASSING[Math.floor(random() * PASSING.length)]?.[1] : undefined;
      return fault ?? `answer to ${texts[0]}`;
    });
    const { models } = rig(server, model, { runtime: { max_connections: 8 } });
    const questions = Array.from({ length: 60 }, (_, index) => `question ${index}`);
    const results = await Promise.all(questions.map((question) => models.call(ask([question]))));
    expect(
      results.map((result) => (result.status === "replied" ? result.reply.text : result.limit)),
    ).toEqual(questions.map((question) => `answer to ${question}`));
    expect(server.maxInFlight()).toBeLessThanOrEqual(8);
  });
});

test("an unreachable server is reported soon", async () => {
  const closed = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => closed.once("listening", done));
  const address = closed.address();
  const port = typeof address === "object" ? address?.port : 0;
  await new Promise((done) => closed.close(done));
  const url = `http://127.0.0.1:${port}/v1`;
  const failure = await failureOf(rig({ url }, "openai:llava").models);
  expect(failure.kind).toBe("model-unreachable");
  expect(failure.message).toContain(url);
  expect(failure.message).toContain("ECONNREFUSED");
});

test("a used-up quota is reported at once in the server's words; a limit per minute is waited for", async () => {
  const exceeded = "You exceeded your current quota, please check your plan and billing details.";
  const readMore = `${exceeded} Read the docs: https://platform.openai.com/docs/guides/error-codes.`;
  const quota = (code: string, message: string) =>
    JSON.stringify({ error: { message, type: code, code } });
  server.answer(() => ({ status: 429, body: quota("insufficient_quota", readMore) }));
  const failure = await failureOf(rig(server, "openai:gpt-4.1").models);
  expect(failure.kind).toBe("model-rejected");
  expect(failure.message).toBe(
    `openai:gpt-4.1 refused the request: ${server.url} returned status 429. Server response: ${readMore} (the quota of the key in OPENAI_API_KEY is used up)`,
  );
  expect(server.chats()).toHaveLength(1);
  // Alibaba's limit of tokens per minute has the code of OpenAI's quota.
  for (const code of ["rate_limit_exceeded", "insufficient_quota"]) {
    server.reset();
    server.answer(() =>
      server.chats().length === 1 ? { status: 429, body: quota(code, exceeded) } : "B",
    );
    expect(await textOf(rig(server, "openai:gpt-4.1").models)).toBe("B");
    expect(server.chats()).toHaveLength(2);
  }
});

test.each([
  ["Quota exceeded for metric: free_tier_requests, limit: 0, model: gemini-2.5-flash", "PerMinute"],
  ["You exceeded your current quota.", "PerDay"],
])("Gemini's %j of a quota %s is reported at once", async (message, period) => {
  const details = [
    { violations: [{ quotaId: `GenerateRequests${period}PerProjectPerModel-FreeTier` }] },
    { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "38s" },
  ];
  server.answer(() => ({ status: 429, body: JSON.stringify({ error: { message, details } }) }));
  const failure = await failureOf(rig(server, "google-genai:gemini-2.5-flash").models);
  expect(failure.kind).toBe("model-rejected");
  expect(failure.message).toContain(
    `${message} (the quota of the key in GOOGLE_API_KEY is used up)`,
  );
  expect(server.chats()).toHaveLength(1);
});

test("a key that Gemini refuses by status 400 is named by its variable", async () => {
  const error = { code: 400, message: "API key not valid. Please pass a valid API key." };
  server.answer(() => ({ status: 400, body: JSON.stringify({ error }) }));
  const { message } = await failureOf(rig(server, "google-genai:gemini-2.5-flash").models);
  expect(message).toContain("Please pass a valid API key. (the key is read from GOOGLE_API_KEY)");
});

test.each(BOTH)("no timeout but ours ends a call of $model", async ({ model }) => {
  // Node's own fetch gives up after 300 s without a byte; `test/soak/slow-model.soak.ts` waits for as long.
  const builtIn = globalThis.fetch;
  globalThis.fetch = () => Promise.reject(new Error("Node's own fetch was used"));
  try {
    server.answer(() => ({ text: "B", delay_ms: 300 }));
    const { models } = rig(server, model, { runtime: { call_timeout_s: 400 } });
    expect(await textOf(models)).toBe("B");
  } finally {
    globalThis.fetch = builtIn;
  }
});

test("a Retry-After is waited for, up to the bound", async () => {
  server.answer(() =>
    server.chats().length === 1 ? { status: 429, headers: { "retry-after": "3600" } } : "B",
  );
  const began = performance.now();
  const { models } = rig(server, "openai:gpt-4.1", {
    patience: { ...HASTY, longestRetryAfter: 150 },
  });
  expect(await textOf(models)).toBe("B");
  expect(performance.now() - began).toBeGreaterThanOrEqual(145);
});

test("Gemini's RetryInfo is waited for", async () => {
  const details = [
    { violations: [{ quotaId: "GenerateRequestsPerMinutePerProjectPerModel" }] },
    { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "0.1s" },
  ];
  const body = JSON.stringify({ error: { code: 429, message: "slow down", details } });
  server.answer(() => (server.chats().length === 1 ? { status: 429, body } : "B"));
  const began = performance.now();
  const { models } = rig(server, "google-genai:gemini-2.5-flash", {
    patience: { ...HASTY, longestRetryAfter: 1000 },
  });
  expect(await textOf(models)).toBe("B");
  expect(performance.now() - began).toBeGreaterThanOrEqual(95);
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5);
}
