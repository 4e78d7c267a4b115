import { afterAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { totalUsage } from "../../src/core/events.ts";
import { sha256 } from "../../src/core/hash.ts";
import { callKey } from "../../src/models/call-key.ts";
import type { Call, ChatRequest } from "../../src/models/chat.ts";
import { startModelServer } from "../support/model-server.ts";
import { ask, memoryStore, putFrame, rig, VIDEO } from "./setup.ts";

const server = await startModelServer(({ texts }) => `answer to ${texts[0]}`);
afterAll(() => server.close());
beforeEach(() => server.reset());

const MODEL = "openai:gpt-4.1";
const frame = { hash: sha256("f"), video: VIDEO, t_s: 1, width: 8, height: 8 };
const keyOf = (call: Call, target = { name: MODEL, baseUrl: "http://one/v1" }) =>
  callKey(target, call.request, call.epoch, call.draw ?? 0);

test("the key of a call depends on what reaches the model, not on the caller", () => {
  const call = ask(["q", frame]);
  expect(keyOf({ ...call, role: "judge", stage: "other", label: "x", prompts: { a: "b" } })).toBe(
    keyOf(call),
  );
  expect(keyOf(ask(["q", { ...frame, t_s: 2, video: sha256("other") }]))).toBe(keyOf(call));
  const tool = (description: string) => ({
    name: "zoom",
    description,
    schema: z.object({ at_s: z.number() }),
  });
  expect(keyOf(ask(["q"], { tools: [tool("closer")] }))).toBe(
    keyOf(ask(["q"], { tools: [tool("closer")] })),
  );

  const differing: Call[] = [
    call,
    { ...call, epoch: 1 },
    { ...call, draw: 1 },
    ask(["q"]),
    ask([frame, "q"]),
    ask(["q", { ...frame, hash: sha256("g") }]),
    ask(["p", frame]),
    ...(
      [
        { temperature: 1 },
        { maxTokens: 65 },
        { seed: 1 },
        { logprobs: true },
        { tools: [tool("closer")] },
        { tools: [tool("nearer")] },
        { tools: [tool("closer")], toolChoice: "none" },
      ] satisfies Partial<ChatRequest>[]
    ).map((more) => ask(["q", frame], more)),
  ];
  const keys = [
    ...differing.map((item) => keyOf(item)),
    keyOf(call, { name: "openai:gpt-4o", baseUrl: "http://one/v1" }),
    keyOf(call, { name: MODEL, baseUrl: "http://two/v1" }),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});

test("a changed key between versions of this code is noticed", () => {
  expect(keyOf(ask(["q", frame]))).toBe(
    "6fc5271638cdeb3c0a23dd1019c2487189d2bba8f5eadb066f6a56951cc69414",
  );
});

test("a repeated call costs nothing and reports what it would have cost", async () => {
  const store = memoryStore();
  const red = await putFrame(store, "#ff0000", 4);
  const first = rig(server, MODEL, { store });
  const second = rig(server, MODEL, { store, run: "run-2" });
  const paid = await first.models.call(ask(["q", red]));
  const free = await second.models.call(ask(["q", red]));
  expect(server.chats()).toHaveLength(1);
  expect(free).toEqual({
    ...paid,
    cached: true,
    usage: { ...(paid.status === "replied" ? paid.usage : {}), paid: 0 },
  });
  expect(second.ledger.spent()).toMatchObject({
    ...first.ledger.spent(),
    seconds: expect.anything(),
  });
  expect(second.calls[0]).toMatchObject({
    key: first.calls[0]?.key,
    cached: true,
    frames: [{ hash: red.hash, t_s: 4 }],
    text: "answer to q",
    finish: "stop",
    label: "the question",
  });
  const total = totalUsage(second.calls.map((call) => ({ stage: "answer", type: "call", call })));
  expect(total).toMatchObject({ calls: 1, frames: 1, paid: 0 });
  expect(total.cost).toBeGreaterThan(0);
});

test("a refused reply is reused only in the run that paid for it", async () => {
  const store = memoryStore();
  server.answer(() => ({ refusal: "I will not." }));
  await rig(server, MODEL, { store }).models.call(ask(["again"]));
  await rig(server, MODEL, { store }).models.call(ask(["again"]));
  expect(server.chats()).toHaveLength(1);
  await rig(server, MODEL, { store, run: "run-2" }).models.call(ask(["again"]));
  expect(server.chats()).toHaveLength(2);
  server.answer(({ texts }) => `answer to ${texts[0]}`);
});

test("42 calls at once and a budget of 5: exactly 5 go through", async () => {
  const store = memoryStore();
  const budget = { calls: 5 };
  const run = async () => {
    const { models, ledger } = rig(server, MODEL, { store, budget });
    const results = await Promise.all(
      Array.from({ length: 42 }, (_, index) => models.call(ask([`question ${index}`]))),
    );
    return { statuses: results.map(({ status }) => status), met: ledger.met(), results };
  };
  const first = await run();
  expect(first.statuses.filter((status) => status === "replied")).toHaveLength(5);
  expect(first.results.at(-1)).toEqual({ status: "limit", limit: "calls" });
  expect(first.met).toEqual(["calls"]);
  expect(server.chats()).toHaveLength(5);

  const again = await run();
  expect(again.statuses).toEqual(first.statuses);
  expect(again.met).toEqual(["calls"]);
  expect(server.chats()).toHaveLength(5);
});

test("frames, tokens and dollars are checked before the call too", async () => {
  const limits = [
    [{ frames: 1 }, "frames"],
    [{ tokens: 60 }, "tokens"],
    [{ cost: 0.0001 }, "cost"],
    [{ seconds: 0 }, "seconds"],
  ] as const;
  for (const [budget, limit] of limits) {
    const { models } = rig(server, MODEL, { budget });
    expect(await models.call(ask(["q", frame, frame]))).toEqual({ status: "limit", limit });
  }
  expect(server.chats()).toHaveLength(0);
});
