import { afterAll, beforeEach, expect, test } from "vitest";
import { startModelServer } from "../support/model-server.ts";
import { ask, rig } from "./setup.ts";

/* The tokens of a reply where the server counts none, only some, or says 0. The request is 4 tokens by estimate. */

const QUESTION = "sixteen letters.";
const server = await startModelServer(() => "A");
afterAll(() => server.close());
beforeEach(() => server.reset());

async function tokensOf(model: string, body: object) {
  server.answer(() => ({ body: JSON.stringify(body) }));
  const prices = { [model]: { input: 1, output: 10 } };
  const result = await rig(server, model, { prices }).models.call(ask([QUESTION]));
  if (result.status !== "replied") throw new Error(`no reply: ${result.status}`);
  const { tokens, estimated = false } = result.reply;
  const { cost } = result.usage;
  expect(cost).toBeCloseTo((tokens.input + 10 * tokens.output) / 1e6, 12);
  return { ...tokens, estimated };
}

const completion = (message: object, usage?: unknown) => ({
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", ...message } }],
  ...(usage === undefined ? {} : { usage }),
});
const call = { id: "c", type: "function", function: { name: "zoom", arguments: '{"at":"12345"}' } };
const ANSWER = { content: "Answer B" };

test.each<[string, object, unknown, object]>([
  [
    "reasoning without usage",
    { ...ANSWER, reasoning_content: "x".repeat(4000) },
    undefined,
    { input: 4, output: 1002, reasoning: 1000, estimated: true },
  ],
  [
    "a call of a tool without usage",
    { content: "", tool_calls: [call] },
    undefined,
    // zoom{"at":"12345"}
    { input: 4, output: 5, estimated: true },
  ],
  [
    "zeros",
    ANSWER,
    { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    { input: 4, output: 2, estimated: true },
  ],
  [
    "counts that are not whole",
    ANSWER,
    {
      prompt_tokens: 10.5,
      completion_tokens: 2.5,
      completion_tokens_details: { reasoning_tokens: 1.5 },
      prompt_tokens_details: { cached_tokens: 0.5 },
    },
    { input: 4, output: 2, estimated: true },
  ],
  ["no member of usage", ANSWER, {}, { input: 4, output: 2, estimated: true }],
  ["the prompt only", ANSWER, { prompt_tokens: 900 }, { input: 900, output: 2, estimated: true }],
  [
    "the prompt and the reasoning",
    ANSWER,
    { prompt_tokens: 900, completion_tokens_details: { reasoning_tokens: 50 } },
    { input: 900, output: 52, reasoning: 50, estimated: true },
  ],
  [
    "the completion only",
    ANSWER,
    { prompt_tokens: null, completion_tokens: 30 },
    { input: 4, output: 30, estimated: true },
  ],
  [
    "the prompt and the total",
    ANSWER,
    { prompt_tokens: 900, total_tokens: 950 },
    { input: 900, output: 50, estimated: false },
  ],
  [
    "a prompt of 0, the completion and the total",
    ANSWER,
    { prompt_tokens: 0, completion_tokens: 30, total_tokens: 930 },
    { input: 900, output: 30, estimated: false },
  ],
  [
    "thinking in the total only, as Gemini",
    ANSWER,
    { prompt_tokens: 20, completion_tokens: 151, total_tokens: 553 },
    { input: 20, output: 533, estimated: false },
  ],
  [
    "a total that is too small",
    ANSWER,
    { prompt_tokens: 900, completion_tokens: 30, total_tokens: 910 },
    { input: 900, output: 30, estimated: false },
  ],
  [
    "everything",
    ANSWER,
    { prompt_tokens: 900, completion_tokens: 30, total_tokens: 930 },
    { input: 900, output: 30, estimated: false },
  ],
])("OpenAI-compatible servers that count %s", async (_name, message, usage, tokens) => {
  expect(await tokensOf("openai:served", completion(message, usage))).toEqual(tokens);
});

const THOUGHTS = { text: "x".repeat(400), thought: true };
const gemini = (parts: object[], usageMetadata?: unknown) => ({
  candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }],
  ...(usageMetadata === undefined ? {} : { usageMetadata }),
});
const SAID = { text: "Answer B" };

test.each<[string, object, object]>([
  [
    "nothing, with thoughts",
    gemini([THOUGHTS, SAID]),
    { input: 4, output: 102, reasoning: 100, estimated: true },
  ],
  [
    "nothing, with a call of a tool",
    gemini([{ functionCall: { name: "zoom", args: { at: "12345" } } }]),
    { input: 4, output: 5, estimated: true },
  ],
  [
    "nothing, with a call without arguments",
    gemini([{ functionCall: { name: "overview" } }]),
    { input: 4, output: 3, estimated: true },
  ],
  ["no member", gemini([SAID], {}), { input: 4, output: 2, estimated: true }],
  [
    "no total",
    gemini([SAID], { promptTokenCount: 900, candidatesTokenCount: 20, thoughtsTokenCount: 300 }),
    { input: 900, output: 320, reasoning: 300, estimated: false },
  ],
  [
    "the prompt only",
    gemini([SAID], { promptTokenCount: 900 }),
    { input: 900, output: 2, estimated: true },
  ],
  [
    "all but the prompt",
    gemini([SAID], { candidatesTokenCount: 20, totalTokenCount: 920 }),
    { input: 900, output: 20, estimated: false },
  ],
  [
    "a blocked prompt",
    {
      promptFeedback: { blockReason: "SAFETY" },
      usageMetadata: { promptTokenCount: 900, totalTokenCount: 900 },
    },
    { input: 900, output: 0, estimated: false },
  ],
])("Gemini that counts %s", async (_name, body, tokens) => {
  expect(await tokensOf("google-genai:gemini-2.5-flash", body)).toEqual(tokens);
});
