import { afterAll, beforeEach, expect, test } from "vitest";
import type { EventBody } from "../../../src/core/events.ts";
import { rateViews } from "../../../src/models/rate-limit/endpoint.ts";
import { startModelServer } from "../../support/model-server.ts";
import { ask, memoryStore, rig } from "../setup.ts";

const MODEL = "openai:gpt-4.1";
const server = await startModelServer(() => "yes");
// The first call of a process takes longer.
await rig(server, "openai:warm").models.call(ask(["warm"]));
afterAll(() => server.close());
beforeEach(() => {
  server.reset();
  server.answer(() => "yes");
});

/** Calls of one question, as many at once. */
function callAll(count: number, more: Parameters<typeof rig>[2], model = MODEL) {
  const { models, calls } = rig(server, model, more);
  const results = Array.from({ length: count }, (_, n) => models.call(ask([`question ${n}`])));
  return { results, calls };
}

const viewOf = (model: string) =>
  rateViews({}).find(([endpoint]) => endpoint === `${model} ${server.url}`)?.[1];

test("Calls wait for the rate of their model; the wait counts as waiting, and stored replies do not wait", async () => {
  const store = memoryStore();
  const runtime = { requests_per_minute: 600 };
  const { results, calls } = callAll(14, { store, runtime });
  await Promise.all(results);
  // 10 at once, then one in 0.1 s.
  const waits = calls.map(({ waited_s = 0 }) => waited_s).sort((a, b) => a - b);
  expect((waits.at(-1) ?? 0) - (waits[0] ?? 0)).toBeGreaterThan(0.3);
  for (const { seconds, waited_s = 0, model_s } of calls)
    expect(waited_s + (model_s ?? 0)).toBeCloseTo(seconds, 1);
  expect(viewOf(MODEL)).toMatchObject({
    ...{ allowed: { requests: 600, tokens: null }, share: 1, waiting: 0 },
    waited: expect.toSatisfy((waited: number) => waited >= 4 && waited <= 14),
  });
  const again = callAll(14, { store, runtime: { requests_per_minute: 1 } });
  const began = performance.now();
  await Promise.all(again.results);
  expect(performance.now() - began).toBeLessThan(1_000);
  expect(server.chats()).toHaveLength(14);
});

test("A person sees for what a call waits; one that is cancelled leaves the queue; another model does not wait", async () => {
  const model = "openai:gpt-4.1-mini";
  const events: EventBody[] = [];
  const abort = new AbortController();
  const runtime = { requests_per_minute: 30 };
  const emit = (_stage: string, body: EventBody) => void events.push(body);
  const { results } = callAll(3, { runtime, emit, signal: abort.signal }, model);
  await Promise.race(results);
  const waits = () => events.filter(({ type }) => type === "progress");
  await expect.poll(waits, { timeout: 30_000 }).toHaveLength(2);
  expect(waits()[0]).toEqual({
    ...{ type: "progress", done: 1, total: null },
    unit: `s of waiting for the rate limit of ${new URL(server.url).host}`,
  });
  expect(viewOf(model)?.waiting).toBe(2);
  await rig(server, "openai:gpt-4.1-nano", { runtime }).models.call(ask(["other"]));
  abort.abort();
  const ended = await Promise.allSettled(results);
  expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  expect(ended[1]).toMatchObject({ reason: { kind: "cancelled" } });
  expect(viewOf(model)?.waiting).toBe(0);
  expect(server.chats()).toHaveLength(2);
});

test("Tokens are settled with what the server counted, and a request larger than the limit is sent", async () => {
  const model = "openai:gpt-4o";
  server.answer(() => ({ text: "yes", usage: { input: 10, output: 10 } }));
  const runtime = { tokens_per_minute: 60_000 };
  const { models } = rig(server, model, { runtime });
  // 250 + 250 expected; a second has 1,000.
  const one = (n: number) => ask([`${n}`.padEnd(1000, " word")], { maxTokens: 1000 });
  const began = performance.now();
  for (let n = 0; n < 10; n++) await models.call(one(n));
  expect(performance.now() - began).toBeLessThan(2_000);
  const large = rig(server, model, { runtime: { tokens_per_minute: 100 } });
  await large.models.call(one(10));
  expect(server.chats()).toHaveLength(11);
});

test("Without a limit, a 429 makes one that fades, with the pause that the server asks for", async () => {
  const model = "openai:gpt-4.1";
  const other = await startModelServer(({ index }) =>
    index === 5
      ? { status: 429, text: "slow", headers: { "retry-after": "1" } }
      : { text: "yes", delay_ms: 5 },
  );
  const patience = { retries: 3, pause: 5, longestPause: 10, longestRetryAfter: 600 };
  const { models } = rig(other, model, { patience });
  for (let n = 0; n < 5; n++) await models.call(ask([`${n}`]));
  const view = () => rateViews({}).find(([name]) => name.endsWith(other.url))?.[1];
  expect(view()?.allowed).toEqual({ requests: null, tokens: null });
  await Promise.all([5, 6].map((n) => models.call(ask([`${n}`]))));
  const times = other.chats().map(({ at }) => at);
  // The refused call is repeated after the pause; the other one was in flight.
  expect((times.at(-1) ?? 0) - (times[5] ?? 0)).toBeGreaterThan(590);
  expect(view()?.allowed.requests).toBeLessThan(1_800);
  expect(view()?.share).toBeLessThan(0.6);
  await other.close();
});
