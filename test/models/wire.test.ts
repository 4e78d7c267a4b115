import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { sha256 } from "../../src/core/hash.ts";
import type { CallResult, Message } from "../../src/models/chat.ts";
import { meanColour, type Script, startModelServer } from "../support/model-server.ts";
import { ask, BOTH, GOOGLE_KEY, memoryStore, OPENAI_KEY, putFrame, rig } from "./setup.ts";

const server = await startModelServer(() => "A");
afterAll(() => server.close());
beforeEach(() => server.reset());

function answered(result: CallResult) {
  if (result.status !== "replied") throw new Error(`no reply: ${result.status}`);
  return result;
}

describe.each(BOTH)("$model over the wire", ({ protocol, model }) => {
  const answer = (script: Script) => server.answer(script);

  test("text, frames and parameters arrive as given, in their order", async () => {
    answer(() => "Correct order: 2, 1");
    const store = memoryStore();
    const red = await putFrame(store, "#ff0000", 1.5);
    const blue = await putFrame(store, "#0000ff", 9);
    const { models } = rig(server, model, { store });
    const call = ask(["at 0:01", red, "at 0:09", blue, "Which was first?"], {
      maxTokens: 77,
      temperature: 0.5,
      seed: 11,
    });
    call.request.messages.unshift({ role: "system", text: "You watch videos." });
    const { reply, usage, cached } = answered(await models.call(call));

    const [seen] = server.chats();
    expect(seen?.protocol).toBe(protocol);
    expect(seen?.model).toBe(model.slice(model.indexOf(":") + 1));
    expect(seen?.system).toBe("You watch videos.");
    expect(
      seen?.messages[1]?.parts.map((part) => (part.type === "text" ? part.text : part.type)),
    ).toEqual(["at 0:01", "image", "at 0:09", "image", "Which was first?"]);
    expect(seen?.images.map((image) => sha256(image))).toEqual([red.hash, blue.hash]);
    const [r, , b] = await meanColour(seen?.images[0] ?? Buffer.alloc(0));
    expect(r).toBeGreaterThan(200);
    expect(b).toBeLessThan(50);
    expect(seen).toMatchObject({ maxTokens: 77, temperature: 0.5, seed: 11, tools: [] });
    expect(reply).toMatchObject({ text: "Correct order: 2, 1", finish: "stop", toolCalls: [] });
    expect({ cached, calls: usage.calls, frames: usage.frames }).toEqual({
      cached: false,
      calls: 1,
      frames: 2,
    });
  });

  test("tools, their results and their pictures are sent in both directions", async () => {
    answer(({ toolResults }) =>
      toolResults.length === 0
        ? {
            toolCalls: [
              { name: "zoom", arguments: { at_s: 3 } },
              { name: "read_text", arguments: { at_s: 4 } },
            ],
          }
        : "done",
    );
    const store = memoryStore();
    const green = await putFrame(store, "#00ff00", 3);
    const { models } = rig(server, model, { store });
    const tools = ["zoom", "read_text"].map((name) => ({
      name,
      description: `${name} a frame`,
      schema: z.object({
        at_s: z.number().positive().describe("seconds"),
        box: z.object({ x: z.int() }).nullable().optional(),
      }),
    }));
    const call = ask(["What does the sign say?"], { tools });
    const first = answered(await models.call(call));
    expect(first.reply.finish).toBe("tool-calls");
    expect(first.reply.toolCalls.map(({ name, arguments: given }) => ({ name, given }))).toEqual([
      { name: "zoom", given: { at_s: 3 } },
      { name: "read_text", given: { at_s: 4 } },
    ]);

    const [zoom, read] = first.reply.toolCalls;
    const messages: Message[] = [
      ...call.request.messages,
      { role: "assistant", text: first.reply.text, toolCalls: first.reply.toolCalls },
      {
        role: "tool",
        toolCallId: zoom?.id ?? "",
        name: "zoom",
        parts: [
          { type: "text", text: "frame at 0:03" },
          { type: "image", frame: green },
        ],
      },
      {
        role: "tool",
        toolCallId: read?.id ?? "",
        name: "read_text",
        parts: [{ type: "text", text: "EXIT" }],
      },
    ];
    const next = ask([], { tools, messages, toolChoice: "none" });
    const second = answered(await models.call(next));
    expect(second.reply).toMatchObject({ text: "done", finish: "stop" });

    const seen = server.chats()[1];
    expect(seen?.tools.map(({ name }) => name)).toEqual(["zoom", "read_text"]);
    expect(JSON.stringify(seen?.tools)).toContain("seconds");
    if (protocol === "google") expect(JSON.stringify(seen?.tools)).not.toMatch(/exclusive|"null"/);
    expect(seen?.toolChoice).toBe("none");
    expect(seen?.toolCalls.map(({ name, arguments: given }) => [name, given])).toEqual([
      ["zoom", { at_s: 3 }],
      ["read_text", { at_s: 4 }],
    ]);
    expect(seen?.toolResults.map(({ name, text }) => [name, text])).toEqual([
      ["zoom", "frame at 0:03\n(1 picture in the next message)"],
      ["read_text", "EXIT"],
    ]);
    expect(seen?.images.map((image) => sha256(image))).toEqual([green.hash]);
    const last = seen?.messages.at(-1);
    expect(last?.role).toBe("user");
    // Gemini takes all results of a turn in one content, with their pictures; elsewhere each result is a message.
    const results = protocol === "google" ? ["text", "text"] : [];
    expect(last?.parts.map(({ type }) => type)).toEqual([...results, "text", "image"]);
  });

  test("video and sound are sent unchanged", async () => {
    answer(() => "A");
    const store = memoryStore();
    const video = await store.blobs.put("v", Buffer.from("a little video"), "mp4");
    const audio = await store.blobs.put("v", Buffer.from("a little sound"), "wav");
    const { models } = rig(server, model, { store });
    const call = ask(["What is heard?"]);
    call.request.messages = [
      {
        role: "user",
        parts: [
          { type: "video", hash: video.hash, mime: "video/mp4" },
          { type: "audio", hash: audio.hash, mime: "audio/wav" },
          { type: "text", text: "What is heard?" },
        ],
      },
    ];
    await models.call(call);
    const [seen] = server.chats();
    expect(seen?.parts.map(({ type }) => type)).toEqual(["video", "audio", "text"]);
    expect(seen?.videos[0]?.toString()).toBe("a little video");
    expect(seen?.audios[0]?.toString()).toBe("a little sound");
  });

  test("thinking tokens count as output, and the price table gives the cost", async () => {
    answer(() => ({ text: "A", usage: { input: 1_000_000, output: 100_000, thinking: 100_000 } }));
    const { models, calls, ledger } = rig(server, model);
    const { reply, usage } = answered(await models.call(ask(["?"])));
    expect(reply.tokens).toEqual({ input: 1_000_000, output: 200_000, reasoning: 100_000 });
    const cost = protocol === "openai" ? 2 + 1.6 : 0.3 + 0.5;
    expect(usage.cost).toBeCloseTo(cost, 9);
    expect(usage.paid).toBeCloseTo(cost, 9);
    expect(calls[0]?.usage).toEqual(usage);
    expect(ledger.spent()).toMatchObject({ calls: 1, tokens: 1_200_000 });
  });

  test.each([
    ["length", { text: "The clips are", finish: "length" }, "length", "The clips are"],
    ["a refusal", { refusal: "PROHIBITED_CONTENT" }, "refused", "PROHIBITED_CONTENT"],
    ["a filtered reply", { text: "No.", finish: "refused" }, "refused", "No."],
    ["all tokens thought away", { empty: true, finish: "length" }, "length", ""],
  ])(
    "a reply that ends by %s reports it and is requested once",
    async (_name, said, finish, text) => {
      answer(() => said);
      const { models, calls } = rig(server, model);
      const { reply } = answered(await models.call(ask(["?"])));
      expect({ finish: reply.finish, text: reply.text }).toEqual({ finish, text });
      expect(calls[0]?.finish).toBe(finish);
      expect(server.chats()).toHaveLength(1);
    },
  );

  test("keys are sent and appear nowhere else", async () => {
    answer(() => ({ status: 401, text: `wrong key ${OPENAI_KEY} or ${GOOGLE_KEY}` }));
    const { models, calls } = rig(server, model);
    const error = await models.call(ask(["?"])).catch((thrown: unknown) => thrown);
    const own = protocol === "openai" ? OPENAI_KEY : GOOGLE_KEY;
    const facts = error instanceof Error && "facts" in error ? error.facts : null;
    expect(JSON.stringify([String(error), facts, calls])).not.toContain(own);
    expect(
      server.chats()[0]?.headers[protocol === "openai" ? "authorization" : "x-goog-api-key"],
    ).toBe("(redacted)");
  });
});

