import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { readSettings } from "../../src/core/settings.ts";
import { NO_USAGE } from "../../src/core/shapes.ts";
import type { CallResult, Message } from "../../src/models/chat.ts";
import { showFirstRequest } from "../../src/models/request-view.ts";
import { startModelServer } from "../support/model-server.ts";
import { ask, BOTH, memoryStore, rig } from "./setup.ts";

const server = await startModelServer(() => "A");
afterAll(() => server.close());
beforeEach(() => {
  server.reset();
  server.answer(() => "A");
  vi.unstubAllEnvs();
});

function answered(result: CallResult) {
  if (result.status !== "replied") throw new Error(`no reply: ${result.status}`);
  return result;
}

/** Models over the test server with settings of generation. */
function withSettings(model: string, more: Record<string, unknown>, runtime = {}) {
  const store = memoryStore();
  const base = { strategy: "direct", model, runtime: { base_url: server.url, ...runtime } };
  return { store, ...rig(server, model, { store, settings: readSettings({ ...base, ...more }) }) };
}

const QWEN = "openai:Qwen/Qwen3-VL-8B-Thinking";
const GEMINI = "google-genai:gemini-2.5-flash";
const GEMINI_3 = "google-genai:gemini-3-pro-preview";

test.each([
  [QWEN, { top_p: 0.9, top_k: 20 }, { top_p: 0.9, top_k: 20 }],
  [QWEN, { reasoning_effort: "high" }, { reasoning_effort: "high" }],
  [QWEN, { thinking_budget: 0 }, { chat_template_kwargs: { enable_thinking: false } }],
  [QWEN, { thinking_budget: -1 }, { chat_template_kwargs: { enable_thinking: true } }],
  [
    QWEN,
    {
      thinking_budget: 512,
      extra_body: { min_p: 0.05, verbosity: "low", chat_template_kwargs: { language: "en" } },
    },
    {
      min_p: 0.05,
      verbosity: "low",
      chat_template_kwargs: { language: "en", enable_thinking: true, thinking_budget: 512 },
    },
  ],
  [GEMINI, { top_p: 0.9, top_k: 20 }, { generationConfig: { topP: 0.9, topK: 20 } }],
  [
    GEMINI,
    { thinking_budget: 0 },
    { generationConfig: { thinkingConfig: { thinkingBudget: 0, includeThoughts: false } } },
  ],
  [
    GEMINI,
    { thinking_budget: 1024 },
    { generationConfig: { thinkingConfig: { thinkingBudget: 1024, includeThoughts: true } } },
  ],
  [
    GEMINI_3,
    { reasoning_effort: "low" },
    { generationConfig: { thinkingConfig: { thinkingLevel: "low", includeThoughts: true } } },
  ],
])("%s gets %j in its own form", async (model, generation, body) => {
  await withSettings(model, { generation }).models.call(ask(["?"]));
  expect(server.chats()[0]?.body).toMatchObject(body);
});

test.each(BOTH)("$model gets nothing that is not set", async ({ model }) => {
  const { calls, models } = withSettings(model, {});
  await models.call(ask(["?"]));
  const sent = JSON.stringify(server.chats()[0]?.body);
  expect(sent).not.toMatch(/top_?p|top_?k|seed|reasoning|thinking|template|extra/i);
  const set = withSettings(model, { generation: { top_p: 0.5 } });
  await set.models.call(ask(["?"]));
  expect(set.calls[0]?.key).not.toBe(calls[0]?.key);
});

