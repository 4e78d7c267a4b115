import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { askInStore } from "../../../graphs/ask.ts";
import { readQuestion } from "../../../graphs/read-question.ts";
import { releasedCount } from "../../../graphs/replies/parse-descriptions.ts";
import { loadPrompts } from "../../../prompts/load-prompts.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { readSettings } from "../../../src/core/settings.ts";
import { openStore } from "../../../src/storage/open.ts";
import { openVideo, type Video } from "../../../tools/video/video.ts";
import { type ModelServer, type Reply, startModelServer } from "../../support/model-server.ts";
import { makeShuffled, type Step, stepOf, wordsOf } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";

let server: ModelServer;
let store: Store;
let video: Video;
beforeAll(async () => {
  const folder = await tempFolder();
  server = await startModelServer(() => "");
  store = await openStore(join(folder, "store"));
  const { file } = await makeShuffled(join(folder, "shuffled.mp4"), 4);
  video = await openVideo(file, { store, run: "test" });
});
afterAll(async () => {
  await server.close();
  await store.close();
});
beforeEach(() => server.reset());

const prompts = await loadPrompts();
let epoch = 0;
function run(mode: "all-at-once" | "sequential", replies: Partial<Record<Step, Reply | string>>) {
  server.answer((request) => replies[stepOf(request)] ?? "Correct order: 2, 1, 4, 3");
  return askInStore({
    ...{ video, prompts, store, epoch: epoch++ },
    question: readQuestion(video.hash, { text: "In which order?", goal: "Peel a banana" }),
    settings: readSettings({
      ...{ strategy: "rrd", model: "openai:scripted" },
      recognition: { mode, input: "whole-video", replies: "verbatim", frames: 8, max_side: 160 },
      runtime: { base_url: server.url },
    }),
  });
}

const steps = () => server.chats().map(stepOf);
const orderWords = () => {
  const request = server.chats().find((one) => stepOf(one) === "order");
  return request === undefined ? "" : wordsOf(request);
};

test("the reply about all clips enters the order prompt as it is", async () => {
  const all =
    "Here they are:\n\n**Clip 1:** peel the banana.\n- Clip 2: slice  it;\n  then wait\nClip 3: freeze\n\nClip 4: blend <b>";
  const { answer, evidence } = await run("all-at-once", { all });
  expect(orderWords()).toContain(`\n${all}\n`);
  expect(steps()).toEqual(["all", "order"]);
  expect(answer).toMatchObject({ status: "answered", answer: [2, 1, 4, 3] });
  const texts = evidence.items.map(({ clip, text }) => [clip, text]);
  expect(texts.sort(([a], [b]) => Number(a) - Number(b))).toEqual([
    [1, "peel the banana."],
    [2, "slice it; then wait"],
    [3, "freeze"],
    [4, "blend <b>"],
  ]);
});

test("a reply without a description is no end, and no clip is asked for again", async () => {
  const { answer, evidence } = await run("all-at-once", { all: "I cannot tell." });
  expect(orderWords()).toContain("\nI cannot tell.\n");
  expect(steps()).toEqual(["all", "order"]);
  expect(answer).toMatchObject({ status: "answered", answer: [2, 1, 4, 3], cites: [] });
  expect(evidence.items).toMatchObject([{ kind: "caption", text: "I cannot tell.", start_s: 0 }]);
  server.reset();
  await run("all-at-once", { all: "Clip 1: peel it.\nClip 3: freeze it." });
  expect(steps()).toEqual(["all", "order"]);
});

test("an order that was cut off is not read", async () => {
  const order = { text: "Correct order: 2, 1", finish: "length" };
  const { answer } = await run("all-at-once", { all: "I cannot tell.", order });
  expect(answer).toMatchObject({ status: "truncated", answer: null });
});

test("clips are counted by the first digits, and replies about each are joined as they are", async () => {
  const count = "There are 4 clips: Clip 1, Clip 2, Clip 3 and Clip 4.";
  const one = "**peel** the banana.\nExtra line.";
  const { answer } = await run("sequential", { count, one });
  expect(steps()).toEqual(["count", "one", "one", "one", "one", "order"]);
  const joined = [1, 2, 3, 4].map((clip) => `Clip Clip ${clip}: ${one}\n`).join("");
  expect(orderWords()).toContain(`\n${joined}`);
  expect(answer.answer).toEqual([2, 1, 4, 3]);
});

test("a count without digits is not asked for again, and an error ends the question", async () => {
  const uncounted = await run("sequential", { count: "Several." });
  expect(uncounted.answer.status).toBe("unparsed");
  expect(steps()).toEqual(["count"]);
  server.reset();
  const { answer } = await run("sequential", { count: "2", one: { empty: true } });
  expect(answer).toMatchObject({ status: "error", error: { kind: "model-unusable" } });
  expect(steps()).not.toContain("order");
});

test.each([
  ["7", 7],
  [" 7\n", 7],
  ["-3", 0],
  ["There are 5 of 8.", 5],
  ["five", null],
  ["1000", null],
  ["", null],
])("the released rule reads %j as %j", (text, count) => {
  expect(releasedCount(text)).toBe(count);
});