test("log-probabilities of the first token are read from OpenAI's protocol if requested", async () => {
  server.answer(() => ({ text: "A", logprobs: { A: -0.1, B: -2.4 } }));
  const { models } = rig(server, "openai:Qwen/Qwen2.5-VL-7B-Instruct");
  const { reply } = answered(await models.call(ask(["A or B?"], { logprobs: true })));
  expect(reply.logprobs).toEqual({ A: -0.1, B: -2.4 });
  expect(server.chats()[0]).toMatchObject({ logprobs: true, model: "Qwen/Qwen2.5-VL-7B-Instruct" });
});

test.each([
  [400, "logprobs is not supported by this engine"],
  [403, "You are not allowed to request logprobs from this model"],
])(
  "a server that refuses log-probabilities by %i is asked without them from then on",
  async (status, text) => {
    server.answer(({ logprobs }) => (logprobs ? { status, text } : "B"));
    const { models } = rig(server, `openai:no-logprobs-${status}`);
    for (const question of ["First?", "Second?"]) {
      const { reply } = answered(await models.call(ask([question], { logprobs: true })));
      expect(reply).toMatchObject({ text: "B", finish: "stop" });
      expect(reply.logprobs).toBeUndefined();
    }
    expect(server.chats().map((request) => request.logprobs)).toEqual([true, false, false]);
  },
);