describe("seeds", () => {
  const drawn = { reasoning: { temperature: 0.7 } };

  test.each(BOTH)("another seed with a temperature asks $model again", async ({ model }) => {
    const store = memoryStore();
    const seeds = [5, 5, 6, 0];
    for (const seed of seeds) {
      const settings = readSettings({
        ...{ strategy: "direct", model, seed, ...drawn },
        runtime: { base_url: server.url },
      });
      await rig(server, model, { store, settings }).models.call(ask(["?"], { temperature: 0.7 }));
    }
    expect(server.chats().map(({ seed }) => seed)).toEqual([5, 6, null]);
  });

  test("at a temperature of 0 a seed changes nothing", async () => {
    const { models } = withSettings(QWEN, { seed: 5 });
    await models.call(ask(["?"]));
    expect(server.chats()[0]?.seed).toBeNull();
  });

  test("epochs and draws of one seed get their own seeds", async () => {
    const { models } = withSettings(QWEN, { seed: 5, ...drawn });
    for (const more of [{}, { epoch: 1 }, { epoch: 2 }, { draw: 1 }, { epoch: 1, draw: 1 }])
      await models.call({ ...ask(["?"], { temperature: 0.7 }), ...more });
    const seeds = server.chats().map(({ seed }) => seed);
    expect(new Set(seeds).size).toBe(5);
    expect(seeds[0]).toBe(5);
    for (const seed of seeds) expect(seed).toBeLessThan(2 ** 31);
  });

  test("a server that refuses a seed is asked without it from then on", async () => {
    server.answer(({ seed }) =>
      seed === null ? "B" : { status: 400, text: "Unsupported parameter: 'seed'" },
    );
    const { models } = withSettings("openai:seedless", { seed: 5, ...drawn });
    const askAt = (words: string) => models.call(ask([words], { temperature: 0.7 }));
    const both = await Promise.all([askAt("1?"), askAt("2?")]);
    await askAt("3?");
    expect(both.map((result) => answered(result).reply.text)).toEqual(["B", "B"]);
    expect(server.chats().map(({ seed }) => seed)).toEqual([5, 5, null, null, null]);
  });

  test("a server whose validation refuses a seed is asked without it, and a warning says so once", async () => {
    const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
    onTestFinished(() => warned.mockRestore());
    const detail = [{ type: "extra_forbidden", loc: ["body", "seed"], msg: "Extra inputs." }];
    server.answer(({ seed }) =>
      seed === null ? "B" : { status: 422, body: JSON.stringify({ detail }) },
    );
    const { models } = withSettings("openai:strict", { seed: 5, ...drawn });
    for (const words of ["1?", "2?"]) await models.call(ask([words], { temperature: 0.7 }));
    expect(server.chats().map(({ seed }) => seed)).toEqual([5, null, null]);
    expect(warned.mock.calls).toEqual([
      [`openai:strict at ${server.url} does not support seed: requests are sent without it.`],
    ]);
  });

  test("a refusal that contains the word seed fails, and later calls are sent with the seed", async () => {
    const name = "doubao-seed-1-6-vision";
    server.answer(({ texts }) =>
      texts.includes("1?") ? { status: 400, text: `${name}: image 3 is too small` } : "B",
    );
    const { models } = withSettings(`openai:${name}`, { seed: 5, ...drawn });
    const askAt = (words: string) => models.call(ask([words], { temperature: 0.7 }));
    await expect(askAt("1?")).rejects.toMatchObject({ kind: "model-rejected" });
    expect(answered(await askAt("2?")).reply.text).toBe("B");
    expect(server.chats().map(({ seed }) => seed)).toEqual([5, 5]);
  });
});

