import { afterAll, beforeEach, expect, test } from "vitest";
import type { CallResult } from "../../../../src/models/chat.ts";
import { startModelServer } from "../../../support/model-server.ts";
import { ask, memoryStore, OPENAI_KEY, rig } from "../../setup.ts";

/* Replies of compatible servers that OpenAI's client would refuse or misread. */

const server = await startModelServer(() => "A");
afterAll(() => server.close());
beforeEach(() => server.reset());

let served = 0;

/** The first request of a client and later ones are sent in two ways; an odd reply to either is read alike. */
async function replyTo(reply: object, more: Parameters<typeof ask>[1] = {}) {
  const outcomes: PromiseSettledResult<unknown>[] = [];
  for (const position of ["first", "later"]) {
    // Clients are kept by the names of models.
    const { models } = rig(server, `openai:served${++served}`, { store: memoryStore() });
    if (position === "later") {
      server.answer(() => "A");
      await models.call(ask(["before"], more));
    }
    server.reset();
    server.answer(() => reply);
    outcomes.push(...(await Promise.allSettled([models.call(ask(["?"], more))])));
  }
  const [first, later] = outcomes.map(withoutTimes);
  expect(later).toEqual(first);
  const outcome = outcomes[1] as PromiseSettledResult<CallResult>;
  if (outcome.status === "rejected") throw outcome.reason;
  if (outcome.value.status !== "replied") throw new Error(`no reply: ${outcome.value.status}`);
  return outcome.value.reply;
}

function withoutTimes(outcome: PromiseSettledResult<unknown>): unknown {
  if (outcome.status === "rejected")
    return String(outcome.reason).replaceAll(/served\d+/g, "served");
  const { status, reply } = outcome.value as { status: string; reply?: object };
  return { status, reply: { ...reply, seconds: 0 } };
}

const completion = (content: unknown, more: object = {}, choice: object = {}) => ({
  body: JSON.stringify({
    choices: [
      {
        ...{ index: 0, finish_reason: "stop" },
        ...{ message: { role: "assistant", content, ...more }, ...choice },
      },
    ],
    usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
  }),
});

test.each(["text/plain", "application/octet-stream", "text/html; charset=utf-8", ""])(
  "a completion of the content type %j is a completion",
  async (type) => {
    const headers = { "content-type": type };
    const reply = await replyTo({ ...completion("Answer: B"), headers });
    expect(reply).toMatchObject({ text: "Answer: B", finish: "stop", tokens: { input: 9 } });
    expect(server.chats()).toHaveLength(1);
  },
);

test.each([
  ["text/plain", "hello", "hello"],
  ["text/html", "<html></html>", "<html></html>"],
  ["text/plain", "{ not JSON }", "{ not JSON }"],
  ["application/json", `{"code":401,"msg":"no ${OPENAI_KEY}"}`, '{"code":401,"msg":"no (key)"}'],
  ["application/json", '{"choices":[{"text":"B"}]}', '{"choices":[{"text":"B"}]}'],
  ["text/event-stream", ": keep-alive\n\n", ": keep-alive"],
])("%s with %j is not a completion, and the message shows it", async (type, body, shown) => {
  await expect(replyTo({ body, headers: { "content-type": type } })).rejects.toMatchObject({
    kind: "model-unusable",
    message: expect.stringContaining(`it sent a body that is not a chat completion (${shown}).`),
  });
});

test.each([
  ["SAFETY", "refused"],
  ["content_filter: RECITATION", "refused"],
  ["sensitive", "refused"],
  ["max_tokens", "length"],
  ["MAX_TOKENS", "length"],
  ["model_context_window_exceeded", "length"],
  ["eos_token", "stop"],
  [{ type: "stop", matched: 151645 }, "stop"],
])("the finish reason %j is read as %s", async (finish_reason, finish) => {
  const reply = await replyTo(completion("Perhaps B", {}, { finish_reason }));
  expect(reply).toMatchObject({ text: "Perhaps B", finish, tokens: { input: 9, output: 3 } });
  expect(server.chats()).toHaveLength(1);
});

test("a part of the content that refuses is a refusal with its reason", async () => {
  const reply = await replyTo(completion([{ type: "refusal", refusal: "I cannot help." }]));
  expect(reply).toMatchObject({ text: "I cannot help.", finish: "refused" });
});

