import { join } from "node:path";
import { Command, MemorySaver } from "@langchain/langgraph";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type AskGraphOptions, askGraph } from "../../graphs/ask-graph.ts";
import type { Store } from "../../src/core/contracts.ts";
import type { Event } from "../../src/core/events.ts";
import type { Answer, EvidenceSet } from "../../src/core/shapes.ts";
import { openStore } from "../../src/storage/open.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { clipsSeen, makeShuffled, procedureModel, stepOf } from "../support/shuffled.ts";
import { tempFolder } from "../support/temp.ts";

const PLACES = [2, 3, 1];
const ORDER = { text: "In which order?", goal: "Make tea" };
const CHOICE = { text: "Which colour is first?", options: ["Red", "Blue"] };

let server: ModelServer;
let store: Store;
let file: string;
let threads = 0;

beforeAll(async () => {
  const folder = await tempFolder();
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

const settings = (strategy: string, more: object = {}) => ({
  ...{ strategy, model: "openai:scripted" },
  recognition: { frames: 12, max_side: 64 },
  runtime: { base_url: server.url },
  ...more,
});
const newThread = () => ({ configurable: { thread_id: `${++threads}` } });
const graphWith = (options: AskGraphOptions = {}) =>
  askGraph({ checkpointer: new MemorySaver(), store, ...options });

interface Result {
  answer: Answer;
  evidence: EvidenceSet;
}
interface Paused {
  __interrupt__: { value: { evidence: { id: string; name: string; text: string }[] } }[];
}

test("corrected evidence is reasoned over; wrong values are refused, and the graph stays paused", async () => {
  const graph = await graphWith();
  const thread = newThread();
  const input = { video: file, question: ORDER, settings: settings("rrd") };
  const paused = (await graph.invoke({ ...input, review: "evidence" }, thread)) as never as Paused;
  const shown = paused.__interrupt__[0]?.value.evidence ?? [];
  expect(shown).toMatchObject([{ name: "E1" }, { name: "E2" }, { name: "E3" }]);
  expect(server.chats()).toHaveLength(3);

  const [first, second] = shown.map(({ id }) => id) as [string, string];
  const resume = (value: unknown) => graph.invoke(new Command({ resume: value }), thread);
  const late = { do: "change", id: first, change: { start_s: 2, end_s: 900 } };
  await expect(resume("yes")).rejects.toThrow("Invalid review: Invalid input: expected object");
  await expect(resume({ corrections: [late] })).rejects.toThrow(
    "Invalid review: corrections: Invalid times 2 to 900: use start_s <= end_s within the 7.80 s of the video.",
  );
  await expect(resume({ corrections: [{ do: "reject", id: "0".repeat(64) }] })).rejects.toThrow(
    "There is no evidence item with this id",
  );
  await expect(resume({ person: "x", approve: true })).rejects.toThrow("Invalid review");
  expect((await graph.getState(thread)).tasks[0]?.interrupts).toHaveLength(1);

  const corrections = [
    { do: "change", id: first, change: { text: "A kettle is filled." } },
    { do: "reject", id: second },
    { do: "add", item: { kind: "caption", clip: 2, start_s: 3.2, end_s: 5, text: "It boils." } },
  ];
  const { answer, evidence } = (await resume({ person: "Ann", corrections })) as never as Result;
  expect(server.chats()).toHaveLength(4);
  const sent = server.chats().at(-1)?.texts.join("\n") ?? "";
  expect(sent).toContain("Clip 1: A kettle is filled.\nClip 2: It boils.\nClip 3: ");
  expect(answer).toMatchObject({ status: "answered", usage: { calls: 4, frames: 12 } });
  expect(answer.diagnostics).toMatchObject({
    review: { of: "evidence", by: "Ann", corrections: 3 },
  });
  const by = evidence.items.flatMap((item) => (item.kind === "caption" ? [item.by] : []));
  expect(by.filter(({ who }) => who === "person")).toEqual([
    { who: "person", name: "Ann" },
    { who: "person", name: "Ann" },
  ]);
  expect(evidence.items.some(({ id }) => id === second)).toBe(false);
});

test("an order after corrections has the clips without a description, and each clip once, as a person describes it", async () => {
  const good = procedureModel(PLACES);
  server.answer(async (request) =>
    stepOf(request) === "clip" && (await clipsSeen(request))[0] === 3
      ? { empty: true }
      : good(request),
  );
  const graph = await graphWith();
  const thread = newThread();
  const given = settings("rrd", {
    recognition: { frames: 12, max_side: 56 },
    reasoning: { input: "video+text" },
  });
  const input = { video: file, question: ORDER, settings: given };
  const paused = (await graph.invoke({ ...input, review: "evidence" }, thread)) as never as Paused;
  expect(paused.__interrupt__[0]?.value.evidence).toHaveLength(2);
  const caption = { kind: "caption", end_s: 2.5, text: "A kettle is filled." };
  // One before and one after the caption of the model.
  const corrections = [
    { do: "add", item: { ...caption, clip: 1, start_s: 0.5 } },
    { do: "add", item: { ...caption, clip: 2, start_s: 3.5, end_s: 5, text: "It boils." } },
  ];
  const { answer } = (await graph.invoke(
    new Command({ resume: { corrections } }),
    thread,
  )) as never as Result;
  const texts = server.chats().at(-1)?.texts ?? [];
  expect(texts.at(-1)).toContain(
    "Clip 1: A kettle is filled.\nClip 2: It boils.\nClip 3: (not described)",
  );
  expect(texts.filter((text) => /^Clip \d:$/.test(text))).toEqual([
    "Clip 1:",
    "Clip 2:",
    "Clip 3:",
  ]);
  expect(answer).toMatchObject({ status: "answered", answer: [1, 2, 3] });
});

test("corrections replace the replies that the order is otherwise asked for over", async () => {
  const graph = await graphWith();
  const thread = newThread();
  const recognition = {
    ...{ frames: 12, max_side: 64, mode: "all-at-once" },
    ...{ input: "whole-video", replies: "verbatim" },
  };
  const input = { video: file, question: ORDER, settings: settings("rrd", { recognition }) };
  const paused = (await graph.invoke({ ...input, review: "evidence" }, thread)) as never as Paused;
  const shown = paused.__interrupt__[0]?.value.evidence ?? [];
  const wrong = shown.find(({ text }) => text.endsWith("stage 2."));
  const corrections = [{ do: "change", id: wrong?.id, change: { text: "It is at stage 9." } }];
  const { answer } = (await graph.invoke(
    new Command({ resume: { corrections } }),
    thread,
  )) as never as Result;
  expect(server.chats().at(-1)?.texts.at(-1)).toContain("Clip 1: It is at stage 9.");
  expect(answer.answer).toEqual([3, 2, 1]);
});

test("accepted evidence gives the answer of a run without review, from the same calls", async () => {
  const graph = await graphWith();
  const input = { video: file, question: ORDER, settings: settings("rrd", { seed: 5 }) };
  const thread = newThread();
  await graph.invoke({ ...input, review: "evidence" }, thread);
  const reviewed = (await graph.invoke(new Command({ resume: {} }), thread)) as never as Result;
  server.reset();
  const plain = (await graph.invoke(input, newThread())) as never as Result;
  expect(server.chats()).toHaveLength(0);
  expect(reviewed.answer.answer).toEqual(plain.answer.answer);
  expect(reviewed.evidence.id).toBe(plain.evidence.id);
});

test("an answer is final after its review: a wrong letter is refused, another answer loses its confidence", async () => {
  server.answer(() => "B");
  const graph = await graphWith();
  const thread = newThread();
  const input = { video: file, question: CHOICE, settings: settings("direct") };
  const paused = await graph.invoke({ ...input, review: "answer" }, thread);
  expect(paused).toMatchObject({ __interrupt__: [{ value: { review: "answer", answer: "B" } }] });
  const resume = (value: unknown) => graph.invoke(new Command({ resume: value }), thread);
  await expect(resume({ answer: "C" })).rejects.toThrow("answer: use one of A, B");
  const { answer } = (await resume({ answer: "A", note: "It is red." })) as never as Result;
  expect(answer).toMatchObject({ status: "answered", answer: "A", confidence: null });
  expect(answer.diagnostics?.review).toEqual({
    ...{ of: "answer", by: "person", before: "B", note: "It is red." },
  });
  expect(answer.usage.calls).toBe(1);
});

test("an order of clips that were not found in the video is corrected to another one of the same clips", async () => {
  server.answer(() => "Correct order: 3, 1, 2");
  const graph = await graphWith();
  const thread = newThread();
  const given = settings("direct", { recognition: { input: "whole-video" } });
  const input = { video: file, question: ORDER, settings: given, review: "answer" } as const;
  await graph.invoke(input, thread);
  const resume = (answer: unknown, of = thread) =>
    graph.invoke(new Command({ resume: { answer } }), of) as never as Promise<Result>;
  for (const wrong of [[1, 2], [1, 2, 2], [1, 2, 4], "A"])
    await expect(resume(wrong)).rejects.toThrow("answer: use each of the clips 1, 2, 3 once");
  expect((await resume([2, 1, 3])).answer).toMatchObject({
    ...{ status: "answered", answer: [2, 1, 3] },
    diagnostics: { review: { of: "answer", before: [3, 1, 2] } },
  });

  server.answer(() => "I cannot tell.");
  const unparsed = newThread();
  await graph.invoke({ ...input, question: { ...ORDER, goal: "Make jam" } }, unparsed);
  await expect(resume("A", unparsed)).rejects.toThrow(
    "answer: use the numbers of the clips in their right order",
  );
  await expect(resume([1, 2, 4], unparsed)).rejects.toThrow("use each of the clips 1, 2, 3 once");
  const { answer } = await resume([2, 3, 1], unparsed);
  expect(answer).toMatchObject({ status: "answered", answer: [2, 3, 1] });
});

test("a strategy that asks another has its answer reviewed, and its calls are counted once", async () => {
  server.answer(() => "B");
  const graph = await graphWith();
  const thread = newThread();
  const given = settings("self-consistency", { consistency: { samples: 3 } });
  await graph.invoke({ video: file, question: CHOICE, settings: given, review: "answer" }, thread);
  const calls = server.chats().length;
  const { answer } = (await graph.invoke(
    new Command({ resume: { answer: "A" } }),
    thread,
  )) as never as Result;
  expect(server.chats()).toHaveLength(calls);
  expect(answer).toMatchObject({ answer: "A", usage: { calls } });
});

test("a review needs a checkpointer, and a strategy that recognises something", async () => {
  const input = { video: file, question: CHOICE, settings: settings("direct") };
  const plain = await askGraph({ store });
  await expect(plain.invoke({ ...input, review: "answer" })).rejects.toThrow(
    "A review needs a checkpointer",
  );
  const graph = await graphWith();
  await expect(graph.invoke({ ...input, review: "evidence" }, newThread())).rejects.toThrow(
    'use "review": "answer"',
  );
  await expect(graph.invoke({ ...input, review: "later" as never }, newThread())).rejects.toThrow(
    "review",
  );
  await expect(graph.invoke({ video: file }, newThread())).rejects.toThrow("has no question");
});

test("streams: updates of each stage, events of the question, and tools that the model calls", async () => {
  server.answer(({ tools, toolResults }) =>
    tools.length > 0 && toolResults.length === 0
      ? { toolCalls: [{ name: "overview", arguments: {} }] }
      : {
          toolCalls: [
            { name: "answer", arguments: { answer: "A", evidence: ["E1"], confidence: 0.5 } },
          ],
        },
  );
  const graph = await graphWith();
  const input = { video: file, question: CHOICE, settings: settings("agent") };
  const nodes: string[] = [];
  const events: Event[] = [];
  const tools: { event: string; name: string; toolCallId?: string }[] = [];
  for await (const [, mode, chunk] of await graph.stream(input, {
    ...newThread(),
    streamMode: ["updates", "custom", "tools"],
    subgraphs: true,
  })) {
    if (mode === "updates") nodes.push(...Object.keys(chunk as object));
    if (mode === "custom") events.push(chunk as Event);
    if (mode === "tools") tools.push(chunk as (typeof tools)[number]);
  }
  expect(nodes).toEqual(expect.arrayContaining(["prepare", "turn", "tools", "cite", "agent"]));
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, place) => place + 1));
  expect(events.some(({ type }) => type === "answer")).toBe(true);
  expect(tools).toMatchObject([
    { event: "on_tool_start", name: "overview" },
    { event: "on_tool_end", name: "overview" },
  ]);
});
