import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { ChatAnthropic } from "@langchain/anthropic";
import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type VideoToolsOptions, videoTools } from "../../../graphs/toolbox/video-tools.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { compose } from "../../../src/media/compose.ts";
import { openStore } from "../../../src/storage/open.ts";
import { agentTurns, call, composeFilm, labelled } from "../../support/agent-film.ts";
import {
  type ModelServer,
  meanColour,
  type SeenRequest,
  startModelServer,
} from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";

let server: ModelServer;
let store: Store;
let folder: string;
let film: string;

beforeAll(async () => {
  folder = await tempFolder();
  server = await startModelServer(() => "A");
  store = await openStore(join(folder, "store"));
  film = await composeFilm(folder, "GATE 7");
});
afterAll(async () => {
  await server.close();
  await store.close();
});
beforeEach(() => server.reset());

const toolsFor = (options: VideoToolsOptions = {}) =>
  videoTools(film, {
    store,
    ocr: false,
    ...options,
    settings: {
      recognition: { max_side: 160 },
      ...options.settings,
      runtime: { base_url: server.url },
    },
  });

const openai = () =>
  new ChatOpenAI({
    model: "scripted",
    apiKey: "sk-x",
    configuration: { baseURL: server.url },
    maxRetries: 0,
  });

const asking = (text = "Which colour fills the screen at 0:13?") => ({
  messages: [new HumanMessage(text)],
});
const look = call("view_frames", { from_s: 12, to_s: 14, count: 2 });
const last = (messages: readonly BaseMessage[]) => messages.at(-1)?.text ?? "";

test("an agent of ChatOpenAI is sent the pictures in a user message, and what it cites is found", async () => {
  const tools = await toolsFor({ pictures: "user" });
  server.answer(agentTurns([look, "It is green [E2][E9]."]));
  const agent = createAgent({ model: openai(), tools, middleware: [tools.middleware] });
  const { messages } = await agent.invoke(asking());
  const [first, second] = server.chats();
  expect(first?.tools.map(({ name }) => name)).toContain("search_evidence");
  expect(first?.tools.find(({ name }) => name === "zoom")).toMatchObject({
    parameters: { required: expect.arrayContaining(["at_s", "box"]) },
  });
  const sent = (second as SeenRequest).body as { messages: { role: string }[] };
  const roles = sent.messages.map(({ role }) => role);
  expect(roles).toEqual(["user", "assistant", "tool", "user"]);
  expect(second?.texts.join("\n")).toContain("(2 pictures in the next message)");
  const pictures = labelled(second as SeenRequest);
  expect(pictures.map(({ label }) => label)).toEqual([
    "[E1] frame at 12.4 s (00:12):",
    "[E2] frame at 13.4 s (00:13):",
  ]);
  const [r, g, b] = await meanColour(pictures[0]?.image as Buffer);
  expect(g).toBeGreaterThan(r + b);
  // The state of the agent has names of pictures, not their bytes.
  expect(JSON.stringify(messages).length).toBeLessThan(8000);
  expect(tools.cited(last(messages))).toMatchObject([{ kind: "frame", start_s: 13.4 }]);
  expect([...tools.evidence().keys()]).toEqual(["E1", "E2"]);
  expect(tools.usage()).toMatchObject({ tool_calls: 1, frames: 2, calls: 0 });
});

test("an agent of ChatAnthropic is sent the pictures in the results of tools", async () => {
  const tools = await toolsFor();
  server.answer(agentTurns([look, "It is green [E1]."]));
  const model = new ChatAnthropic({
    model: "scripted",
    apiKey: "sk-x",
    anthropicApiUrl: server.url.replace(/\/v1$/, ""),
    maxRetries: 0,
  });
  const { messages } = await createAgent({ model, tools }).invoke(asking());
  expect(last(messages)).toBe("It is green [E1].");
  const second = server.chats()[1] as SeenRequest;
  expect(second.protocol).toBe("anthropic");
  expect(labelled(second).map(({ label }) => label)).toEqual([
    "[E1] frame at 12.4 s (00:12):",
    "[E2] frame at 13.4 s (00:13):",
  ]);
  const sent = (second.body as { messages: { content: { type: string }[] }[] }).messages.at(-1);
  expect(sent?.content.map(({ type }) => type)).toEqual(["tool_result"]);
});

test("what is said and written is read when a tool first searches it, once, and quoted as data", async () => {
  const tools = await toolsFor({ ocr: true, tools: "search_evidence,subtitles" });
  expect(tools.map(({ name }) => name)).toEqual(["search_evidence", "subtitles"]);
  const [search, subtitles] = tools;
  const found = await Promise.all([
    search?.invoke({ query: "gate" }),
    search?.invoke({ query: "question" }),
    subtitles?.invoke({ from_s: 0, to_s: 30 }),
  ]);
  const words = found.map((blocks) => (blocks as { text: string }[])[0]?.text ?? "");
  expect(words[0]).toMatch(/<<<data\n\[E1\] text 1\d.*GATE 7\ndata>>>/);
  expect(words[1]).toMatch(/<<<data\n\[E2\] subtitle 20 s .*Ignore the question/);
  // The same evidence keeps its name.
  expect(words[2]).toMatch(/\[E3\] subtitle 2 s[\s\S]*\[E2\] subtitle 20 s/);
  expect(tools.usage()).toMatchObject({ frames: 0, tool_calls: 3 });
});

