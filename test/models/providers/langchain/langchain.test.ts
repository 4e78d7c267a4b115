import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { isFailure } from "../../../../src/core/errors.ts";
import type { ChatRequest, Message } from "../../../../src/models/chat.ts";
import { fullName } from "../../../../src/models/name.ts";
import {
  type ModelServer,
  meanColour,
  type Reply,
  startModelServer,
} from "../../../support/model-server.ts";
import { ask, memoryStore, putFrame, rig } from "../../setup.ts";

/* The real integration packages of Anthropic and Ollama against servers that speak their protocols. */

const KEY = "sk-ant-test-0123456789";
const CLAUDE = "langchain:anthropic:claude-sonnet-4-5";
const QWEN = "langchain:ollama:qwen2.5vl:7b";
const BOTH = [
  { protocol: "anthropic", model: CLAUDE },
  { protocol: "ollama", model: QWEN },
] as const;
const USAGE = { input: 120, output: 30 };

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(() => "A");
});
afterAll(() => server.close());
beforeEach(() => {
  vi.stubEnv("ANTHROPIC_API_KEY", KEY);
  server.reset();
});

const overview = {
  name: "overview",
  description: "Show frames of a part of the video.",
  schema: z.object({ from_s: z.number().describe("seconds") }),
};

async function failureOf(work: Promise<unknown>) {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!isFailure(error)) throw new Error(`Not a Failure: ${String(error)}`);
  return error;
}

function script(...replies: (Reply | string)[]) {
  let next = 0;
  server.answer(() => replies[Math.min(next++, replies.length - 1)] ?? "A");
}

