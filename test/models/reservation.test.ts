import { afterAll, beforeEach, expect, test } from "vitest";
import { readSettings } from "../../src/core/settings.ts";
import { createSpendingCap } from "../../src/core/spending-cap.ts";
import { startModelServer } from "../support/model-server.ts";
import { ask, memoryStore, rig } from "./setup.ts";

const MODEL = "openai:gpt-4.1";
const PRICE = { input: 2, output: 8 };
const server = await startModelServer(() => "yes");
afterAll(() => server.close());
beforeEach(() => {
  server.reset();
  server.answer(() => "yes");
});

const usage = (input: number, output: number) => ({ text: "yes", usage: { input, output } });
const WORDS = "word ".repeat(80);

test("A budget reserves the known input and a quarter of max_tokens, or what the settings expect", async () => {
  const settings = (more: object) =>
    readSettings({ strategy: "rrd", model: MODEL, runtime: { base_url: server.url }, ...more });
  const foreseen = async (role: "recogniser" | "reasoner", more: object = {}) =>
    (await rig(server, MODEL, { settings: settings(more) }).models.foresee({
      ...ask([WORDS], { maxTokens: 400 }),
      role,
    })) as { tokens: number; cost: number };
  expect((await foreseen("reasoner")).tokens).toBe(100 + 100);
  expect((await foreseen("reasoner")).cost).toBeCloseTo((100 * 2 + 100 * 8) / 1e6, 12);
  const budget = { expected_output: 50 };
  expect((await foreseen("recogniser", { budget })).tokens).toBe(150);
  const recognition = { expected_output: 7 };
  expect((await foreseen("recogniser", { budget, recognition })).tokens).toBe(107);
  expect((await foreseen("reasoner", { budget, recognition })).tokens).toBe(150);
  // Never more than a reply can have.
  expect((await foreseen("reasoner", { budget: { expected_output: 9000 } })).tokens).toBe(500);
});

test("The server's count for one call changes no later reservation", async () => {
  server.answer(() => usage(5000, 10));
  const { models, ledger } = rig(server, MODEL, { budget: { tokens: 5150 } });
  await models.call(ask([WORDS]));
  // 5,010 used; the next one reserves 100 + 16.
  expect(await models.call(ask([`${WORDS}again`]))).toMatchObject({ status: "replied" });
  expect(ledger.overshoot()).toEqual({ tokens: 10_020 - 5150, cost: 0 });
  expect(await models.call(ask(["a third"]))).toEqual({ status: "limit", limit: "tokens" });
});

test("Replies longer than expected exceed a limit by at most the calls in flight", async () => {
  server.answer(() => usage(100, 64));
  const each = (100 * PRICE.input + 64 * PRICE.output) / 1e6;
  const foreseen = (100 * PRICE.input + 16 * PRICE.output) / 1e6;
  const { models, ledger } = rig(server, MODEL, { budget: { cost: 5 * foreseen } });
  const calls = Array.from({ length: 20 }, (_, n) =>
    models.call(ask([`${WORDS}${n % 10}`.slice(1)], { seed: n })),
  );
  const made = (await Promise.all(calls)).filter(({ status }) => status === "replied");
  expect(made).toHaveLength(5);
  expect(ledger.spent().cost).toBeCloseTo(5 * each, 12);
  expect(ledger.overshoot().cost).toBeCloseTo(5 * (each - foreseen), 12);
  expect(server.chats()).toHaveLength(5);
});

test("Empty replies that are billed count for a budget, which ends their repetition", async () => {
  server.answer(() => ({ empty: true, usage: { input: 100, output: 64 } }));
  const each = (100 * PRICE.input + 64 * PRICE.output) / 1e6;
  const { models, ledger, calls } = rig(server, MODEL, { budget: { cost: 2.5 * each } });
  const result = await models.call(ask([WORDS]));
  expect(result).toMatchObject({ status: "replied", reply: { finish: "empty" } });
  expect(server.chats()).toHaveLength(3);
  expect(calls[0]?.usage.cost).toBeCloseTo(each, 12);
  expect(calls[0]?.usage.paid).toBeCloseTo(3 * each, 12);
  expect(ledger.spent().cost).toBeCloseTo(3 * each, 12);
  expect(ledger.spent().tokens).toBe(3 * 164);
  expect(ledger.overshoot().cost).toBeCloseTo(0.5 * each, 12);
  expect(await models.call(ask(["another"]))).toEqual({ status: "limit", limit: "cost" });
});

