import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { askInStore } from "../../../graphs/ask.ts";
import { planOrdering } from "../../../graphs/plan.ts";
import { readQuestion } from "../../../graphs/read-question.ts";
import { loadPrompts } from "../../../prompts/load-prompts.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { orderingOf } from "../../../src/core/ordering.ts";
import { readSettings, type SettingsInput } from "../../../src/core/settings.ts";
import { openStore } from "../../../src/storage/open.ts";
import { openVideo, type Video } from "../../../tools/video/video.ts";
import {
  type ModelServer,
  type SeenRequest,
  startModelServer,
} from "../../support/model-server.ts";
import {
  makeShuffled,
  procedureModel,
  rightOrder,
  stepOf,
  wordsOf,
} from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";

const PLACES = [3, 1, 5, 2, 4];
const good = procedureModel(PLACES);
const prompts = await loadPrompts();
let server: ModelServer;
let store: Store;
let video: Video;

beforeAll(async () => {
  const folder = await tempFolder();
  server = await startModelServer(good);
  store = await openStore(join(folder, "store"));
  const { file } = await makeShuffled(join(folder, "shuffled.mp4"), PLACES.length);
  video = await openVideo(file, { store, run: "test" });
});
afterAll(async () => {
  await server.close();
  await store.close();
});
beforeEach(() => {
  server.reset();
  server.answer(good);
});

type Reasoning = NonNullable<SettingsInput["reasoning"]>;
const settingsOf = (reasoning: Reasoning, max_connections = 48, budget = {}) =>
  readSettings({
    strategy: "rrd",
    model: "openai:scripted",
    recognition: { mode: "all-at-once", max_side: 64 },
    reasoning,
    budget,
    runtime: { base_url: server.url, max_connections },
  });

let epochs = 0;
function run(
  reasoning: Reasoning,
  more: { max_connections?: number; epoch?: number; budget?: object } = {},
) {
  return askInStore({
    video,
    question: readQuestion(video.hash, { text: "In which order?", goal: "Make lemonade" }),
    prompts,
    store,
    epoch: more.epoch ?? epochs++,
    settings: settingsOf(reasoning, more.max_connections, more.budget),
  });
}

/** Places of Event A and Event B. */
function pairOf(request: SeenRequest): [number, number] {
  const [a = 0, b = 0] = [...wordsOf(request).matchAll(/stage (\d)/g)].map((m) => Number(m[1]));
  return [a, b];
}
const pairs = () =>
  server
    .chats()
    .filter((one) => stepOf(one) === "compare")
    .map(pairOf);
const orderCalls = () => server.chats().filter((one) => stepOf(one) === "order");

test("a tournament asks all pairs both ways at once", async () => {
  server.answer(async (request) =>
    stepOf(request) === "compare"
      ? { text: String(await good(request)), delay_ms: 150 }
      : good(request),
  );
  const { answer, events } = await run({ method: "tournament" });
  expect(answer).toMatchObject({ status: "answered", answer: rightOrder(PLACES), confidence: 1 });
  expect(new Set(pairs().map(String)).size).toBe(20);
  expect(server.maxInFlight()).toBe(20);
  expect(answer.confidence_basis).toContain("uncalibrated");
  const first = events.findIndex((event) => event.type === "call" && event.stage === "order");
  const note = events.findIndex((event) => event.type === "note" && event.stage === "order");
  expect(note).toBeLessThan(first);
  expect(events[note]).toMatchObject({
    text: "tournament over 5 clips makes 20 calls, not counting repeated ones.",
  });
  const [planned] = planOrdering(settingsOf({ method: "tournament" }), 5).slice(-1);
  expect(planned).toMatchObject({ stage: "order", calls: 20, exact: true, frames: 0 });
});

test("no more calls than connections are in flight", async () => {
  await run({ method: "tournament" }, { max_connections: 4 });
  expect(server.maxInFlight()).toBeLessThanOrEqual(4);
  expect(pairs()).toHaveLength(20);
});

/** Says A wherever the two steps stand next to each other, whichever is shown first. */
const biased = async (request: SeenRequest) => {
  if (stepOf(request) !== "compare") return good(request);
  const [a, b] = pairOf(request);
  return Math.abs(a - b) === 1 || a < b ? "A" : "B";
};

test("a bias to Event A misleads merge sort, and a tournament reports its contradictions", async () => {
  server.answer(biased);
  const sorted = await run({ method: "merge-sort" });
  expect(sorted.answer.answer).not.toEqual(rightOrder(PLACES));
  expect(sorted.answer.confidence).toBeNull();
  const { answer } = await run({ method: "tournament" });
  const found = orderingOf(answer.diagnostics);
  expect(found).toMatchObject({
    clips: [1, 2, 3, 4, 5],
    pairs_both_ways: 10,
    contradictions: 4,
    cycles: 0,
    margin: 0,
    invalid: 0,
    agreement: 0.8,
  });
  expect(answer.confidence).toBe(0.8);
  // Clips 1 and 4 are the third step and the second: A both ways.
  expect([found?.matrix[0]?.[3], found?.matrix[3]?.[0]]).toEqual([1, 1]);
  expect(found?.matrix[1]?.[2]).toBe(1);
  expect(found?.matrix[2]?.[1]).toBe(0);
});