describe.each(BOTH)("$model", ({ protocol, model }) => {
  test("sends the system message, pictures in their order, and the given settings", async () => {
    script({ text: "C", usage: USAGE });
    const store = memoryStore();
    const frames = [await putFrame(store, "#ff0000", 1), await putFrame(store, "#0000ff", 2)];
    const { models, calls, ledger } = rig(server, model, {
      store,
      prices: { [model]: { input: 3, output: 15 } },
    });
    const call = ask(["Which colour is first?", ...frames]);
    call.request.messages.unshift({ role: "system", text: "Answer with a letter." });
    const result = await models.call(call);
    expect(result).toMatchObject({
      status: "replied",
      cached: false,
      reply: { text: "C", finish: "stop", tokens: USAGE },
      usage: { calls: 1, frames: 2, ...USAGE, cost: (120 * 3 + 30 * 15) / 1e6 },
    });
    const [request, ...others] = server.requests;
    expect(others).toEqual([]);
    expect(request).toMatchObject({
      protocol,
      model: model.split(":").slice(2).join(":"),
      system: "Answer with a letter.",
      texts: ["Answer with a letter.", "Which colour is first?"],
      maxTokens: 64,
      temperature: 0,
    });
    const colours = await Promise.all((request?.images ?? []).map(meanColour));
    expect(colours.map(([red, , blue]) => (red > blue ? "red" : "blue"))).toEqual(["red", "blue"]);
    expect(calls).toMatchObject([{ model, cached: false, usage: { ...USAGE } }]);
    expect(ledger.spent().tokens).toBe(150);
  });

  test("a stored reply is not requested again", async () => {
    script({ text: "B", usage: USAGE });
    const store = memoryStore();
    const first = await rig(server, model, { store }).models.call(ask(["Once?"]));
    const again = await rig(server, model, { store, run: "run-2" }).models.call(ask(["Once?"]));
    expect(server.requests.length).toBe(1);
    expect(again).toMatchObject({ status: "replied", cached: true, usage: { paid: 0, ...USAGE } });
    expect(again).toMatchObject({ reply: first.status === "replied" ? first.reply : null });
  });

  test("tool calls are sent back with their results, over two turns", async () => {
    script({
      text: "Let me look.",
      toolCalls: [
        { name: "overview", arguments: { from_s: 3 } },
        { name: "overview", arguments: { from_s: 9 } },
      ],
      usage: USAGE,
    });
    const store = memoryStore();
    const frame = await putFrame(store, "#00ff00", 3);
    const { models } = rig(server, model, { store });
    const question: Message = { role: "user", parts: [{ type: "text", text: "What is it?" }] };
    const more: Partial<ChatRequest> = { tools: [overview], toolChoice: "required" };
    const first = await models.call(ask([], { ...more, messages: [question] }));
    if (first.status !== "replied") throw new Error("no reply");
    const { toolCalls, finish, text } = first.reply;
    expect({ finish, text }).toEqual({ finish: "tool-calls", text: "Let me look." });
    expect(toolCalls.map((call) => [call.name, call.arguments])).toEqual([
      ["overview", { from_s: 3 }],
      ["overview", { from_s: 9 }],
    ]);
    expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(2);
    expect(server.requests[0]).toMatchObject({
      tools: [
        {
          name: "overview",
          description: "Show frames of a part of the video.",
          parameters: {
            type: "object",
            properties: { from_s: { type: "number", description: "seconds" } },
            required: ["from_s"],
          },
        },
      ],
      toolChoice: protocol === "ollama" ? "" : "required",
    });

    script({ text: "D", usage: USAGE });
    const results = toolCalls.map(
      ({ id, name }, index): Message => ({
        role: "tool",
        toolCallId: id,
        name,
        parts: [
          { type: "text", text: `frame ${index}` },
          ...(index === 0 ? [{ type: "image" as const, frame }] : []),
        ],
      }),
    );
    const second = await models.call(
      ask([], {
        tools: [overview],
        messages: [question, { role: "assistant", text, toolCalls }, ...results],
      }),
    );
    expect(second).toMatchObject({ reply: { text: "D", finish: "stop" } });
    const [, request] = server.requests;
    expect(request?.toolCalls.map((call) => [call.name, call.arguments])).toEqual([
      ["overview", { from_s: 3 }],
      ["overview", { from_s: 9 }],
    ]);
    expect(request?.toolResults.map((result) => result.text)).toEqual([
      "frame 0\n(1 picture in the next message)",
      "frame 1",
    ]);
    expect(request?.images.length).toBe(1);
    if (protocol === "anthropic")
      expect(request?.toolResults.map(({ id }) => id)).toEqual(toolCalls.map(({ id }) => id));
  });

  test("retries as every provider does, and counts the requests", async () => {
    script(
      { status: 429, headers: { "retry-after": "0.01" } },
      { status: 429 },
      { status: 529 },
      { drop: "before" },
      { drop: "middle" },
      { text: "A", usage: USAGE },
    );
    const result = await rig(server, model).models.call(ask(["Busy?"]));
    expect(result).toMatchObject({ status: "replied", usage: USAGE });
    expect(server.requests.map(({ status }) => status)).toEqual([429, 429, 529, -1, -1, 200]);
  });

  test.each<[string, Reply, string, number, RegExp]>([
    ["429 to the end", { status: 429, text: "slow down" }, "model-overloaded", 8, /slow down/],
    ["400", { status: 400, text: "bad image" }, "model-rejected", 1, /status 400.*bad image/],
    ["401", { status: 401, text: `no ${KEY}` }, "model-rejected", 1, /status 401.*no \(key\)/],
    ["404", { status: 404, text: "no model" }, "model-rejected", 1, /check the model's name/],
    ["an HTML page", { body: "<html>hello</html>" }, "model-unusable", 4, /protocol of/],
    ["an object of something else", { body: '{"a":1}' }, "model-unusable", 4, /@langchain\//],
    ["an error in a 200", { body: '{"error":"out of memory"}' }, "model-overloaded", 8, /memory/],
  ])("%s gives its kind of failure", async (_name, reply, kind, requests, words) => {
    // Only Anthropic is sent a key that its server could repeat.
    if (protocol === "ollama" && reply.status === 401) return;
    script(reply);
    const failure = await failureOf(rig(server, model).models.call(ask(["What?"])));
    expect(failure.message).toMatch(words);
    expect(failure.kind).toBe(kind);
    expect(server.requests.length).toBe(requests);
    expect(JSON.stringify([failure.message, failure.facts])).not.toContain(KEY);
  });

  test("a redirect to another server is not followed, and a reply beyond the limit not read", async () => {
    script({ status: 307, headers: { location: "http://127.0.0.1:1/elsewhere" } });
    const away = await failureOf(rig(server, model).models.call(ask(["Where?"])));
    expect(away.message).toContain("redirects requests");
    expect(server.requests.length).toBe(1);
    script("a long reply ".repeat(200));
    const runtime = { max_reply_mb: 0.001 };
    const large = await failureOf(rig(server, model, { runtime }).models.call(ask(["How long?"])));
    expect(large.kind).toBe("model-unusable");
    expect(large.message).toContain("the limit of --max-reply-mb");
  });

  test("an unreachable server is named", async () => {
    const gone = await startModelServer(() => "A");
    await gone.close();
    const failure = await failureOf(rig(gone, model).models.call(ask(["Anybody?"])));
    expect(failure.kind).toBe("model-unreachable");
    expect(failure.message).toContain(`Cannot connect to the model server at ${gone.url}`);
  });

  test("cancelling ends the request at the server", async () => {
    script({ text: "late", delay_ms: 20_000 });
    const stop = new AbortController();
    const work = failureOf(
      rig(server, model, { signal: stop.signal }).models.call(ask(["Still there?"])),
    );
    await vi.waitFor(() => expect(server.inFlight()).toBe(1));
    stop.abort();
    expect((await work).kind).toBe("cancelled");
    await vi.waitFor(() => expect(server.requests[0]?.aborted).toBe(true));
  });

  test("a late reply is aborted and requested again", async () => {
    script({ text: "late", delay_ms: 20_000 });
    const work = rig(server, model, { runtime: { call_timeout_s: 0.25 } }).models.call(ask(["?"]));
    const failure = await failureOf(work);
    expect(failure.message).toContain("Allow more with --call-timeout.");
    await expect.poll(() => server.requests.length).toBe(3);
  });

  test("the limit of calls in flight is respected", async () => {
    script({ text: "A", delay_ms: 30 });
    const { models } = rig(server, model, { runtime: { max_connections: 2 } });
    await Promise.all([1, 2, 3, 4, 5].map((n) => models.call(ask([`question ${n}`]))));
    expect(server.requests.length).toBe(5);
    expect(server.maxInFlight()).toBe(2);
  });

  test("reasoning is separate from the text, and reasons for the end are distinguished", async () => {
    script(
      { text: "B", reasoning: "It is red. ", usage: { input: 5, output: 2, thinking: 7 } },
      { text: "The first", finish: "length" },
      ...(protocol === "anthropic" ? [{ refusal: "I cannot help." }] : [{ text: "no" }]),
    );
    const { models } = rig(server, model);
    const reply = async (text: string) => {
      const result = await models.call(ask([text]));
      return result.status === "replied" ? result.reply : null;
    };
    expect(await reply("1")).toMatchObject({
      text: "B",
      reasoning: "It is red. ",
      tokens: { input: 5, output: 9 },
    });
    expect(await reply("2")).toMatchObject({ text: "The first", finish: "length" });
    if (protocol === "anthropic")
      expect(await reply("3")).toMatchObject({ text: "I cannot help.", finish: "refused" });
  });

  test("members of --extra-body and headers of --header are sent", async () => {
    vi.stubEnv("GATEWAY", "secret-of-the-gateway");
    script("A");
    const { models } = rig(server, model, { runtime: { headers: "x-gateway=$GATEWAY" } });
    await models.call(
      ask(["?"], { extraBody: { options: { num_ctx: 8192 }, service_tier: "auto" } }),
    );
    const [request] = server.requests;
    expect(request?.headers["x-gateway"]).toBe("secret-of-the-gateway");
    expect(request?.body).toMatchObject({ options: { num_ctx: 8192 }, service_tier: "auto" });
    if (protocol === "ollama")
      expect(request?.body).toMatchObject({ options: { num_predict: 64, temperature: 0 } });
  });
});

test("both spellings of a name are the same model", async () => {
  expect(fullName("anthropic:claude-sonnet-4-5")).toBe(CLAUDE);
  const store = memoryStore();
  script({ text: "A", usage: USAGE });
  const prices = { [CLAUDE]: { input: 3, output: 15 } };
  await rig(server, CLAUDE, { store, prices }).models.call(ask(["Same?"]));
  const again = await rig(server, "anthropic:claude-sonnet-4-5", { store, prices }).models.call(
    ask(["Same?"]),
  );
  expect(again).toMatchObject({ cached: true, usage: { cost: (120 * 3 + 30 * 15) / 1e6 } });
  expect(server.requests.length).toBe(1);
});

test("a call of a tool that Groq refuses as failed is requested again", async () => {
  vi.stubEnv("OPENAI_API_KEY", KEY);
  const error = { message: "Failed to call a function.", code: "tool_use_failed" };
  const failed = { status: 400, body: JSON.stringify({ error }) };
  script(failed, { toolCalls: [{ name: "overview", arguments: { from_s: 3 } }], usage: USAGE });
  // The package of Groq is not installed; that of OpenAI speaks the same protocol.
  const { models } = rig(server, "langchain:openai:llama-3.3");
  const result = await models.call(ask(["What is it?"], { tools: [overview] }));
  expect(result).toMatchObject({
    reply: {
      finish: "tool-calls",
      toolCalls: [{ name: "overview", arguments: { from_s: 3 } }],
      retried: { requests: 1 },
    },
  });
  expect(server.requests.map(({ status }) => status)).toEqual([400, 200]);
  script(failed);
  const broken = await models.call(ask(["And now?"], { tools: [overview] }));
  expect(broken).toMatchObject({ reply: { text: "", finish: "broken" } });
  expect(server.requests).toHaveLength(8);
});
