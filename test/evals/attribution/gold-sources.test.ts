import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  planGoldAttribution,
  resumeGoldAttribution,
  startGoldAttribution,
} from "../../../evals/attribution/gold-attribution.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { openStore } from "../../../src/storage/open.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { procedureModel } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { mathRows, plainVideo, refusal, settingsFor, vcrData } from "../run/run-fixtures.ts";

/* Where gold comes from: the data, a stronger model, sidecars; and for which samples it is missing. */

let server: ModelServer;
let store: Store;
let folder: string;

beforeAll(async () => {
  folder = await tempFolder();
  server = await startModelServer(() => "A");
  store = await openStore(join(folder, "store"));
});
afterAll(async () => {
  await server.close();
  await store.close();
});
beforeEach(() => server.reset());

const settings = (benchmark: string, data: string, more: object = {}) => ({
  benchmark,
  data,
  ...settingsFor(server.url, store.folder, {
    strategy: "rrd",
    recognition: { frames: 2, max_side: 64, ocr: "off" },
    ...more,
  }),
});
const wordsOf = ({ texts }: { texts: readonly string[] }) => texts.join("\n");

test("the steps of a solution never reach a model; the gold of VideoMathQA is its subtitles", async () => {
  const data = join(folder, "math");
  await mkdir(join(data, "videos"), { recursive: true });
  await mkdir(join(data, "subtitles"), { recursive: true });
  const steps = ["Count the apples, which gives SECRET-STEP."];
  const rows = mathRows(2).map((row) => ({ ...row, steps }));
  for (const { videoID } of rows) {
    await plainVideo(join(data, "videos", `${videoID}.mp4`), 7);
    await writeFile(
      join(data, "subtitles", `${videoID}.srt`),
      "1\n00:00:00,000 --> 00:00:00,800\nthe apples are on the table\n",
    );
  }
  await writeFile(join(data, "mcq.json"), JSON.stringify(rows));
  server.answer(({ images }) => (images.length > 0 ? "Part 1: apples" : "Answer: A"));
  const input = settings("videomathqa", data, {
    recognition: { frames: 2, max_side: 64, ocr: "off", subtitles: "full" },
    reasoning: { mathematics: "on" },
  });
  const found = await startGoldAttribution(input, join(folder, "math-out"), {}, { store });
  expect(found.table.stages).toEqual(["speech"]);
  expect(found.gold).toEqual([{ stage: "speech", from: { "the data": 2 } }]);
  expect(found.notes.map(({ what }) => what)).toEqual([
    "samples whose gold speech are the subtitles that the strategy reads anyway",
  ]);
  expect(found.table.arms[0]).toEqual(found.table.arms[1]);
  expect(server.chats().length).toBeGreaterThan(2);
  const sent = server.chats().map(wordsOf).join("\n");
  expect(sent).toContain("the apples are on the table");
  expect(JSON.stringify(server.requests).includes("SECRET-STEP")).toBe(false);
  // Captions of the data would be the steps.
  const failure = await refusal(planGoldAttribution(input, { stages: ["captions"] }));
  expect(failure.message).toMatch(/the data of VideoMathQA have no step names/);
});

test("step names are gold captions of an order, and samples without them are counted apart", async () => {
  const places = [
    [2, 1, 3],
    [1, 2, 3],
  ];
  const data = await vcrData(places, (place) => `bring the bowl to stage ${place}`);
  const { readFile } = await import("node:fs/promises");
  const [first, { steps: _, ...second }] = JSON.parse(
    await readFile(join(data, "data.json"), "utf8"),
  );
  await writeFile(join(data, "data.json"), JSON.stringify([first, second]));
  // Takes each clip for the first step; the gold ones it orders rightly.
  const good = procedureModel([2, 1, 3]);
  server.answer((request) =>
    request.images.length > 0 ? "The bowl is brought to stage 1." : good(request),
  );
  const out = join(folder, "order-out");
  const found = await startGoldAttribution(settings("vcrbench", data), out, {}, { store });
  expect(found).toMatchObject({
    gold: [{ stage: "captions", from: { "step names": 1 } }],
    without_gold: [{ sample: "2", lacks: ["captions"] }],
    table: { stages: ["captions"], samples: ["1"], arms: [[0], [1]] },
  });
  const failure = await refusal(
    planGoldAttribution(settings("vcrbench", data), { stages: ["captions", "text"] }),
  );
  expect(failure.message).toMatch(/does not read text for order questions\. It reads captions\./);
});