test("a call of a tool that was not offered is not recorded, since nothing runs it", async () => {
  const call = { id: "c", type: "function", function: { name: "zoom", arguments: "{}" } };
  const { models, calls } = rig(server, `openai:served${++served}`, { store: memoryStore() });
  server.answer(() => completion("B", { tool_calls: [call] }));
  await models.call(ask(["?"]));
  expect(calls).toMatchObject([{ text: "B" }]);
  expect(calls[0]?.tools).toBeUndefined();
});

test("a message without a role is a reply", async () => {
  const message = { message: { content: "Answer: B" } };
  const reply = await replyTo(completion("", {}, message));
  expect(reply).toMatchObject({ text: "Answer: B", finish: "stop" });
  expect(server.chats()).toHaveLength(1);
});

const LOOK = { name: "look", description: "Looks.", schema: { type: "object", properties: {} } };

test("of odd calls of tools each with a name is made", async () => {
  const calls = [
    { id: 7, function: { name: "look", arguments: { at_s: 1 } } },
    null,
    { id: "a", type: "custom", custom: { name: "look", input: "1" } },
    { type: "function", function: { name: "look" } },
    { id: "b", function: { name: "look", arguments: '{"at_s": 2' } },
  ];
  const reply = await replyTo(completion(null, { tool_calls: calls }), { tools: [LOOK] });
  expect(reply).toMatchObject({ finish: "tool-calls", tokens: { input: 9 } });
  expect(reply.toolCalls).toEqual([
    { id: "7", name: "look", arguments: { at_s: 1 } },
    { id: "call_1_1", name: "look", arguments: {} },
    { id: "b", name: "look", arguments: '{"at_s": 2' },
  ]);
  expect(server.chats()).toHaveLength(1);
});

const events = (...chunks: (object | string)[]) => ({
  headers: { "content-type": "text/event-stream" },
  body: chunks
    .map((chunk) => `data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`)
    .join(": waiting\r\n"),
});
const delta = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});

test("a stream of events that was not asked for is the completion that it makes", async () => {
  const call = (index: number, name: string, more: object) => ({
    tool_calls: [{ index, ...more, function: { name, arguments: '{"at_s":' } }],
  });
  const rest = (index: number, text: string) => ({
    tool_calls: [{ index, function: { arguments: text } }],
  });
  const reply = await replyTo(
    events(
      delta({ role: "assistant", content: "", reasoning_content: "Hm" }),
      delta({ reasoning_content: "m." }),
      delta({ content: "I " }),
      { choices: [{ index: 1, delta: { content: "(another)" } }] },
      delta({ content: "look." }),
      delta(call(0, "look", { id: "a" })),
      delta(call(1, "look", { id: "b" })),
      delta(rest(1, "2}")),
      delta(rest(0, "1}")),
      delta({}, "tool_calls"),
      { choices: [], usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 } },
      "[DONE]",
    ),
    { tools: [LOOK] },
  );
  expect(reply).toMatchObject({ text: "I look.", reasoning: "Hmm.", finish: "tool-calls" });
  expect(reply.tokens).toEqual({ input: 9, output: 3 });
  expect(reply.toolCalls).toEqual([
    { id: "a", name: "look", arguments: { at_s: 1 } },
    { id: "b", name: "look", arguments: { at_s: 2 } },
  ]);
  expect(server.chats()).toHaveLength(1);
});

test.each([
  ["that ends", events(delta({ content: "Answer: B" }), "[DONE]"), "stop", 1],
  ["that is cut", events(delta({ content: "Answer: B" })), "broken", 6],
])("a stream %s is as its end says", async (_name, stream, finish, requests) => {
  expect(await replyTo(stream)).toMatchObject({ text: "Answer: B", finish, estimated: true });
  expect(server.chats()).toHaveLength(requests);
});

test("a line separator within a reply does not end its event", async () => {
  const reply = await replyTo(events(delta({ content: "Answer:\u2028B" }, "stop"), "[DONE]"));
  expect(reply).toMatchObject({ text: "Answer:\u2028B", finish: "stop" });
  expect(server.chats()).toHaveLength(1);
});

const FAILED_CALL = {
  message: "Failed to call a function. Please adjust your prompt.",
  type: "invalid_request_error",
  code: "tool_use_failed",
  failed_generation: '<function=look{"at_s": 1}',
};