describe("reasoning", () => {
  const LOOK = {
    name: "look",
    description: "Shows the frame at a time.",
    schema: z.object({ at_s: z.number() }),
  };

  test.each(BOTH)("of $model is separate from the text, and counted", async ({ model }) => {
    server.answer(() => ({
      text: "B",
      reasoning: "Perhaps A. No: the answer is B.",
      usage: { input: 1_000_000, output: 100_000, thinking: 300_000, cached: 600_000 },
    }));
    const store = memoryStore();
    const prices = { [model]: { input: 2, cached_input: 0.5, output: 10 } };
    const { models, calls, ledger } = rig(server, model, { store, prices });
    const { reply, usage } = answered(await models.call(ask(["?"])));
    expect(reply).toMatchObject({ text: "B", reasoning: "Perhaps A. No: the answer is B." });
    expect(reply.own).toBeUndefined();
    const cost = 0.4 * 2 + 0.6 * 0.5 + 0.4 * 10;
    expect(usage).toMatchObject({
      ...NO_USAGE,
      ...{ calls: 1, input: 1_000_000, output: 400_000, reasoning: 300_000, cached_input: 600_000 },
      cost: expect.closeTo(cost, 9),
      paid: expect.closeTo(cost, 9),
    });
    expect(calls[0]?.usage).toEqual(usage);
    expect(ledger.spent().tokens).toBe(1_400_000);
    const again = answered(await rig(server, model, { store, prices }).models.call(ask(["?"])));
    expect(again.reply).toEqual(reply);
    expect(again.usage).toEqual({ ...usage, paid: 0 });
  });

  test.each([
    [{ reasoning_content: "Look at 3 s." }, { reasoning_content: "Look at 3 s." }],
    [{ reasoning: "Look at 3 s." }, { reasoning: "Look at 3 s." }],
    [
      { reasoning: "Look.", reasoning_details: [{ type: "reasoning.encrypted", data: "gAAA" }] },
      { reasoning: "Look.", reasoning_details: [{ type: "reasoning.encrypted", data: "gAAA" }] },
    ],
    [{ reasoning_content: null }, {}],
    [{ reasoning_content: "" }, {}],
  ])("a server's message with %j is sent back with it", async (message, back) => {
    server.answer(({ toolResults }) =>
      toolResults.length > 0
        ? "done"
        : { toolCalls: [{ name: "look", arguments: { at_s: 3 } }], message },
    );
    const { models } = rig(server, QWEN);
    await models.call(ask(["?"]));
    const first = answered(await models.call(ask(["?"], { tools: [LOOK] }))).reply;
    await models.call(ask([], { tools: [LOOK], messages: afterLook(first) }));
    const [turn] = server.chats().at(-1)?.turns ?? [];
    expect(turn).toMatchObject({ role: "assistant", ...back });
    for (const name of ["reasoning_content", "reasoning", "reasoning_details"])
      expect(name in (turn ?? {})).toBe(name in back);
  });

  test("Gemini's parts are sent back unchanged, with thoughts and signatures", async () => {
    server.answer(({ toolResults }) =>
      toolResults.length > 0
        ? "done"
        : {
            reasoning: "I should look.",
            toolCalls: [
              { name: "look", arguments: { at_s: 3 }, signature: "c2lnLTE=" },
              { name: "look", arguments: { at_s: 4 } },
            ],
          },
    );
    const { models } = rig(server, GEMINI_3);
    const first = answered(await models.call(ask(["?"], { tools: [LOOK] }))).reply;
    expect(first.reasoning).toBe("I should look.");
    await models.call(ask([], { tools: [LOOK], messages: afterLook(first) }));
    expect(server.chats().at(-1)?.turns).toEqual([
      {
        role: "model",
        parts: [
          { text: "I should look.", thought: true },
          { functionCall: { name: "look", args: { at_s: 3 } }, thoughtSignature: "c2lnLTE=" },
          { functionCall: { name: "look", args: { at_s: 4 } } },
        ],
      },
    ]);
    expect(server.chats().at(-1)?.toolResults).toHaveLength(2);
  });

  test("a provider does not get content of another one", async () => {
    const messages = afterLook({
      text: "",
      toolCalls: [{ id: "c", name: "look", arguments: { at_s: 3 } }],
      own: { provider: "google-genai", content: { parts: [{ text: "secret", thought: true }] } },
    });
    await rig(server, QWEN).models.call(ask([], { tools: [LOOK], messages }));
    expect(JSON.stringify(server.chats()[0]?.turns)).not.toContain("secret");
  });

  test("a server that refuses reasoning in its input is asked without it from then on", async () => {
    server.answer(({ turns, toolResults }) => {
      if (toolResults.length === 0)
        return { toolCalls: [{ name: "look", arguments: { at_s: 3 } }], reasoning: "Look." };
      return turns.some((turn) => "reasoning_content" in turn)
        ? { status: 400, text: "The reasoning_content is not allowed in the input messages." }
        : "done";
    });
    const { models } = rig(server, "openai:no-reasoning-back");
    const first = answered(await models.call(ask(["?"], { tools: [LOOK] }))).reply;
    const next = () => ask([], { tools: [LOOK], messages: afterLook(first) });
    expect(answered(await models.call(next())).reply.text).toBe("done");
    await models.call({ ...next(), draw: 1 });
    expect(server.chats()).toHaveLength(4);
  });

  function afterLook(
    reply: Pick<Extract<Message, { role: "assistant" }>, "text" | "toolCalls" | "own">,
  ) {
    const { text, toolCalls, own } = reply;
    const messages: Message[] = [
      { role: "user", parts: [{ type: "text", text: "?" }] },
      { role: "assistant", text, toolCalls, ...(own === undefined ? {} : { own }) },
      ...toolCalls.map(
        ({ id }): Message => ({
          role: "tool",
          toolCallId: id,
          name: "look",
          parts: [{ type: "text", text: "a red cup" }],
        }),
      ),
    ];
    return messages;
  }
});

