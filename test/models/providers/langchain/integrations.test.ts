import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { MODEL_PROVIDER_CONFIG } from "langchain/chat_models/universal";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { isFailure } from "../../../../src/core/errors.ts";
import { readSettings } from "../../../../src/core/settings.ts";
import { AttemptError } from "../../../../src/models/attempt.ts";
import type { Message } from "../../../../src/models/chat.ts";
import { chatTarget } from "../../../../src/models/chat-target.ts";
import { INTEGRATIONS } from "../../../../src/models/providers/langchain/integrations.ts";
import { readReply } from "../../../../src/models/providers/langchain/read-reply.ts";
import { type ModelServer, meanColour, startModelServer } from "../../../support/model-server.ts";
import { tempFolder } from "../../../support/temp.ts";
import { ask, memoryStore, putFrame, rig } from "../../setup.ts";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(() => "A");
});
afterAll(() => server.close());
beforeEach(() => {
  vi.stubEnv("ANTHROPIC_API_KEY", "sk-ant-test-0123456789");
  server.reset();
});

const thrownBy = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return null;
};

async function failureOf(work: Promise<unknown>) {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (!isFailure(error)) throw new Error(`Not a Failure: ${String(error)}`);
  return error;
}

test("the integrations are those of LangChain, with its packages and classes", () => {
  const ours = Object.entries(INTEGRATIONS).map(([name, { package: from, className }]) => [
    name,
    { package: from, className },
  ]);
  const theirs = Object.entries(MODEL_PROVIDER_CONFIG).map(([name, config]) => [
    name,
    { package: config.package, className: config.className },
  ]);
  expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(theirs));
});

test.each<[string, Record<string, unknown>, Record<string, unknown>, string]>([
  ["anthropic:x", { reasoning_effort: "none" }, {}, "use low, medium, high or xhigh."],
  ["ollama:x", { thinking_budget: 100 }, {}, "Ollama takes no number of tokens; use 0 or -1."],
  [
    "langchain:openai:x",
    { top_k: 4 },
    {},
    "@langchain/openai does not take it; leave it out, or give it in --extra-body under its name in the API.",
  ],
  [
    "langchain:google-genai:x",
    {},
    { base_url: "http://127.0.0.1:1" },
    "@langchain/google-genai does not take it; leave it out.",
  ],
  [
    "langchain:google-genai:x",
    { extra_body: { a: 1 } },
    {},
    "@langchain/google-genai does not take it; leave it out.",
  ],
  [
    "anthropic:x",
    { top_p: 0.5, extra_body: { top_p: 0.4 } },
    {},
    "it sets what `--top-p` sets; leave one of them out.",
  ],
  [
    "anthropic:x",
    { thinking_budget: 2000, reasoning_effort: "low" },
    {},
    "use either it or --reasoning-effort.",
  ],
])("%s refuses %j %j in one sentence", (model, generation, runtime, words) => {
  const settings = readSettings({ strategy: "direct", model, generation, runtime });
  const env = { OPENAI_API_KEY: "k", GOOGLE_API_KEY: "k", ANTHROPIC_API_KEY: "k" };
  const error = thrownBy(() => chatTarget(settings, "reasoner", env));
  expect(isFailure(error, "wrong-setting") && error.message).toContain(words);
});

test("a package that is not installed is named with the command that installs it", () => {
  const settings = readSettings({ strategy: "direct", model: "mistral:pixtral-large" });
  const error = thrownBy(() => chatTarget(settings, "reasoner", { MISTRAL_API_KEY: "k" }));
  expect(isFailure(error, "package-missing") && error.message).toBe(
    "Cannot use langchain:mistral:pixtral-large: the package @langchain/mistralai is not installed. Run: npm install @langchain/mistralai",
  );
});

test("a package in the current folder is used, with LangChain's core of this program", async () => {
  const folder = await tempFolder();
  const home = join(folder, "node_modules", "@langchain", "groq");
  await mkdir(home, { recursive: true });
  await writeFile(
    join(home, "package.json"),
    JSON.stringify({ name: "@langchain/groq", type: "module", exports: "./index.js" }),
  );
  await writeFile(
    join(home, "index.js"),
    `import { BaseChatModel } from "@langchain/core/language_models/chat_models";
     import { AIMessage } from "@langchain/core/messages";
     export class ChatGroq extends BaseChatModel {
       constructor(fields) { super(fields); this.fields = fields; }
       _llmType() { return "groq"; }
       async _generate(messages) {
         const { baseUrl, fetch, model, temperature, maxTokens } = this.fields;
         const body = { model, temperature, max_tokens: maxTokens, messages: messages.map(({ content }) => ({ role: "user", content })) };
         const response = await fetch(baseUrl + "/chat/completions", { method: "POST", body: JSON.stringify(body) });
         const [{ message }] = (await response.json()).choices;
         return { generations: [{ text: "", message: new AIMessage(message.content) }] };
       }
     }`,
  );
  vi.stubEnv("GROQ_API_KEY", "k");
  vi.spyOn(process, "cwd").mockReturnValue(folder);
  server.answer(() => "from the folder");
  try {
    const result = await rig(server, "groq:llama").models.call(ask(["Which one?"]));
    expect(result).toMatchObject({ reply: { text: "from the folder", estimated: true } });
    expect(server.requests[0]).toMatchObject({ model: "llama", maxTokens: 64, temperature: 0 });
  } finally {
    vi.mocked(process.cwd).mockRestore();
  }
});

