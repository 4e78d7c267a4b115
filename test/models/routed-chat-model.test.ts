import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { RoutedChatModel } from "../../src/models/routed-chat-model.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { BOTH, memoryStore, type Rig, rig, VIDEO } from "./setup.ts";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(() => "A");
});
afterAll(() => server.close());
beforeEach(() => server.reset());

function routed(model: string): Rig & { chat: RoutedChatModel } {
  const store = memoryStore();
  const made = rig(server, model, { store });
  const chat = new RoutedChatModel({
    ...{ models: made.models, store, video: VIDEO, role: "reasoner", stage: "search", epoch: 0 },
    temperature: 0,
    maxTokens: 64,
  });
  return { ...made, chat };
}

const url = async (bytes: Promise<Buffer>) =>
  `data:image/png;base64,${(await bytes).toString("base64")}`;

const green = () =>
  url(
    sharp({ create: { width: 40, height: 20, channels: 3, background: "#00ff00" } })
      .png()
      .toBuffer(),
  );

/** A user's own tools: one in zod, one in JSON Schema. */
const weigh = tool(async () => "4 kg", {
  name: "weigh",
  description: "Weighs a thing.",
  schema: z.object({ what: z.string().describe("the thing") }),
});
const measure = {
  type: "function",
  function: {
    name: "measure",
    description: "Measures a thing.",
    parameters: { type: "object", properties: { what: { type: "string" } }, required: ["what"] },
  },
} as const;

test.each(BOTH)(
  "a conversation of others goes out as $protocol takes it, and comes back as LangChain's",
  async ({ model }) => {
    const { chat, calls } = routed(model);
    server.answer((request) =>
      request.toolCalls.length === 0
        ? {
            toolCalls: [{ name: "weigh", arguments: { what: "lamp" } }],
            usage: { input: 50, output: 7 },
          }
        : "4 kg, it seems.",
    );
    const asked = [
      new SystemMessage("Be brief."),
      new HumanMessage({
        content: [
          { type: "text", text: "How heavy is it?" },
          { type: "image_url", image_url: { url: await green() } },
        ],
      }),
    ];
    const bound = chat.bindTools([weigh, measure], { tool_choice: "any" });
    const first = await bound.invoke(asked);
    expect(first.tool_calls).toMatchObject([{ name: "weigh", args: { what: "lamp" } }]);
    expect(first.usage_metadata).toMatchObject({ input_tokens: 50, output_tokens: 7 });
    const [request] = server.chats();
    expect(request?.tools).toMatchObject([{ name: "weigh" }, { name: "measure" }]);
    expect(JSON.stringify(request?.body)).toMatch(/"the thing"/);
    expect(request?.parts.filter(({ type }) => type === "image")).toHaveLength(1);
    expect(request?.texts.join("\n")).toContain("Be brief.");

    const id = first.tool_calls?.[0]?.id ?? "";
    const result = new ToolMessage({ content: "4 kg", tool_call_id: id, name: "weigh" });
    const second = await chat.invoke([...asked, first, result]);
    expect(second.text).toBe("4 kg, it seems.");
    expect(server.chats()[1]?.tools).toEqual([]);
    expect(calls.map(({ frames }) => frames.length)).toEqual([1, 1]);
    // Another message id does not make another conversation.
    await chat.invoke([...asked, new AIMessage({ ...first, id: "another" }), result]);
    expect(server.chats()).toHaveLength(2);
  },
);

test("a choice of one tool sends it as the only one, and no choice is sent without tools", async () => {
  const { chat } = routed("openai:gpt-4.1");
  await chat.bindTools([weigh, measure], { tool_choice: "measure" }).invoke("What now?");
  await chat.bindTools([], { tool_choice: "none" }).invoke("What now?");
  const [only, none] = server.chats().map(({ body }) => body as Record<string, unknown>);
  expect(only).toMatchObject({
    tool_choice: "required",
    tools: [{ function: { name: "measure" } }],
  });
  expect(none).not.toHaveProperty("tools");
  expect(none).not.toHaveProperty("tool_choice");
});

test.each([
  [
    { type: "image_url", image_url: { url: "https://example.com/a.png" } },
    /use a data URL with base64/,
  ],
  [
    { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
    /not a PNG, JPEG or WebP/,
  ],
  [{ type: "file", data: "x" }, /content block of the type "file"/],
])("a block %j is refused, and nothing is sent", async (block, message) => {
  const { chat } = routed("openai:gpt-4.1");
  await expect(chat.invoke([new HumanMessage({ content: [block] })])).rejects.toThrow(message);
  expect(server.chats()).toHaveLength(0);
});
