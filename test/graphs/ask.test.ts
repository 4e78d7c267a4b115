import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MemorySaver } from "@langchain/langgraph";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ask } from "../../graphs/ask.ts";
import { createContext } from "../../graphs/create-context.ts";
import { readQuestion } from "../../graphs/read-question.ts";
import { videoQa } from "../../graphs/rrd/graph.ts";
import { loadPrompts } from "../../prompts/load-prompts.ts";
import type { Store } from "../../src/core/contracts.ts";
import type { Event } from "../../src/core/events.ts";
import { createLedger } from "../../src/core/ledger.ts";
import { readSettings } from "../../src/core/settings.ts";
import { Answer, EvidenceSet } from "../../src/core/shapes.ts";
import { createModels } from "../../src/models/models.ts";
import { openStore } from "../../src/storage/open.ts";
import { openVideo } from "../../tools/video/video.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { makeShuffled, procedureModel, rightOrder } from "../support/shuffled.ts";
import { tempFolder } from "../support/temp.ts";

const PLACES = [2, 3, 1];
const ASKED = { text: "In which order?", goal: "Make tea" };

let server: ModelServer;
let store: Store;
let folder: string;
let file: string;

beforeAll(async () => {
  folder = await tempFolder();
  server = await startModelServer(procedureModel(PLACES));
  store = await openStore(join(folder, "store"));
  file = join(folder, "tea.mp4");
  await makeShuffled(file, PLACES.length);
});
afterAll(async () => {
  await server.close();
  await store.close();
});
beforeEach(() => {
  server.reset();
  server.answer(procedureModel(PLACES));
});

const rrd = (more: object = {}) => ({
  strategy: "rrd",
  model: "openai:scripted",
  recognition: { frames: 12, max_side: 64 },
  runtime: { base_url: server.url },
  ...more,
});

test("the answer and its set have the agreed shapes, and every citation is in the set", async () => {
  const { answer, evidence } = await ask(file, ASKED, { store, settings: rrd() });
  expect(() => Answer.parse(answer)).not.toThrow();
  expect(() => EvidenceSet.parse(evidence)).not.toThrow();
  expect(answer.set).toBe(evidence.id);
  const ids = new Set(evidence.items.map((item) => item.id));
  expect(answer.cites.every((id) => ids.has(id))).toBe(true);
  expect([answer.confidence, answer.confidence_basis]).toEqual([null, null]);
});

test("events report stages, calls, evidence and the answer, numbered without gaps, as stored", async () => {
  const heard: Event[] = [];
  const { question, events } = await ask(
    file,
    { ...ASKED, text: "Once more: in which order?" },
    {
      store,
      settings: rrd({ seed: 1 }),
      onEvent: (event) => heard.push(event),
    },
  );
  expect(heard).toEqual(events);
  expect(await store.events.after(question.id, 0)).toEqual(events);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  const ended = events.filter((event) => event.type === "stage" && event.state === "end");
  expect(ended.map((event) => event.stage)).toEqual(["segment", "caption", "order", "cite"]);
  expect(events.filter((event) => event.type === "call")).toHaveLength(4);
  expect(events.filter((event) => event.type === "evidence")).toHaveLength(3);
  expect(events.at(-2)).toMatchObject({ type: "answer", stage: "cite" });
});

test("requests depend only on question, settings and epoch: another store sends the same", async () => {
  const sent: string[][] = [];
  for (const name of ["one", "two"]) {
    const own = await openStore(join(folder, name));
    server.reset();
    const settings = rrd({ reasoning: { method: "merge-sort" } });
    await ask(file, ASKED, { store: own, settings });
    sent.push(
      server
        .chats()
        .map((request) => request.hash)
        .sort(),
    );
    await own.close();
  }
  expect(sent[0]).toEqual(sent[1]);
  expect(new Set(sent[0]).size).toBe(sent[0]?.length);
});

test("a repeated question costs nothing; a refused one is asked again", async () => {
  const settings = rrd();
  const asked = { ...ASKED, goal: "Make jam" };
  const good = procedureModel(PLACES);
  server.answer((request) => (request.images.length > 0 ? good(request) : { refusal: "No." }));
  expect((await ask(file, asked, { store, settings })).answer.status).toBe("refused");
  server.answer(good);
  server.reset();
  const again = await ask(file, asked, { store, settings });
  expect(again.answer).toMatchObject({ status: "answered", answer: rightOrder(PLACES) });
  expect(server.chats()).toHaveLength(1);
  server.reset();
  expect((await ask(file, asked, { store, settings })).answer.answer).toEqual(rightOrder(PLACES));
  expect(server.chats()).toHaveLength(0);
});