test("A cap counts empty replies one by one, and ends their repetition", async () => {
  server.answer(() => ({ empty: true, usage: { input: 100, output: 64 } }));
  const each = (100 * PRICE.input + 64 * PRICE.output) / 1e6;
  const payments: number[] = [];
  const cap = createSpendingCap(2.5 * each, 0, (dollars) => payments.push(dollars));
  const result = await rig(server, MODEL, { cap }).models.call(ask([WORDS]));
  expect(result).toMatchObject({ status: "replied", reply: { finish: "empty" } });
  expect(server.chats()).toHaveLength(3);
  expect(payments).toHaveLength(3);
  for (const dollars of payments) expect(dollars).toBeCloseTo(each, 12);
  expect(cap.paid()).toBeCloseTo(3 * each, 12);
  expect(cap.met()).toBe(true);
});

test("A cap over several questions counts payments, and lets calls in flight finish", async () => {
  server.answer(async () => {
    await new Promise((done) => setTimeout(done, 20));
    return usage(100, 16);
  });
  const each = (100 * PRICE.input + 16 * PRICE.output) / 1e6;
  const cap = createSpendingCap(2.5 * each);
  const store = memoryStore();
  const models = () => rig(server, MODEL, { store, cap }).models;
  const results = await Promise.allSettled(
    [1, 2, 3, 4].map((n) => models().call(ask([`${WORDS}`], { seed: n }))),
  );
  const refused = results.filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(2);
  expect(refused[0]).toMatchObject({ reason: { kind: "limit-met" } });
  expect(cap.paid()).toBeCloseTo(2 * each, 12);
  expect(cap.met()).toBe(true);
  // Stored replies cost nothing and are not refused.
  const kept = results.findIndex(({ status }) => status === "fulfilled");
  expect(await models().call(ask([`${WORDS}`], { seed: kept + 1 }))).toMatchObject({
    cached: true,
    usage: { paid: 0 },
  });
  expect(server.chats()).toHaveLength(2);
});

test("A reply from the memo has the model's own time; waiting for a connection is separate", async () => {
  server.answer(async () => {
    await new Promise((done) => setTimeout(done, 120));
    return "slow";
  });
  const store = memoryStore();
  const first = rig(server, MODEL, { store, runtime: { max_connections: 1 } });
  await Promise.all([first.models.call(ask(["a"])), first.models.call(ask(["b"]))]);
  const [one, two] = first.calls;
  expect(one?.model_s).toBeGreaterThan(0.1);
  expect(one?.waited_s).toBeLessThan(0.1);
  expect(two?.waited_s).toBeGreaterThan(0.1);
  expect(two?.seconds).toBeGreaterThan(0.2);
  const again = rig(server, MODEL, { store });
  await again.models.call(ask(["a"]));
  expect(again.calls[0]).toMatchObject({ cached: true, model_s: one?.model_s, waited_s: 0 });
  expect(again.calls[0]?.seconds).toBeLessThan(0.1);
});

test("A stored reply from before durations were recorded has none, and is still used", async () => {
  const store = memoryStore();
  const first = rig(server, MODEL, { store });
  await first.models.call(ask(["old"]));
  const key = first.calls[0]?.key ?? "";
  const old = {
    once: async () => ({
      value: { text: "kept", finish: "stop", toolCalls: [], tokens: { input: 1, output: 1 } },
      cached: true,
    }),
  };
  const memo = { ...store.memo, ...old } as typeof store.memo;
  const later = rig(server, MODEL, { store: { ...store, memo } });
  expect(await later.models.call(ask(["old"]))).toMatchObject({ reply: { text: "kept" } });
  expect(later.calls[0]).toMatchObject({ key, model_s: null });
  expect(later.calls[0]?.usage.estimated).toBeUndefined();
});

test("Estimated tokens are marked, from the memo as well", async () => {
  const body = JSON.stringify({
    id: "x",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", content: "yes" }, finish_reason: "stop" }],
  });
  server.answer(() => ({ body }));
  const store = memoryStore();
  for (const cached of [false, true]) {
    const { models, calls } = rig(server, MODEL, { store });
    await models.call(ask([WORDS]));
    expect(calls[0]).toMatchObject({ cached, usage: { input: 100, output: 1, estimated: 1 } });
  }
});