test("a stronger model recognises again, and the results are relative to it", async () => {
  const data = join(folder, "own");
  await mkdir(data);
  await plainVideo(join(data, "v.mp4"), 3);
  const row = { id: "q", video: "v.mp4", question: "Which?", options: ["no", "yes"], answer: "B" };
  await writeFile(join(data, "questions.jsonl"), JSON.stringify(row));
  server.answer((request) => {
    if (request.images.length > 0)
      return `Part 1: ${request.model === "strong" ? "a sharp view" : "a blur"}`;
    return `Answer: ${wordsOf(request).includes("sharp") ? "B" : "A"}`;
  });
  const input = settings("dataset", join(data, "questions.jsonl"));
  const oracle = "openai:strong";
  const planned = await planGoldAttribution(input, { oracle });
  expect(planned).toMatchObject({ stages: ["captions"], samples: 1, without_gold: [], oracle });
  expect(planned.cells.map(({ name, plan }) => [name, plan.frames])).toEqual([
    ["1-recognised", 2],
    ["2-oracle", 2],
    ["3-gold-captions", 0],
  ]);
  expect(server.chats()).toHaveLength(0);
  const out = join(folder, "oracle-out");
  const found = await startGoldAttribution(input, out, { oracle }, { store });
  expect(found).toMatchObject({
    relative_to: oracle,
    gold: [{ stage: "captions", from: { [oracle]: 1 } }],
    table: { arms: [[0], [1]] },
  });
  expect(found.runs).toEqual(["1-recognised", "3-gold-captions"]);
  // Two recognitions; one answer for each of the two descriptions.
  expect(
    server
      .chats()
      .map(({ model, images }) => `${model} ${images.length > 0}`)
      .sort(),
  ).toEqual(["scripted false", "scripted false", "scripted true", "strong true"]);
  const failure = await refusal(planGoldAttribution(input, { oracle, stages: ["search"] }));
  expect(failure.message).toMatch(/have no evidence spans/);
});

test("a strategy that does not answer from descriptions is measured over its evidence in every run", async () => {
  const data = join(folder, "words");
  await mkdir(join(data, "gold"), { recursive: true });
  await plainVideo(join(data, "v.mp4"), 5);
  await writeFile(join(data, "v.srt"), "1\n00:00:00,000 --> 00:00:00,800\nthe weather is fine\n");
  const row = {
    id: "q",
    video: "v.mp4",
    question: "What did the farmer buy?",
    options: ["a red tractor", "a blue boat"],
    answer: "A",
  };
  await writeFile(join(data, "questions.jsonl"), JSON.stringify(row));
  await writeFile(
    join(data, "gold", "v.json"),
    JSON.stringify({
      speech: [{ start_s: 0, end_s: 0.8, text: "the farmer did buy a red tractor" }],
    }),
  );
  const input = settings("dataset", join(data, "questions.jsonl"), {
    strategy: "extractive",
    model: undefined,
    recognition: { ocr: "off" },
  });
  const out = join(folder, "words-out");
  const sidecars = join(data, "gold");
  const found = await startGoldAttribution(input, out, { sidecars }, { store });
  expect(found.runs).toEqual(["2-over-evidence", "3-gold-speech"]);
  expect(found.table).toMatchObject({ stages: ["speech"], arms: [[0], [1]] });
  expect(server.requests).toHaveLength(0);
  // The gold is that of the start, whatever becomes of the sidecar.
  await writeFile(join(sidecars, "v.json"), "{}");
  expect(await resumeGoldAttribution(out, {}, { store })).toEqual(found);
  expect(
    (await refusal(planGoldAttribution(input, { sidecars, stages: ["captions"] }))).message,
  ).toMatch(/extractive does not read captions for choice questions\. It reads speech, search\./);
});
