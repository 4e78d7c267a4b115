import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ask } from "../../../graphs/ask.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { hashOf } from "../../../src/core/hash.ts";
import { openStore } from "../../../src/storage/open.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { clipsSeen, identifyClip, makeShuffled, wordsOf } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";

const COLOURS = ["Red", "Green", "Blue", "Yellow"];
let server: ModelServer;
let store: Store;
let file: string;

beforeAll(async () => {
  const folder = await tempFolder();
  server = await startModelServer(() => "B");
  store = await openStore(join(folder, "store"));
  file = join(folder, "colours.mp4");
  await makeShuffled(file, 3, { cards: false });
});
afterAll(async () => {
  await server.close();
  await store.close();
});
beforeEach(() => server.reset());

function run(text: string, settings: Record<string, unknown>, more: object = {}) {
  return ask(
    file,
    { text, options: COLOURS, ...more },
    {
      store,
      settings: { model: "openai:scripted", runtime: { base_url: server.url }, ...settings },
    },
  );
}

test("direct sends the frames in order of time, then the question, in one call; its frames are the evidence", async () => {
  const { answer, evidence } = await run("Which colour comes second?", {
    strategy: "direct",
    recognition: { frames: 6, max_side: 64 },
  });
  expect(answer).toMatchObject({
    status: "answered",
    answer: "B",
    cited_by: "code",
    confidence: null,
  });
  expect(server.chats()).toHaveLength(1);
  const [request] = server.chats();
  expect(request?.images).toHaveLength(6);
  expect(await clipsSeen(request as NonNullable<typeof request>)).toEqual([1, 2, 3]);
  expect(request?.parts.at(-1)).toMatchObject({ type: "text" });
  const words = wordsOf(request as NonNullable<typeof request>);
  expect(words).toContain("Which colour comes second?");
  expect(words).toContain("(A) Red\n(B) Green\n(C) Blue\n(D) Yellow");
  expect(evidence.items.map((item) => item.kind)).toEqual(Array(6).fill("frame"));
  expect(answer.cites).toEqual(evidence.items.map((item) => item.id));
  expect(evidence.items[0]?.frame?.t_s).toBe(0);
  expect(answer.usage).toMatchObject({ calls: 1, frames: 6 });
  expect(answer.set).toBe(hashOf({ base: null, items: evidence.items.map((item) => item.id) }));
});

test("blind sends no frame, key-frame the middle one", async () => {
  await run("Which colour?", { strategy: "blind" });
  const { evidence } = await run("Which colour?", { strategy: "key-frame" });
  expect(server.chats().map((request) => request.images.length)).toEqual([0, 1]);
  expect((await identifyClip(server.chats()[1]?.images[0] as Buffer)).clip).toBe(2);
  expect(evidence.items[0]?.frame?.t_s).toBeCloseTo(3, 0);
});

test("a chain of thought is requested as steps, and its last line counts", async () => {
  server.answer(() => "First red, then (A) green.\n\nAnswer: C");
  const { answer } = await run("Which one, step by step?", {
    strategy: "blind",
    reasoning: { cot: true },
  });
  expect(answer.answer).toBe("C");
  expect(wordsOf(server.chats()[0] as never)).toContain("step by step");
  server.answer(() => "B");
});

test("an open question is answered in words; one about order needs a permutation", async () => {
  server.answer(() => "A red field turns green.");
  const open = await ask(file, "What is seen?", {
    store,
    settings: { strategy: "blind", model: "openai:scripted", runtime: { base_url: server.url } },
  });
  expect(open.answer).toMatchObject({ status: "answered", answer: "A red field turns green." });
  server.answer(() => "Correct order: 2, 3, 1");
  const order = await run("Order", { strategy: "direct" }, { options: undefined, goal: "Tea" });
  expect(order.answer).toMatchObject({ status: "answered", answer: [2, 3, 1] });
  server.answer(() => ({ text: "Correct order: 2, 1", finish: "length" }));
  const cut = await run("Order", { strategy: "direct" }, { options: undefined, goal: "Jam" });
  expect(cut.answer).toMatchObject({ status: "truncated", answer: null });
  server.answer(() => "B");
});

test("random draws by question and seed, calls no model, and reaches every option", async () => {
  const drawn = new Set<unknown>();
  for (let seed = 0; seed < 24; seed++) {
    const settings = { strategy: "random", seed, model: undefined };
    const first = await run("Which?", settings);
    expect((await run("Which?", settings)).answer.answer).toBe(first.answer.answer);
    drawn.add(first.answer.answer);
  }
  expect([...drawn].sort()).toEqual(["A", "B", "C", "D"]);
  expect(server.requests).toHaveLength(0);
});

test("random shuffles the clips of an order question; without cards it is an error", async () => {
  const cards = join(await tempFolder(), "cards.mp4");
  await makeShuffled(cards, 3);
  const settings = { strategy: "random", seed: 4 };
  const { answer } = await ask(cards, { text: "Order", goal: "Tea" }, { store, settings });
  expect([...(answer.answer as number[])].sort()).toEqual([1, 2, 3]);
  const without = await ask(file, { text: "Order", goal: "Tea" }, { store, settings });
  expect(without.answer).toMatchObject({ status: "error", error: { kind: "not-found" } });
});

test("direct by clip sends every clip's own frames with its number in one call; without cards it is an error", async () => {
  server.answer(() => "Correct order: 3, 1, 2");
  const cards = join(await tempFolder(), "by-clip.mp4");
  await makeShuffled(cards, 3);
  const settings = {
    strategy: "direct",
    model: "openai:scripted",
    recognition: { input: "clip", frames: 12, max_side: 64 },
    runtime: { base_url: server.url },
  };
  const { answer } = await ask(cards, { text: "Order", goal: "Tea" }, { store, settings });
  expect(answer).toMatchObject({ status: "answered", answer: [3, 1, 2], usage: { frames: 12 } });
  expect(server.chats()).toHaveLength(1);
  const request = server.chats()[0] as NonNullable<ReturnType<ModelServer["chats"]>[number]>;
  expect(
    request.parts.map((part) => (part.type === "text" ? part.text.slice(0, 7) : part.type)),
  ).toEqual([
    ...[1, 2, 3].flatMap((clip) => [`Clip ${clip}:`, "image", "image", "image", "image"]),
    expect.any(String),
  ]);
  expect(await clipsSeen(request)).toEqual([1, 2, 3]);

  const without = await ask(file, { text: "Order", goal: "Tea" }, { store, settings });
  expect(without.answer).toMatchObject({ status: "error", error: { kind: "not-found" } });
  expect(server.chats()).toHaveLength(1);
  server.answer(() => "B");
});