test("log-probabilities outweigh a smaller bias to Event A", async () => {
  server.answer(async (request) => {
    if (stepOf(request) !== "compare") return good(request);
    const [a, b] = pairOf(request);
    const p = 1 / (1 + Math.exp(-(0.8 * (b - a) + 1)));
    return {
      text: p > 0.5 ? "A" : "B",
      logprobs: { A: Math.log(0.9 * p), " B": Math.log(0.9 * (1 - p)), I: Math.log(0.1) },
    };
  });
  const { answer, evidence } = await run({ method: "tournament" });
  expect(answer.answer).toEqual(rightOrder(PLACES));
  const found = orderingOf(answer.diagnostics);
  expect(found).toMatchObject({ weighed: 20, contradictions: 4 });
  expect(found?.matrix[1]?.[3]).toBeCloseTo(1 / (1 + Math.exp(-1.8)), 3);
  const comparison = evidence.items.find((item) => item.kind === "comparison");
  expect(comparison?.data?.weight_of_a).toBeTypeOf("number");
});

test("the probability of the first word of a sentence is not that of a letter", async () => {
  server.answer(async (request) => {
    if (stepOf(request) !== "compare") return good(request);
    const letter = await good(request);
    const text = `A person does one of them first.\n\nAnswer: ${letter}`;
    return { text, logprobs: { A: -0.05, B: -3.5 } };
  });
  const { answer } = await run({ method: "tournament" });
  expect(answer.answer).toEqual(rightOrder(PLACES));
  expect(orderingOf(answer.diagnostics)).toMatchObject({ weighed: 0, contradictions: 0 });
});

test("adaptive asks each pair once, then the reverse of neighbours if the judge is consistent", async () => {
  const { answer } = await run({ method: "tournament-adaptive" });
  expect(answer.answer).toEqual(rightOrder(PLACES));
  expect(pairs()).toHaveLength(10 + 4);
  const again = pairs();
  server.reset();
  await run({ method: "tournament-adaptive" });
  expect(pairs().slice(0, 10).map(String).sort()).toEqual(again.slice(0, 10).map(String).sort());
});

test("cells share their calls: merge sort after a tournament costs nothing", async () => {
  const epoch = epochs++;
  await run({ method: "tournament" }, { epoch });
  server.reset();
  const { answer } = await run({ method: "merge-sort" }, { epoch });
  expect(answer.answer).toEqual(rightOrder(PLACES));
  expect(server.chats()).toHaveLength(0);
});

test("an unreadable answer is repeated once, then ignored by a tournament", async () => {
  server.answer((request) => {
    const [a, b] = stepOf(request) === "compare" ? pairOf(request) : [0, 0];
    return a === 3 && b === 1 ? "Either could come first." : good(request);
  });
  const { answer } = await run({ method: "tournament" });
  expect(answer).toMatchObject({ answer: rightOrder(PLACES), confidence: 1 });
  expect(answer.diagnostics).toMatchObject({ comparisons: 20, asked_again: 1, invalid: 1 });
  expect(orderingOf(answer.diagnostics)?.matrix[0]?.[1]).toBeNull();
  expect(pairs()).toHaveLength(21);
});

test("a vote shuffles and renumbers the list for each call, and outvotes a wrong reply", async () => {
  let calls = 0;
  server.answer(async (request) =>
    stepOf(request) === "order" && ++calls === 2 ? "Correct order: 1, 2, 3, 4, 5" : good(request),
  );
  const { answer } = await run({ method: "vote", votes: 5 });
  expect(answer.answer).toEqual(rightOrder(PLACES));
  const lists = orderCalls().map((request) =>
    [...wordsOf(request).matchAll(/^Clip (\d): .*stage (\d)/gm)].map((m) => [m[1], m[2]]),
  );
  expect(lists).toHaveLength(5);
  for (const list of lists) expect(list.map(([number]) => number)).toEqual([..."12345"]);
  expect(new Set(lists.map(String)).size).toBeGreaterThan(1);
  expect(answer.confidence).toBeGreaterThan(0.7);
  expect(answer.confidence).toBeLessThan(1);
});

test("a hybrid lists once, then compares neighbours both ways and corrects the list", async () => {
  server.answer(async (request) => {
    const reply = await good(request);
    if (stepOf(request) !== "order") return reply;
    const [a, b, ...rest] = String(reply).replace(/.*: /, "").split(", ");
    return `Correct order: ${[b, a, ...rest].join(", ")}`;
  });
  const { answer } = await run({ method: "hybrid" });
  expect(answer.answer).toEqual(rightOrder(PLACES));
  expect([orderCalls().length, pairs().length]).toEqual([1, 8]);
});

test("a spent budget leaves a tournament its paid pairs; without any there is no answer", async () => {
  const { answer } = await run({ method: "tournament" }, { budget: { calls: 7 } });
  expect(answer).toMatchObject({ status: "answered", limits_met: ["calls"] });
  expect(answer.diagnostics).toMatchObject({ comparisons: 20, not_paid: 14 });
  const { answer: none } = await run({ method: "vote" }, { budget: { calls: 1 } });
  expect(none).toMatchObject({ status: "not-answered", answer: null });
});

test.each(["vote", "tournament"] as const)(
  "%s without one readable reply is unparsed",
  async (method) => {
    server.answer((request) =>
      stepOf(request) === "compare" || stepOf(request) === "order" ? "Hm." : good(request),
    );
    const { answer } = await run({ method });
    expect(answer).toMatchObject({
      status: "unparsed",
      confidence: null,
      error: { kind: "model-unusable" },
    });
  },
);