test.each([
  ["xAI counts reasoning in the total only", { completion_tokens: 10, total_tokens: 90 }, 40],
  ["OpenAI counts it within", { completion_tokens: 40, total_tokens: 90 }, 40],
])("%s: both count as output", async (_name, usage, output) => {
  const completion = {
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "A" } }],
    usage: {
      ...{ prompt_tokens: 50, prompt_cache_hit_tokens: 20, ...usage },
      completion_tokens_details: { reasoning_tokens: 30 },
    },
  };
  server.answer(() => ({ body: JSON.stringify(completion) }));
  const { reply } = answered(await rig(server, "openai:grok-4").models.call(ask(["?"])));
  expect(reply.tokens).toEqual({ input: 50, output, reasoning: 30, cached_input: 20 });
});

describe("headers", () => {
  const SECRET = "tok_5up3r-s3cret";
  const runtime = { headers: "X-Gateway=$GATEWAY_KEY,X-Team=$TEAM" };

  test.each(BOTH)("reach the server of $model and nothing else", async ({ model, protocol }) => {
    vi.stubEnv("GATEWAY_KEY", SECRET);
    vi.stubEnv("TEAM", "7");
    const { store, models, calls } = withSettings(model, {}, runtime);
    server.answer(({ headers }) => ({
      status: 403,
      text: `x-gateway ${headers["x-gateway"]} may not do this`,
    }));
    const error: unknown = await models.call(ask(["?"])).catch((thrown: unknown) => thrown);
    server.answer(() => "A");
    await models.call(ask(["?"]));
    expect(server.chats()[0]?.headers).toMatchObject({ "x-gateway": SECRET, "x-team": "7" });
    const key = protocol === "openai" ? "authorization" : "x-goog-api-key";
    expect(server.chats()[0]?.headers[key]).toBe("(redacted)");
    const facts = error instanceof Error && "facts" in error ? error.facts : null;
    expect(String(error)).toContain("may not do this");
    expect(JSON.stringify([String(error), facts, calls])).not.toContain(SECRET);
    const plain = withSettings(model, {});
    await plain.models.call(ask(["?"]));
    expect(calls.at(-1)?.key).toBe(plain.calls[0]?.key);
    const kept = await store.memo.peek(calls.at(-1)?.key ?? "", "run-1");
    expect(JSON.stringify(kept)).not.toContain(SECRET);
  });

  test("a header with the key replaces the key", async () => {
    vi.stubEnv("GOOGLE_API_KEY", "");
    vi.stubEnv("GEMINI_API_KEY", "");
    vi.stubEnv("GATEWAY_KEY", SECRET);
    const { models } = withSettings(GEMINI, {}, { headers: "x-goog-api-key=$GATEWAY_KEY" });
    expect(answered(await models.call(ask(["?"]))).reply.text).toBe("A");
  });

  test("a missing variable is named before anything is sent", async () => {
    const { models } = withSettings(QWEN, {}, { headers: "X-Gateway=$NOT_SET_HERE" });
    await expect(models.call(ask(["?"]))).rejects.toMatchObject({
      kind: "missing-key",
      message: expect.stringContaining("NOT_SET_HERE"),
    });
    expect(server.chats()).toHaveLength(0);
  });

  test("a request is shown with its settings, and without any header", async () => {
    const settings = readSettings({
      ...{ strategy: "direct", model: QWEN, seed: 9, reasoning: { temperature: 1 } },
      generation: { top_k: 7 },
      runtime: { base_url: server.url, ...runtime },
    });
    const views: unknown[] = [];
    const models = showFirstRequest(settings, (view) => views.push(view));
    await models.call(ask(["?"], { temperature: 1 }));
    expect(views).toMatchObject([{ body: { top_k: 7, seed: 9 } }]);
    expect(JSON.stringify(views)).not.toMatch(/gateway|7\\"}/i);
  });
});

const OPENAI_URL = "https://api.openai.com/v1";

test.each([
  ["openai:gpt-4.1", OPENAI_URL, { top_k: 20 }, "--top-k"],
  ["openai:gpt-5", OPENAI_URL, { top_p: 0.9 }, "--top-p"],
  ["openai:gpt-5", OPENAI_URL, { thinking_budget: 100 }, "--reasoning-effort"],
  ["openai:gpt-4o", OPENAI_URL, { reasoning_effort: "low" }, "--reasoning-effort"],
  ["openai:gpt-4o", "https://eu.api.openai.com/v1", { top_k: 3 }, "--top-k"],
  [GEMINI, null, { extra_body: { a: 1 } }, "--extra-body"],
  [GEMINI, null, { reasoning_effort: "low" }, "--thinking-budget"],
  [GEMINI_3, null, { reasoning_effort: "xhigh" }, "minimal, low, medium or high"],
  [GEMINI_3, null, { reasoning_effort: "low", thinking_budget: 5 }, "--thinking-budget"],
  [QWEN, "http://127.0.0.1:1/v1", { top_p: 0.9, extra_body: { top_p: 1 } }, "--top-p"],
  [
    QWEN,
    "http://127.0.0.1:1/v1",
    { thinking_budget: 9, extra_body: { chat_template_kwargs: { enable_thinking: true } } },
    "--thinking-budget",
  ],
  [QWEN, "http://127.0.0.1:1/v1", { extra_body: { gateway: { api_key: "s" } } }, "of `api_key`"],
  ["openai:m", "http://127.0.0.1:1/v1", { extra_body: { Authorization: "s" } }, "--header NAME"],
  ["openai:m", "http://127.0.0.1:1/v1", { extra_body: { hf_token: "s" } }, "of `hf_token`"],
  ["openai:m", "http://127.0.0.1:1/v1", { extra_body: { api_keys: ["s"] } }, "of `api_keys`"],
  ["openai:m", "http://127.0.0.1:1/v1", { extra_body: { top_p: 0.9 } }, "use `--top-p`"],
  ["openai:m", "http://127.0.0.1:1/v1", { extra_body: { top_k: 5 } }, "use `--top-k`"],
  [
    "openai:m",
    "http://127.0.0.1:1/v1",
    { extra_body: { reasoning_effort: "low" } },
    "use `--reasoning-effort`",
  ],
  ["openai:ft:gpt-4.1-mini:org::a", OPENAI_URL, { reasoning_effort: "low" }, "does not reason"],
  ["openai:ft:o4-mini:org::a", OPENAI_URL, { top_p: 0.9 }, "--top-p"],
])("%s at %s refuses %j before anything is sent", async (model, base_url, generation, words) => {
  const { models } = withSettings(model, { generation }, { base_url });
  await expect(models.call(ask(["?"]))).rejects.toMatchObject({
    kind: "wrong-setting",
    message: expect.stringContaining(words),
  });
});

test.each([
  [{ seed: 7 }, "a JSON object without `seed` (use `--seed`)"],
  [{ options: { seed: 7 } }, "without `options.seed` (use `--seed`)"],
  [{ options: { num_predict: 7 } }, "without `options.num_predict` (use `--max-tokens`)"],
  [{ max_completion_tokens: 7 }, "(use `--max-tokens`)"],
  [{ n: 2 }, "without `n` (the program sets it)"],
  [{ stream: true }, "without `stream` (the program sets it)"],
  [{ functions: [] }, "without `functions` (the program sets it)"],
])("an extra body of %j is refused", (extra_body, words) => {
  expect(() =>
    readSettings({ strategy: "direct", model: QWEN, generation: { extra_body } }),
  ).toThrow(words);
});

test("an extra body may have values that a flag does not take, and Ollama's other options", async () => {
  const extra_body = { top_k: -1, reasoning_effort: "max", options: { num_ctx: 8192 } };
  await withSettings(QWEN, { generation: { extra_body } }).models.call(ask(["?"]));
  expect(server.chats()[0]?.body).toMatchObject(extra_body);
});

describe("models that think", () => {
  test.each([
    ["openai:o3", true],
    ["openai:ft:o4-mini-2025-04-16:org::abc", true],
    ["openai:openai/gpt-5", true],
    ["openai:openrouter/openai/o3", true],
    ["openai:openai/gpt-5:nitro", true],
    ["openai:ft:gpt-5-mini:chat-team::abc", true],
    ["openai:gpt-5-chat-latest", false],
    ["openai:ft:gpt-4.1-mini:org::o3", false],
    ["openai:openai/gpt-oss-120b", false],
    ["openai:acme/o3000", false],
    [QWEN, false],
  ])("%s: %s", async (model, thinks) => {
    await rig(server, model).models.call(ask(["?"], { maxTokens: 77 }));
    const body = server.chats()[0]?.body as Record<string, unknown>;
    const { temperature, max_tokens, max_completion_tokens } = body;
    expect({ temperature, max_tokens, max_completion_tokens }).toEqual(
      thinks ? { max_completion_tokens: 77 } : { temperature: 0, max_tokens: 77 },
    );
  });

  const refusal = (message: string, param: string, code: string) => ({
    status: 400,
    body: JSON.stringify({ error: { message, type: "invalid_request_error", param, code } }),
  });
  const NO_TEMPERATURE = refusal(
    "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
    "temperature",
    "unsupported_value",
  );
  const NO_MAX_TOKENS = refusal(
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    "max_tokens",
    "unsupported_parameter",
  );
  const picky = () =>
    server.answer(({ body }) => {
      if ("max_tokens" in (body as object)) return NO_MAX_TOKENS;
      return "temperature" in (body as object) ? NO_TEMPERATURE : "B";
    });

  test("a server that refuses max_tokens and temperature gets neither from then on, told once", async () => {
    const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
    onTestFinished(() => warned.mockRestore());
    picky();
    const { models } = rig(server, "openai:my-deployment");
    for (const words of ["1?", "2?"])
      expect(answered(await models.call(ask([words]))).reply.text).toBe("B");
    expect(server.chats().map(({ body }) => Object.keys(body as object).sort())).toMatchObject([
      expect.arrayContaining(["max_tokens", "temperature"]),
      expect.arrayContaining(["max_completion_tokens", "temperature"]),
      ["max_completion_tokens", "messages", "model", "stream"],
      ["max_completion_tokens", "messages", "model", "stream"],
    ]);
    expect(warned.mock.calls).toEqual([
      [
        `openai:my-deployment at ${server.url} does not support max_tokens: requests are sent with max_completion_tokens instead.`,
      ],
      [
        `openai:my-deployment at ${server.url} does not support temperature: requests are sent without it.`,
      ],
    ]);
  });

  test("a refused temperature that was set is an error that says what to do", async () => {
    vi.spyOn(process, "emitWarning").mockReturnValue();
    onTestFinished(() => void vi.restoreAllMocks());
    picky();
    const { models } = rig(server, "openai:another-deployment");
    await expect(models.call(ask(["?"], { temperature: 0.5 }))).rejects.toMatchObject({
      kind: "model-rejected",
      message: expect.stringMatching(
        /value is supported\. \(set the temperature of this call to 0: then none is sent\)$/,
      ),
    });
  });

  describe("that refuse tools while they think", () => {
    const LOOK = { name: "look", description: "Looks.", schema: z.object({}) };
    const NO_EFFORT = refusal(
      "Function tools with reasoning_effort are not supported for gpt-5.6-terra in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
      "reasoning_effort",
      "",
    );
    const effortIn = ({ body }: { body: unknown }) =>
      (body as { reasoning_effort?: string }).reasoning_effort;
    const terra = () =>
      server.answer((request) =>
        request.tools.length > 0 && effortIn(request) !== "none" ? NO_EFFORT : "B",
      );

    test("are asked for no effort with tools from then on, told once", async () => {
      const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
      onTestFinished(() => warned.mockRestore());
      terra();
      const { models } = rig(server, "openai:gpt-5.6-terra");
      const withTools = (words: string) => models.call(ask([words], { tools: [LOOK] }));
      const both = await Promise.all([withTools("1?"), withTools("2?")]);
      expect(both.map((result) => answered(result).reply.text)).toEqual(["B", "B"]);
      await withTools("3?");
      await models.call(ask(["4?"]));
      expect(server.chats().map((request) => effortIn(request))).toEqual([
        ...[undefined, undefined, "none", "none"],
        "none",
        undefined,
      ]);
      expect(warned.mock.calls).toEqual([
        [
          `openai:gpt-5.6-terra at ${server.url} does not reason in requests with tools: they are sent with reasoning_effort none.`,
        ],
      ]);
    });

    test.each([
      [{ reasoning_effort: "low" }, "low"],
      [{ extra_body: { reasoning_effort: "max" } }, "max"],
    ])("fail with advice if an effort was set: %j", async (generation, effort) => {
      terra();
      const { models } = withSettings("openai:gpt-5.6-sol", { generation });
      await expect(models.call(ask(["?"], { tools: [LOOK] }))).rejects.toMatchObject({
        kind: "model-rejected",
        message: expect.stringMatching(
          / \(with tools, use --reasoning-effort none or leave the effort out\)$/,
        ),
      });
      expect(server.chats().map((request) => effortIn(request))).toEqual([effort]);
    });

    test("and refuse them without an effort too fail after two requests", async () => {
      vi.spyOn(process, "emitWarning").mockReturnValue();
      onTestFinished(() => void vi.restoreAllMocks());
      server.answer(() => NO_EFFORT);
      const { models } = rig(server, "openai:gpt-5.6-luna");
      await expect(models.call(ask(["?"], { tools: [LOOK] }))).rejects.toMatchObject({
        kind: "model-rejected",
        message: expect.stringContaining("Function tools with reasoning_effort"),
      });
      expect(server.chats().map((request) => effortIn(request))).toEqual([undefined, "none"]);
    });
  });
});
