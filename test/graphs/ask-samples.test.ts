import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type AskOptions, ask, askOpened } from "../../graphs/ask.ts";
import { askSamples, voteOf } from "../../graphs/ask-samples.ts";
import { renderAnswer } from "../../src/app/cli/render/answer.ts";
import type { Store } from "../../src/core/contracts.ts";
import { readSettings } from "../../src/core/settings.ts";
import type { Answer } from "../../src/core/shapes.ts";
import { openStore } from "../../src/storage/open.ts";
import { plainVideo } from "../evals/run/run-fixtures.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { tempFolder } from "../support/temp.ts";

let server: ModelServer;
let store: Store;
let file: string;
let prices: string;
/** The server's replies, in order. */
let said: string[] = [];

beforeAll(async () => {
  server = await startModelServer(() => "A");
  const folder = await tempFolder();
  store = await openStore(join(folder, "store"));
  file = join(folder, "film.mp4");
  prices = join(folder, "prices.yaml");
  await plainVideo(file, 1);
  await writeFile(prices, '"openai:scripted": { input: 10, output: 0 }\n');
});
afterAll(async () => {
  await store.close();
  await server.close();
});
beforeEach(() => {
  server.reset();
  server.answer(() => ({ text: said.shift() ?? "A", usage: { input: 1000, output: 1 } }));
});

const settings = (more: object = {}) => ({
  strategy: "direct",
  model: "openai:scripted",
  reasoning: { temperature: 0.7 },
  recognition: { frames: 1, max_side: 64 },
  runtime: { base_url: server.url, prices, max_connections: 1 },
  ...more,
});
const sampled = (
  text: string,
  count: number,
  more: object = {},
  options: string[] = ["x", "y"],
) => {
  const asked = { text, ...(options.length > 0 ? { options } : {}) };
  const given: AskOptions = { store, settings: settings(more) };
  return askOpened(file, asked, given, (parts) => askSamples(parts, count));
};

test("Five samples are five different calls; the majority answers with its share as confidence", async () => {
  said = ["B", "A", "B", "A", "B"];
  const budget = { calls: 5 };
  const { answer, samples, events } = await sampled("majority?", 5, { budget });
  expect(server.chats()).toHaveLength(5);
  expect(samples.map(({ sample, answer: one }) => [sample, one])).toEqual([
    [1, "B"],
    [2, "A"],
    [3, "B"],
    [4, "A"],
    [5, "B"],
  ]);
  expect(answer).toMatchObject({
    status: "answered",
    answer: "B",
    confidence: 0.6,
    confidence_basis: expect.stringContaining("share of 5 samples"),
    usage: { calls: 5, input: 5000, cost: 0.05, paid: 0.05 },
    diagnostics: { vote: { votes: 3, cast: 5, samples: 5 } },
  });
  expect(events.filter(({ type }) => type === "answer")).toHaveLength(5);
  const text = renderAnswer(
    {
      question: { id: "q", video: "v", text: "?", task: "choice", options: [] },
      answer,
      evidence: { id: "", base: null, items: [] },
      events,
      samples,
    },
    readSettings(settings()),
  );
  expect(text).toMatch(/Samples:\n {2}1 {2}.*B/);
  expect(text).toContain("Confidence 0.60");
});

test("A tie goes to the lowest sample, and repeated samples cost nothing", async () => {
  said = ["B", "A"];
  const first = await sampled("tie?", 2, { budget: { calls: 9 } });
  expect(first.answer).toMatchObject({ answer: "B", confidence: 0.5 });
  expect(
    (await ask(file, { text: "tie?", options: ["x", "y"] }, { store, settings: settings() })).answer
      .answer,
  ).toBe("B");
  const again = await sampled("tie?", 2);
  expect(again.answer).toMatchObject({ answer: "B", usage: { paid: 0 } });
  expect(server.chats()).toHaveLength(2);
});

test("A budget applies to all samples together and goes to the lowest ones", async () => {
  said = ["B", "B"];
  const { answer, samples } = await sampled("budget?", 5, { budget: { cost: 0.0205 } });
  expect(samples.map(({ status }) => status)).toEqual([
    "answered",
    "answered",
    "not-answered",
    "not-answered",
    "not-answered",
  ]);
  expect(answer).toMatchObject({
    ...{ answer: "B", confidence: 0.4, limits_met: ["cost"] },
    confidence_basis: expect.stringContaining("(majority vote, 2 answered)"),
  });
  expect(server.chats().length).toBeLessThanOrEqual(3);
});

test("Without any answer there is no confidence", async () => {
  const { answer } = await sampled("nothing?", 3, { budget: { calls: 0 } });
  expect(answer).toMatchObject({
    status: "not-answered",
    answer: null,
    confidence: null,
    confidence_basis: null,
  });
});

const answers = (...given: (string | number[] | null)[]) =>
  given.map((answer) => ({ status: answer === null ? "unparsed" : "answered", answer }) as Answer);

test("Open answers vote by their words, orders as a whole, and unanswered samples do not vote", () => {
  const open = answers("a door", "The  Window.", "the window", null);
  expect(voteOf(open, "open")).toMatchObject({ answer: "The  Window.", votes: 2, share: 0.5 });
  const orders = answers([1, 2, 3], [2, 1, 3], [2, 3, 1], [2, 3, 1]);
  expect(voteOf(orders, "order")).toMatchObject({ answer: [2, 3, 1], number: 3 });
});