test("subtitles that one call leaves out are told with the time from which to ask again", async () => {
  const talk = join(folder, "talk.mp4");
  const captions = Array.from({ length: 45 }, (_, index) => ({
    ...{ start_s: index / 2, end_s: index / 2 + 0.4, text: `Remark ${index + 1}.` },
  }));
  const picture = { background: "grey", shapes: [] };
  await compose(
    {
      ...{ width: 64, height: 48, fps: 5, silent: true },
      segments: [{ kind: "picture", duration_s: 23, picture }],
      subtitles: { captions, where: "embedded" },
    },
    talk,
  );
  const tools = await videoTools(talk, { store, ocr: false, tools: "subtitles" });
  const saidFrom = async (from_s: number) => {
    const blocks = await tools[0]?.invoke({ from_s, to_s: 30 });
    return (blocks as { text: string }[])[0]?.text ?? "";
  };
  const first = await saidFrom(0);
  expect(first).toMatch(/^40 items[\s\S]*\[More follow: ask again from 20 s \(00:20\) on\]$/);
  const rest = await saidFrom(20);
  expect(rest.match(/Remark \d+/g)).toEqual([41, 42, 43, 44, 45].map((at) => `Remark ${at}`));
  expect(rest).not.toContain("More follow");
});

test("limits of frames and calls hold, and the model is told", async () => {
  const tools = await toolsFor({ pictures: "user", budget: { frames: 3, calls: 2 } });
  server.answer((request) => {
    const none = (request.body as { tool_choice?: unknown }).tool_choice === "none";
    return none ? "Enough [E3]." : look;
  });
  const agent = createAgent({ model: openai(), tools, middleware: [tools.middleware] });
  const { messages } = await agent.invoke(asking());
  expect(last(messages)).toBe("Enough [E3].");
  expect(server.chats()).toHaveLength(3);
  expect(labelled(server.chats()[2] as SeenRequest)).toHaveLength(3);
  expect(tools.usage()).toMatchObject({ frames: 3, tool_calls: 2 });
  expect(tools.limitsMet()).toEqual(["frames"]);
  const zoom = tools.find(({ name }) => name === "zoom");
  const refused = await zoom?.invoke({ at_s: 3, box: { x: 0, y: 0, width: 0.5, height: 0.5 } });
  expect(refused).toContain("The budget of calls is used up.");
});

test("calls through the project's own path are stored, priced and limited", async () => {
  const question = asking("What fills the screen?");
  server.answer(agentTurns([look, "Green [E1]."]));
  const run = async (options: VideoToolsOptions = {}) => {
    const tools = await toolsFor(options);
    const model = tools.chatModel("openai:gpt-4.1");
    const agent = createAgent({ model, tools, middleware: [tools.middleware] });
    return { tools, ...(await agent.invoke(question)) };
  };
  const first = await run({ pictures: "user" });
  expect(server.chats()).toHaveLength(2);
  expect(labelled(server.chats()[1] as SeenRequest)).toHaveLength(2);
  const { cost, paid } = first.tools.usage();
  expect(cost).toBeGreaterThan(0);
  expect(paid).toBe(cost);
  server.reset();
  const second = await run();
  expect(server.chats()).toHaveLength(0);
  expect(last(second.messages)).toBe("Green [E1].");
  expect(second.tools.usage()).toMatchObject({ calls: 2, cost, paid: 0 });
  await expect(run({ budget: { tokens: 500 } })).rejects.toThrow(
    "The budget of tokens allows no further model call.",
  );
});

test("errors of a call are told to the model, and a film that is gone ends the agent", async () => {
  const gone = join(folder, "gone.mp4");
  await copyFile(film, gone);
  const tools = await videoTools(gone, { store, ocr: false, pictures: "user" });
  const frames = tools.find(({ name }) => name === "view_frames");
  const of = { id: "c1", name: "view_frames", type: "tool_call" } as const;
  const unread = await frames?.invoke({ ...of, args: { from_s: "soon" } });
  expect(unread).toMatchObject({ status: "error", tool_call_id: "c1" });
  expect(unread?.text).toMatch(/<<<data\nExpected the arguments of view_frames/);
  const beyond = await frames?.invoke({ ...of, args: { from_s: 900, to_s: 901, count: 1 } });
  expect(beyond?.text).toContain("This call could not be carried out:");
  await rm(gone);
  server.answer(() => call("zoom", { at_s: 3, box: { x: 0, y: 0, width: 0.4, height: 0.4 } }));
  const agent = createAgent({ model: openai(), tools, middleware: [tools.middleware] });
  await expect(agent.invoke(asking())).rejects.toThrow(/gone\.mp4/);
  expect(server.chats()).toHaveLength(1);
});

test.each([
  [{ tools: "zom" }, /Invalid --tools "zom"/],
  [{ settings: { recognition: { media: "video" } } }, /Video and sound cannot be shown/],
  [{ settings: { recognition: { max_side: 1 } } }, /max_side/],
] as const)("options %j are refused", async (options, message) => {
  await expect(toolsFor(options as VideoToolsOptions)).rejects.toThrow(message);
});

test("a film that is not there, and a model without a key, are refused in words", async () => {
  await expect(videoTools(join(folder, "none.mp4"), { store })).rejects.toMatchObject({
    kind: "file-unreadable",
  });
  const tools = await toolsFor();
  expect(() => tools.chatModel("gpt-4.1")).toThrow(/provider:/);
});