test("reasoning models get no temperature", async () => {
  server.answer(() => "A");
  const { models } = rig(server, "openai:o4-mini");
  await models.call(ask(["?"], { temperature: 0 }));
  expect(server.chats()[0]).toMatchObject({ temperature: null, maxTokens: 64 });
});

test("no model's name switches the client from chat completions", async () => {
  server.answer(() => "A");
  const { models } = rig(server, "openai:my-codex");
  expect(answered(await models.call(ask(["?"]))).reply.text).toBe("A");
});

test("malformed optional members do not invalidate a reply", async () => {
  const choice = {
    message: { content: [{ type: "text", text: "A" }], role: "assistant" },
    logprobs: { content: [{ token: "A", top_logprobs: null }] },
    finish_reason: null,
  };
  server.answer(() => ({
    body: JSON.stringify({ choices: [choice], usage: { prompt_tokens: "3" } }),
  }));
  const { reply } = answered(await rig(server, "openai:x").models.call(ask(["?"])));
  expect(reply).toMatchObject({ text: "A", finish: "stop" });
  expect(reply.logprobs).toBeUndefined();
});

test.each<[string, unknown, unknown]>([
  ["as an object", { at_s: 3 }, { at_s: 3 }],
  ["as JSON in a text", '{"at_s":3}', { at_s: 3 }],
  ["that are no JSON", '{"at_s": 3, ', '{"at_s": 3, '],
  ["as nothing", null, {}],
])("arguments of a tool call %s are read, and nothing is printed", async (_name, given, read) => {
  const call = { id: "c", type: "function", function: { name: "zoom", arguments: given } };
  const choice = { message: { role: "assistant", content: null, tool_calls: [call] } };
  server.answer(() => ({ body: JSON.stringify({ choices: [choice] }) }));
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const { reply } = answered(await rig(server, "openai:x").models.call(ask(["?"])));
  expect(reply).toMatchObject({
    finish: "tool-calls",
    toolCalls: [{ id: "c", name: "zoom", arguments: read }],
  });
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});