test("a caller may compile the graph with a checkpointer", async () => {
  const graph = videoQa.compile({ checkpointer: new MemorySaver() });
  const settings = readSettings(rrd());
  const video = await openVideo(file, { store, run: "test" });
  const ledger = createLedger(settings.budget);
  const question = readQuestion(video.hash, ASKED);
  const context = createContext({
    store,
    video,
    settings,
    question,
    prompts: await loadPrompts(),
    ledger,
    run: "test",
    epoch: 0,
    emit: () => {},
    createModels: (emit) => createModels({ store, settings, emit, ledger, run: "test" }),
  });
  const config = { configurable: { thread_id: "1" } };
  const { answer } = await graph.invoke({ question }, { ...config, context });
  expect(answer.answer).toEqual(rightOrder(PLACES));
  const { values } = await graph.getState(config);
  expect(JSON.stringify(values).length).toBeLessThan(20_000);
});

test.each([
  ["a missing file", "nowhere.mp4", ASKED, {}, "file-unreadable", "nowhere.mp4"],
  ["an empty question", "tea.mp4", "  ", {}, "wrong-usage", "empty"],
  ["one option", "tea.mp4", { text: "Q", options: ["x"] }, {}, "wrong-usage", "two options"],
  [
    "equal options",
    "tea.mp4",
    { text: "Q", options: ["tea", "milk", " tea "] },
    {},
    "wrong-usage",
    "A and C are equal: tea.",
  ],
  [
    "one letter twice",
    "tea.mp4",
    { text: "Q", options: ["(A) x", "(A) y"] },
    {},
    "wrong-usage",
    "A, A",
  ],
  ["a setting nobody knows", "tea.mp4", ASKED, { frames: 3 }, "wrong-setting", "frames"],
  ["no model", "tea.mp4", ASKED, { strategy: "direct" }, "unknown-model", "--model"],
  [
    "an unknown provider",
    "tea.mp4",
    ASKED,
    { strategy: "direct", model: "acme:x" },
    "unknown-model",
    "acme",
  ],
] as const)(
  "%s is refused in a sentence that names it",
  async (_what, name, asked, settings, kind, named) => {
    await expect(
      ask(join(folder, name), asked as Parameters<typeof ask>[1], { store, settings }),
    ).rejects.toMatchObject({ kind, message: expect.stringContaining(named) });
  },
);

test("half of a surrogate pair is replaced, in the text, the goal and the options", () => {
  const asked = { text: "a \ud83c", goal: "\udf5d b", options: ["x \ud83c", "y 🍝"] };
  expect(readQuestion("0".repeat(64), asked)).toMatchObject({
    ...{ text: "a \ufffd", goal: "\ufffd b" },
    options: [{ text: "x \ufffd" }, { text: "y 🍝" }],
  });
});

test("a file that is not a video is refused by name", async () => {
  const path = join(folder, "notes.mp4");
  await writeFile(path, "not a video at all");
  await expect(ask(path, ASKED, { store })).rejects.toMatchObject({
    message: expect.stringContaining("notes.mp4"),
  });
});

test("a rejected request gives an answer with the reason and the evidence so far", async () => {
  const good = procedureModel(PLACES);
  server.answer((request) =>
    request.images.length > 0 ? good(request) : { status: 400, text: "context too long" },
  );
  const settings = rrd({ seed: 3, recognition: { frames: 14, max_side: 64 } });
  const { answer, evidence, events } = await ask(
    file,
    { ...ASKED, goal: "Make soup" },
    { store, settings },
  );
  expect(answer).toMatchObject({
    status: "error",
    answer: null,
    error: { kind: "model-rejected", message: expect.stringContaining("context too long") },
  });
  expect(evidence.items).toHaveLength(3);
  expect(answer.usage.calls).toBe(3);
  expect(events.some((event) => event.type === "failed")).toBe(true);
});

test("options keep their own letters, or get letters from A", () => {
  const options = (given: string[]) =>
    readQuestion("c".repeat(64), { text: "Q", options: given }).options?.map(
      ({ letter, text }) => `${letter}=${text}`,
    );
  expect(options(["(B) x", "(D) y"])).toEqual(["B=x", "D=y"]);
  expect(options(["A. x", "B: y"])).toEqual(["A=x", "B=y"]);
  expect(options(["x", "I. M. Pei"])).toEqual(["A=x", "B=I. M. Pei"]);
  const asked = readQuestion("c".repeat(64), { text: "Q", options: ["x", "y"] });
  expect(asked.task).toBe("choice");
  expect(asked.id).toBe(readQuestion("c".repeat(64), { text: "Q", options: ["A. x", "B. y"] }).id);
});