test.each([
  ["Groq", FAILED_CALL, 7],
  ["Groq, of arguments", { message: "parameters did not match", code: "tool_use_failed" }, 0],
  [
    "LiteLLM",
    {
      message: `litellm.BadRequestError: GroqException - ${JSON.stringify({ error: FAILED_CALL })}`,
      code: "400",
    },
    0,
  ],
])(
  "a failed call of a tool is a broken reply, which is asked for again: %s",
  async (_name, error, output) => {
    const reply = await replyTo(
      { status: 400, body: JSON.stringify({ error }) },
      { tools: [LOOK] },
    );
    expect(reply).toMatchObject({ text: "", finish: "broken", toolCalls: [], estimated: true });
    expect(reply.tokens.output).toBe(output);
    expect(reply.retried).toMatchObject({ requests: 5, output: 5 * output });
    expect(server.chats()).toHaveLength(6);
  },
);

test("a required call that the model did not make is refused, as by servers that require none", async () => {
  const message = "Tool choice is required, but model did not call a tool";
  const body = JSON.stringify({ error: { message, code: "tool_use_failed" } });
  await expect(
    replyTo({ status: 400, body }, { tools: [LOOK], toolChoice: "required" }),
  ).rejects.toMatchObject({ kind: "model-rejected", message: expect.stringContaining(message) });
  expect(server.chats()).toHaveLength(1);
});

test("a completion without choices is an empty reply, which is asked for again", async () => {
  const usage = { prompt_tokens: 9, completion_tokens: 0, total_tokens: 9 };
  const reply = await replyTo({ body: JSON.stringify({ choices: [], usage }) });
  expect(reply).toMatchObject({ text: "", finish: "empty", tokens: { input: 9, output: 0 } });
  expect(reply.retried).toMatchObject({ requests: 5, input: 45 });
  expect(server.chats()).toHaveLength(6);
});

test("an error in a stream has its own status", async () => {
  const error = { code: 402, message: "Insufficient credits" };
  await expect(replyTo(events(delta({ content: "A" }), { error }))).rejects.toMatchObject({
    kind: "model-rejected",
    message: expect.stringContaining("status 402. Server response: Insufficient credits"),
  });
});

test("a stream of too many events is unusable", async () => {
  await expect(replyTo({ body: "data: 1\n".repeat(100_001) })).rejects.toMatchObject({
    kind: "model-unusable",
    message: expect.stringContaining("made of more than 100000 events"),
  });
});

test.each([
  [500, { error: { code: 500, message: "tools param requires --jinja flag" } }],
  [500, { error: { code: 500, message: "image input is not supported" } }],
  [200, { error: "Unexpected endpoint or method. (POST /chat/completions)" }],
])("%i with %j is reported after one request", async (status, body) => {
  const said = typeof body.error === "string" ? body.error : body.error.message;
  const hint = "(check the model's name and the base URL: it usually ends in /v1)";
  await expect(replyTo({ status, body: JSON.stringify(body) })).rejects.toMatchObject({
    kind: "model-rejected",
    message: expect.stringContaining(
      ` refused the request: ${server.url} returned status ${status === 200 ? `404. Server response: ${said} ${hint}` : `500. Server response: ${said}`}`,
    ),
  });
  expect(server.chats()).toHaveLength(1);
});

test.each([
  [[{ type: "reasoning", text: null }]],
  [[{ type: "reasoning", text: "Perhaps A." }]],
  [[{ type: "thinking", thinking: [{ type: "text", text: "Perhaps A." }] }]],
])("of a list of parts after %j only the text is read", async (before) => {
  const reply = await replyTo(completion([...before, { type: "text", text: "Answer: B" }]));
  expect(reply).toMatchObject({ text: "Answer: B", finish: "stop" });
});

test.each([
  [400, { code: "content_filter", message: "The response was filtered" }],
  [400, { code: "400", innererror: { code: "ResponsibleAIPolicyViolation" }, message: "filtered" }],
  [
    400,
    { code: "400", message: "litellm.BadRequestError: litellm.ContentPolicyViolationError: no" },
  ],
  [
    400,
    { code: "data_inspection_failed", message: "Input data may contain inappropriate content." },
  ],
  [403, { code: 403, message: "moderation", metadata: { reasons: ["x"], flagged_input: "..." } }],
])("a prompt that a filter refuses by %i is a refusal: %j", async (status, error) => {
  const reply = await replyTo({ status, body: JSON.stringify({ error }) });
  expect(reply).toMatchObject({
    ...{ finish: "refused", text: "content_filter", estimated: true },
    tokens: { input: 1, output: 0 },
  });
  expect(server.chats()).toHaveLength(1);
});

test("another error 400 is no refusal", async () => {
  const error = { code: "invalid_image", message: "content_filter of the image is invalid" };
  await expect(replyTo({ status: 400, body: JSON.stringify({ error }) })).rejects.toMatchObject({
    kind: "model-rejected",
  });
});