test("tokens are estimated if the server does not count them", async () => {
  server.answer(() => ({
    body: JSON.stringify({ choices: [{ message: { role: "assistant", content: "abcdefgh" } }] }),
  }));
  const { models } = rig(server, "openai:llava:13b");
  const { reply, usage } = answered(await models.call(ask(["x".repeat(400)])));
  expect(reply).toMatchObject({
    text: "abcdefgh",
    finish: "stop",
    tokens: { input: 100, output: 2 },
  });
  expect(usage.cost).toBeNull();
});

describe("results of several calls for Gemini", () => {
  const GEMINI = "google-genai:gemini-3-pro";
  const call = (id: string, name: string) => ({ functionCall: { id, name, args: { at_s: 1 } } });
  const tools = ["zoom", "calculate"].map((name) => ({
    name,
    description: name,
    schema: z.object({ at_s: z.number() }),
  }));
  const resultOf = ({ id, name }: { id: string; name: string }): Message => ({
    ...{ role: "tool", toolCallId: id, name },
    parts: [{ type: "text", text: `result of ${name}` }],
  });

  async function contentsAfter(
    parts: object[],
    order: (results: Message[]) => Message[],
  ): Promise<unknown> {
    const content = { role: "model", parts };
    server.answer(({ toolResults }) =>
      toolResults.length > 0
        ? "done"
        : { body: JSON.stringify({ candidates: [{ content, finishReason: "STOP" }] }) },
    );
    const { models } = rig(server, GEMINI);
    const asked = ask(["?"], { tools });
    const { reply } = answered(await models.call(asked));
    const { text, toolCalls, own } = reply;
    const turn: Message = { role: "assistant", text, toolCalls, ...(own ? { own } : {}) };
    const messages = [...asked.request.messages, turn, ...order(toolCalls.map(resultOf))];
    await models.call(ask([], { tools, messages }));
    const body = server.chats().at(-1)?.body as { contents: unknown[] } | undefined;
    return body?.contents.slice(2);
  }

  const response = (name: string, id?: string) => ({
    functionResponse: {
      ...(id === undefined ? {} : { id }),
      ...{ name, response: { result: `result of ${name}` } },
    },
  });

  test("are one content in the order of the calls, with the ids of Gemini", async () => {
    const parts = [{ ...call("g1", "zoom"), thoughtSignature: "S" }, call("g2", "calculate")];
    expect(await contentsAfter(parts, (results) => results.reverse())).toEqual([
      { role: "user", parts: [response("zoom", "g1"), response("calculate", "g2")] },
    ]);
  });

  test("have ids without a signature, and none that Gemini did not give", async () => {
    const withIds = [call("g1", "zoom"), call("g2", "calculate")];
    expect(await contentsAfter(withIds, (results) => results)).toEqual([
      { role: "user", parts: [response("zoom", "g1"), response("calculate", "g2")] },
    ]);
    const bare = ["zoom", "calculate"].map((name) => ({
      functionCall: { name, args: { at_s: 1 } },
    }));
    expect(await contentsAfter(bare, (results) => results)).toEqual([
      { role: "user", parts: [response("zoom"), response("calculate")] },
    ]);
  });

  test("the result of a single call has no id", async () => {
    const parts = [{ ...call("g1", "zoom"), thoughtSignature: "S" }];
    expect(await contentsAfter(parts, (results) => results)).toEqual([
      { role: "user", parts: [response("zoom")] },
    ]);
  });
});

test.each([
  ["models/gemini-2.5-flash", "/v1beta/models/gemini-2.5-flash:generateContent"],
  ["gemini-2.5-flash", "/v1beta/models/gemini-2.5-flash:generateContent"],
  ["tunedModels/mine", "/v1beta/tunedModels/mine:generateContent"],
])("google-genai:%s is asked at %s", async (model, path) => {
  server.answer(() => "A");
  const { models, calls } = rig(server, `google-genai:${model}`);
  await models.call(ask(["?"]));
  expect(server.requests.at(-1)?.path).toMatch(new RegExp(`${path}$`));
  expect(calls[0]?.model).toBe(`google-genai:${model.replace(/^models\//, "")}`);
  expect(calls[0]?.usage.cost === null).toBe(model === "tunedModels/mine");
});