test("a model that takes no temperature is sent none", async () => {
  server.answer(() => "A");
  const { models } = rig(server, "anthropic:claude-opus-4-7");
  await models.call(ask(["1"]));
  await models.call(ask(["2"]));
  expect(server.requests.map(({ temperature }) => temperature)).toEqual([null, null]);
});

test("a server that refuses a temperature is asked without it from then on", async () => {
  server.answer(({ temperature }) =>
    temperature === null ? "A" : { status: 400, text: "temperature: not for this model" },
  );
  const { models } = rig(server, "ollama:strict");
  await models.call(ask(["1"]));
  await models.call(ask(["2"]));
  expect(server.requests.map(({ temperature }) => temperature)).toEqual([0, null, null]);
});

test("Claude's thinking goes back signed, and settings reach it under their names", async () => {
  server.answer(() => ({
    reasoning: "I look at 3 s.",
    toolCalls: [{ name: "look", arguments: {}, signature: "sig-1" }],
  }));
  const { models } = rig(server, "anthropic:claude-sonnet-4-5");
  const tools = [
    { name: "look", description: "Look.", schema: (await import("zod")).z.object({}) },
  ];
  const question: Message = { role: "user", parts: [{ type: "text", text: "Where?" }] };
  const more = { tools, thinkingBudget: 2000 };
  const first = await models.call(ask([], { ...more, messages: [question] }));
  if (first.status !== "replied") throw new Error("no reply");
  const { text, toolCalls, own, reasoning } = first.reply;
  expect(reasoning).toBe("I look at 3 s.");
  const result: Message = {
    role: "tool",
    toolCallId: toolCalls[0]?.id ?? "",
    name: "look",
    parts: [{ type: "text", text: "nothing" }],
  };
  server.answer(() => "A");
  await models.call(
    ask([], {
      ...more,
      messages: [question, { role: "assistant", text, toolCalls, ...(own && { own }) }, result],
    }),
  );
  const [before, after] = server.requests;
  expect(before?.body).toMatchObject({ thinking: { type: "enabled", budget_tokens: 2000 } });
  expect(before?.temperature).toBeNull();
  expect(after?.turns[0]?.content).toMatchObject([
    { type: "thinking", thinking: "I look at 3 s.", signature: "sig-1" },
    { type: "tool_use", id: toolCalls[0]?.id, name: "look", input: {} },
  ]);
});

test("a class that sends by itself gets pictures as base64, and its failures keep their kinds", async () => {
  vi.stubEnv("AZURE_OPENAI_API_KEY", "azure-key-0123456789");
  vi.stubEnv("AZURE_OPENAI_BASE_PATH", `${server.url}/openai/deployments`);
  vi.stubEnv("AZURE_OPENAI_API_DEPLOYMENT_NAME", "eyes");
  vi.stubEnv("AZURE_OPENAI_API_VERSION", "2024-10-21");
  const model = "langchain:azure_openai:gpt-4o";
  const store = memoryStore();
  const { models } = rig({ url: "" }, model, { store, runtime: { base_url: null } });
  let count = 0;
  server.answer(() =>
    count++ === 0
      ? { status: 429, headers: { "retry-after": "0.01" } }
      : { text: "B", usage: { input: 7, output: 3, cached: 2 } },
  );
  const result = await models.call(ask(["Look.", await putFrame(store, "#ff0000", 1)]));
  expect(result).toMatchObject({
    reply: { text: "B", tokens: { input: 7, output: 3, cached_input: 2 } },
  });
  expect(server.requests.map(({ status }) => status)).toEqual([429, 200]);
  const [image] = server.requests[1]?.images ?? [];
  expect((await meanColour(image ?? Buffer.alloc(0)))[0]).toBeGreaterThan(200);

  server.answer(() => ({ status: 400, text: "no azure-key-0123456789" }));
  const refused = await failureOf(models.call(ask(["Refused?"])));
  expect(refused.kind).toBe("model-rejected");
  expect(refused.message).toContain("no (key)");

  const stop = new AbortController();
  server.answer(() => ({ text: "late", delay_ms: 20_000 }));
  const late = rig({ url: "" }, model, { runtime: { base_url: null }, signal: stop.signal });
  const work = failureOf(late.models.call(ask(["Late?"])));
  await vi.waitFor(() => expect(server.inFlight()).toBe(1));
  stop.abort();
  expect((await work).kind).toBe("cancelled");
  await vi.waitFor(() => expect(server.requests.at(-1)?.aborted).toBe(true));
});

test("whatever a class returns is a reply or unusable", () => {
  const message = fc.record(
    {
      content: fc.oneof(fc.string(), fc.array(fc.dictionary(fc.string(), fc.jsonValue()))),
      tool_calls: fc.array(fc.record({ name: fc.string(), args: fc.jsonValue(), id: fc.string() })),
      invalid_tool_calls: fc.array(fc.record({ name: fc.string(), args: fc.string() })),
      usage_metadata: fc.jsonValue(),
      response_metadata: fc.dictionary(fc.string(), fc.jsonValue()),
      additional_kwargs: fc.dictionary(fc.string(), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(message, fc.jsonValue()), (raw) => {
      try {
        const { tokens } = readReply(raw, { turn: 1, newCallIds: false });
        expect(tokens === null || Number.isFinite(tokens.input + tokens.output)).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(AttemptError);
      }
    }),
  );
});
