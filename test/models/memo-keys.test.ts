import { beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import type { Memo } from "../../src/core/contracts.ts";
import { createLedger, NO_BUDGET } from "../../src/core/ledger.ts";
import { readSettings } from "../../src/core/settings.ts";
import type { FrameRef } from "../../src/core/shapes.ts";
import type { Call, ChatReply, Message, Part, ToolSpec } from "../../src/models/chat.ts";
import { createEmbeddings } from "../../src/models/embeddings.ts";
import { createModels, type ModelsOptions } from "../../src/models/models.ts";
import { memoryStore } from "./setup.ts";

/*
 * Memo keys that users' stores hold. A changed value here means that everything users have paid for is paid for again:
 * a new setting enters the request, and so the key, only when it is set.
 */

const VIDEO = "11".repeat(32);
const SERVER = "http://127.0.0.1:8000/v1";
const OPENAI = "openai:gpt-4.1";
const GOOGLE = "google-genai:gemini-2.5-flash";

const frame = (digits: string, t_s: number): FrameRef => ({
  hash: digits.repeat(32),
  video: VIDEO,
  t_s,
  width: 640,
  height: 360,
});
const text = (words: string): Part => ({ type: "text", text: words });
const image = (of: FrameRef, label?: string): Part =>
  label === undefined ? { type: "image", frame: of } : { type: "image", frame: of, label };
const user = (...parts: Part[]): Message => ({ role: "user", parts });
const system: Message = { role: "system", text: "You watch videos." };

const LOOK: ToolSpec = {
  name: "look",
  description: "Shows the frame at a time.",
  schema: z.object({
    at_s: z.number().min(0).describe("seconds"),
    wide: z.boolean().optional().describe("the whole frame"),
  }),
};
const ANSWER: ToolSpec = {
  name: "answer",
  description: "Answers the question.",
  schema: z.object({ letter: z.enum(["A", "B"]), cites: z.array(z.string()).default([]) }),
};

const searched: Message[] = [
  system,
  user(text("Which cup is red?"), image(frame("a1", 0.5), "0:00.5")),
  {
    role: "assistant",
    text: "I look closer.",
    toolCalls: [
      { id: "call_1_0", name: "look", arguments: { at_s: 2.5 } },
      { id: "call_1_1", name: "look", arguments: "no JSON" },
    ],
  },
  {
    role: "tool",
    toolCallId: "call_1_0",
    name: "look",
    parts: [text("The frame at 2.5 s."), image(frame("b2", 2.5))],
  },
  { role: "tool", toolCallId: "call_1_1", name: "look", parts: [text("Invalid arguments.")] },
];

// The address of the provider is part of a key.
beforeAll(() => vi.stubEnv("OPENAI_BASE_URL", ""));

interface Asked {
  request: Partial<Call["request"]> & { messages: Message[] };
  model?: string;
  base_url?: string;
  epoch?: number;
  draw?: number;
}

/** A store that answers every step itself and writes down its key. */
function recordingStore(value: unknown) {
  const keys: string[] = [];
  const memo: Memo = {
    ...memoryStore().memo,
    async once(step) {
      keys.push(step.key);
      return { value: value as never, cached: true };
    },
  };
  return { keys, store: { ...memoryStore(), memo } };
}

function options(store: ModelsOptions["store"], settings: Record<string, unknown>): ModelsOptions {
  return {
    store,
    settings: readSettings(settings),
    emit: () => {},
    ledger: createLedger(NO_BUDGET),
    run: "run",
  };
}

async function keyOf({ request, model = OPENAI, base_url, epoch = 0, draw }: Asked) {
  const reply: ChatReply = {
    text: "A",
    finish: "stop",
    toolCalls: [],
    tokens: { input: 1, output: 1 },
  };
  const { keys, store } = recordingStore(reply);
  const settings = { strategy: "direct", model, runtime: { base_url: base_url ?? null } };
  await createModels(options(store, settings)).call({
    role: "reasoner",
    stage: "answer",
    label: "the question",
    prompts: {},
    video: VIDEO,
    epoch,
    ...(draw === undefined ? {} : { draw }),
    request: { temperature: 0, maxTokens: 2048, ...request },
  });
  return keys;
}

test.each<[string, Asked, string]>([
  [
    "a text",
    { request: { messages: [user(text("Which cup is red?"))] } },
    "810b9c30ca1f741c6d1edccae70a8379716009ad4f5f0c63a81c6664d7ca7741",
  ],
  [
    "a text to Gemini",
    { model: GOOGLE, request: { messages: [user(text("Which cup is red?"))] } },
    "16deb89e3ae45773f70f22ee2b1d96a3f9cce8fd53e56c6788fa077bd3f83df1",
  ],
  [
    "a system prompt, other words than ASCII, and a server's own address",
    {
      model: "openai:Qwen/Qwen2.5-VL-7B-Instruct",
      base_url: SERVER,
      request: { messages: [system, user(text("Welche Tasse ist rot? 哪个杯子是红色的？"))] },
    },
    "07bf1b948e2b315ed015aa5566c6afd4e50888df6e79abdfa64342fa25de83a8",
  ],
  [
    "several frames with labels between texts",
    {
      request: {
        messages: [
          system,
          user(
            image(frame("a1", 0.5), "Frame 1 (0:00.5)"),
            image(frame("b2", 2.5), "Frame 2 (0:02.5)"),
            text("and then"),
            image(frame("c3", 4)),
            text("Which cup is red?"),
          ),
        ],
      },
    },
    "c7bc9577599a148ba40d547b6d8ffb40ca04c8271345272690a852416d7495d8",
  ],
  [
    "a video",
    {
      model: "openai:Qwen/Qwen2.5-VL-7B-Instruct",
      base_url: SERVER,
      request: {
        messages: [
          user({ type: "video", hash: "d4".repeat(32), mime: "video/mp4" }, text("What happens?")),
        ],
      },
    },
    "2f60546b3bbee3ee22066c860b40fca6fa419e4c7b5e9ef5aa38243b16b8addd",
  ],
  [
    "a video with its sound to Gemini",
    {
      model: GOOGLE,
      request: {
        messages: [
          user(
            { type: "video", hash: "d4".repeat(32), mime: "video/webm" },
            { type: "audio", hash: "e5".repeat(32), mime: "audio/wav" },
            text("What is said?"),
          ),
        ],
      },
    },
    "9235659f897b018db8e913a9b1a102ebdce80ef8625f309fa5bf1a3d37131207",
  ],
  [
    "tools that may be called",
    { request: { messages: [user(text("Which?"))], tools: [LOOK, ANSWER], toolChoice: "auto" } },
    "119a6510faac500c57ab6b6037c8fa9ab2432ed6338faa1aad00c4de1f3079cf",
  ],
  [
    "a turn of the assistant with tool calls, and their results",
    { request: { messages: searched, tools: [LOOK, ANSWER], toolChoice: "required" } },
    "e6892698c28417b9f2d3684856a42110921d70c66e4ed879a7801aab958869e6",
  ],
  [
    "the same to Gemini, where no tool may be called any more",
    {
      model: GOOGLE,
      request: { messages: searched, tools: [LOOK, ANSWER], toolChoice: "none" },
    },
    "95d0545079319bbef7b705ac4ac67de997b0128bf7dc8fffbb3e2bd328a38c24",
  ],
  [
    "a seed, a temperature and a length",
    {
      request: {
        messages: [user(text("Which cup is red?"))],
        seed: 7,
        temperature: 0.7,
        maxTokens: 64,
      },
    },
    "8b378f020a5f3b79ffd8699e937120ce4b3e70bc5a19f29cbf5395c425ed227c",
  ],
  [
    "log-probabilities in a later epoch",
    { epoch: 2, request: { messages: [user(text("Which cup is red?"))], logprobs: true } },
    "8a400ad989a166dcee0713721e9e7dea5bde25a5bbb50095e7780921823e344a",
  ],
  [
    "a repeated draw",
    {
      draw: 3,
      request: {
        messages: [
          user(text("Which cup is red?")),
          { role: "assistant", text: "Perhaps the left one.", toolCalls: [] },
          user(text("Answer with a letter.")),
        ],
      },
    },
    "f2258a8f0f7b68c07b143ef157accb175774f09d280daa23c584d4218dd28eca",
  ],
])("the key of %s does not change", async (_name, asked, key) => {
  expect(await keyOf(asked)).toEqual([key]);
});

test("the keys of embeddings do not change", async () => {
  const vector = Buffer.from(Float32Array.of(1, 0).buffer).toString("base64");
  const keys: string[] = [];
  for (const [embeddings, base_url] of [
    ["openai:text-embedding-3-small", null],
    ["openai:nomic-embed-text", SERVER],
    ["google-genai:gemini-embedding-001", null],
  ]) {
    const recording = recordingStore(vector);
    const { embed } = createEmbeddings(
      options(recording.store, {
        strategy: "agent",
        model: OPENAI,
        search: { embeddings },
        runtime: { base_url },
      }),
    );
    await embed(["a red cup"], { stage: "search", label: "what was found", video: VIDEO });
    keys.push(...recording.keys);
  }
  expect(keys).toEqual([
    "7806eb1bf2bf20bf79fb009725b61ff67b165736358b8ec6c3919b32a9a7cc69",
    "1f9e4d108e66be2c3713a1b9f37ecdec467dfe631fa2d4a8375dea0049bbdf11",
    "1fd3938598370dfde4520de1fb46340aa1a1ffc32af117f07d1f0fb2767dd058",
  ]);
});
