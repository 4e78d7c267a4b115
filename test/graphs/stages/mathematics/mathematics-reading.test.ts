import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { VIDEOMATHQA_WORDING } from "../../../../evals/benchmarks/videomathqa/wording.ts";
import { askInStore } from "../../../../graphs/ask.ts";
import { readQuestion } from "../../../../graphs/read-question.ts";
import { loadPrompts, type Prompts } from "../../../../prompts/load-prompts.ts";
import type { Store } from "../../../../src/core/contracts.ts";
import { readSettings } from "../../../../src/core/settings.ts";
import { compose, type Picture } from "../../../../src/media/compose.ts";
import { openStore } from "../../../../src/storage/open.ts";
import { openVideo, type Video } from "../../../../tools/video/video.ts";
import {
  type ModelServer,
  type SeenRequest,
  startModelServer,
} from "../../../support/model-server.ts";
import { wordsOf } from "../../../support/shuffled.ts";
import { tempFolder } from "../../../support/temp.ts";

/*
 * A board that fills up, on which the task is only spoken: a triangle with one measure, the other one said, and a line
 * that is left open. The scripted model reads what each picture holds, in the order in which they stood.
 */

const line = (text: string, y: number) =>
  ({ draw: "text", text, x: 0.1, y, size: 0.12, anchor: "left", colour: "black" }) as const;
const board = (...lines: string[]): Picture => ({
  background: "#ffffff",
  shapes: lines.map((text, place) => line(text, 0.2 + place * 0.25)),
});
const STATES = [
  { picture: board("a = 5"), reads: "Figure: right triangle, legs a and b\nEquation: a = 5" },
  {
    picture: board("a = 5", "c c = a a +"),
    reads: "Figure: right triangle, legs a and b\nEquation: a = 5\nEquation: c^2 = a^2 +",
  },
  {
    picture: board("c c = a a + b b"),
    reads: "Figure: right triangle, legs a and b\nEquation: c^2 = a^2 + b^2",
  },
];

let server: ModelServer;
let store: Store;
let video: Video;
let prompts: Prompts;

beforeAll(async () => {
  const folder = await tempFolder();
  server = await startModelServer(() => "none");
  store = await openStore(join(folder, "store"));
  prompts = await loadPrompts();
  const file = join(folder, "board.mp4");
  await compose(
    {
      width: 640,
      height: 360,
      fps: 5,
      silent: true,
      segments: STATES.map(({ picture }) => ({ kind: "picture", duration_s: 4, picture })),
      subtitles: {
        captions: [
          { start_s: 5, end_s: 7, text: "And this side is twelve." },
          { start_s: 9, end_s: 11, text: "So how long is the side called c?" },
        ],
        where: "embedded",
      },
    },
    file,
  );
  video = await openVideo(file, { store, run: "test" });
});
afterAll(async () => {
  await server.close();
  await store.close();
});
beforeEach(() => server.reset());

const named = (prompt: string, words: string) =>
  new RegExp(`^\\[(E\\d+)\\] .*${words}`, "m").exec(prompt)?.[1] ?? "E99";

test("a spoken task combines board, figure and speech in one calculation", async () => {
  let seen = 0;
  server.answer((request) => {
    const words = wordsOf(request);
    if (words.includes("teaches mathematics")) return STATES[seen++]?.reads ?? "NO TEXT";
    if (!words.includes("You plan")) return "A white board.";
    return JSON.stringify({
      calculation: true,
      unknown: "the side c",
      givens: [
        { name: "a", latex: "5", from: [named(words, "a = 5$")] },
        { name: "b", latex: "12", from: [named(words, "this side is twelve")] },
      ],
      facts: [],
      steps: [
        {
          do: "solve",
          equations: ["c^2 = a^2 + b^2"],
          for: ["c"],
          from: [named(words, "c\\^2 = a\\^2 \\+ b\\^2")],
        },
      ],
      answer: "c",
      checks: ["c > 0"],
    });
  });
  const { answer, evidence } = await askInStore({
    store,
    video,
    prompts,
    question: readQuestion(video.hash, {
      text: "What does the teacher want to know?",
      options: ["11", "12", "13", "17"],
    }),
    settings: readSettings({
      strategy: "rrd",
      model: "openai:scripted",
      recognition: { frames: 8, max_side: 320, ocr: "model" },
      runtime: { base_url: server.url, max_connections: 1 },
    }),
    wording: VIDEOMATHQA_WORDING,
  });
  expect(answer).toMatchObject({ status: "answered", answer: "C" });
  expect(answer.diagnostics?.mathematics).toMatchObject({ state: "verified", match: "equal" });

  const equations = evidence.items.filter(({ kind }) => kind === "equation");
  expect(equations.map(({ text, data }) => [text, data?.erased])).toEqual([
    ["a = 5", true],
    ["c^2 = a^2 + b^2", false],
  ]);
  const [a, c] = equations;
  expect(a?.start_s).toBeCloseTo(0, 0);
  expect(a?.end_s).toBeCloseTo(8, 0);
  expect(c?.start_s).toBeCloseTo(8, 0);
  expect(c?.data).toMatchObject({ latex: "c^2 = a^2 + b^2" });
  expect(c?.data?.began_s).toBeCloseTo(4, 0);
  expect(
    evidence.items.some(
      ({ text, data }) => text.startsWith("Figure: ") && data?.shows === "figure",
    ),
  ).toBe(true);

  const plan = server
    .chats()
    .find((request) => wordsOf(request).includes("You plan")) as SeenRequest;
  expect(wordsOf(plan)).toMatch(/E\d+ says twelve = 12 while E\d+.* stood there/);
  expect(wordsOf(plan)).toContain("So how long is the side called c?");
  const calculation = evidence.items.find(({ kind }) => kind === "calculation");
  expect(calculation?.text).toBe("c = 13 or c = -13, from c^2 = a^2 + b^2, where a = 5, b = 12");
  const sources = evidence.items.filter(({ id }) => calculation?.from.includes(id));
  expect(sources.map(({ kind }) => kind).sort()).toEqual(["equation", "equation", "subtitle"]);
});
