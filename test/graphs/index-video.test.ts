import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { indexVideo } from "../../graphs/index-video.ts";
import type { Store } from "../../src/core/contracts.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import type { EvidenceSet } from "../../src/core/shapes.ts";
import { compose, type Picture } from "../../src/media/compose.ts";
import { openStore } from "../../src/storage/open.ts";
import { searchEvidence } from "../../tools/search/keyword-search.ts";
import { openVideo } from "../../tools/video/video.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { describeShared, sharedFile } from "../support/shared.ts";
import { wordsOf } from "../support/shuffled.ts";
import { tempFolder } from "../support/temp.ts";

let server: ModelServer;
let store: Store;
let job: JobContext;
let slides: string;

const slide = (text: string, background: string): Picture => ({
  background,
  shapes: [
    {
      draw: "text",
      text,
      x: 0.5,
      y: 0.5,
      size: 0.14,
      anchor: "middle",
      font: "sans",
      colour: "black",
    },
  ],
});

beforeAll(async () => {
  const folder = await tempFolder();
  server = await startModelServer((request) => {
    const words = wordsOf(request);
    if (words.includes("Write down all that can be read"))
      return "Text: Rivers carry sand\nEquation: v = \\frac{s}{t}";
    return /Describe part (\d)/.exec(words)?.[1] === "1" ? "A white slide." : "A yellow slide.";
  });
  store = await openStore(join(folder, "store"));
  job = { store, run: "test" };
  slides = join(folder, "slides.mp4");
  await compose(
    {
      width: 480,
      height: 270,
      fps: 5,
      silent: true,
      segments: [
        { kind: "picture", duration_s: 3, picture: slide("Glaciers melt", "#ffffff") },
        { kind: "picture", duration_s: 3, picture: slide("Rivers carry sand", "#e8d040") },
      ],
      subtitles: {
        captions: [{ start_s: 4, end_s: 5, text: "The delta grows every year." }],
        where: "embedded",
      },
    },
    slides,
  );
});
afterAll(async () => {
  await server.close();
  await store.close();
});
beforeEach(() => server.reset());

const spec = () => ({
  model: "openai:scripted",
  recognition: { frames: 8, max_side: 480 },
  runtime: { base_url: server.url },
});

async function find(set: EvidenceSet, query: string, kinds?: EvidenceSet["items"][0]["kind"][]) {
  const [hit] = await searchEvidence(set, query, { kinds }, store);
  return hit?.evidence;
}

test("without a model: text, speech and a key frame per shot, found at their seconds", async () => {
  const set = await indexVideo(await openVideo(slides, job), {}, job);
  expect(set.items.map((item) => item.kind).sort()).toEqual([
    "frame",
    "frame",
    "subtitle",
    "text",
    "text",
  ]);
  const sand = await find(set, "what do rivers carry");
  expect(sand).toMatchObject({ kind: "text", text: "Rivers carry sand", by: { who: "tool" } });
  expect(sand?.start_s).toBeCloseTo(3, 1);
  expect(sand?.end_s).toBeCloseTo(6, 1);
  expect(sand?.frame?.t_s).toBeGreaterThanOrEqual(3);
  expect(await find(set, "growing deltas")).toMatchObject({ kind: "subtitle", start_s: 4 });
  const frames = set.items.filter((item) => item.kind === "frame");
  expect(frames.map(({ start_s }) => Math.round(start_s))).toEqual([0, 3]);
});

test("with a model: a caption per shot with its picture; a second call decodes, reads and calls nothing", async () => {
  const video = await openVideo(slides, job);
  const set = await indexVideo(video, spec(), job);
  const captions = set.items.filter((item) => item.kind === "caption");
  expect(captions).toMatchObject([
    { start_s: 0, text: "A white slide.", by: { who: "model", name: "openai:scripted" } },
    { text: "A yellow slide." },
  ]);
  expect(captions[1]?.start_s).toBeCloseTo(3, 1);
  expect(captions[1]?.frame?.t_s).toBeGreaterThan(3);
  expect(server.chats()).toHaveLength(2);

  const doneAnew: string[] = [];
  const again = await indexVideo(
    video,
    spec(),
    { ...job, run: "later", progress: (_done, _total, unit) => doneAnew.push(unit) },
    undefined,
    (_stage, body) => {
      if (body.type === "call" && !body.call.cached) doneAnew.push(body.call.label);
    },
  );
  expect(again.id).toBe(set.id);
  expect(server.chats()).toHaveLength(2);
  expect(doneAnew).toEqual([]);
});

test("a model that reads text is called once for each picture with text", async () => {
  const video = await openVideo(slides, job);
  const set = await indexVideo(
    video,
    { ...spec(), recognition: { ...spec().recognition, ocr: "model", subtitles: "off" } },
    job,
  );
  const read = server.chats().filter((request) => wordsOf(request).includes("Write down all"));
  expect(read).toHaveLength(2);
  for (const request of read) expect(request.images).toHaveLength(1);
  const equations = set.items.filter((item) => item.kind === "equation");
  // Read in both pictures, it is one equation that was visible in both.
  expect(equations.map((item) => item.text)).toEqual(["v = \\frac{s}{t}"]);
  expect(equations[0]?.data).toEqual({ latex: "v = \\frac{s}{t}", began_s: 0, erased: false });
  expect(equations[0]?.end_s).toBeGreaterThan(4);
  expect(set.items.some((item) => item.kind === "subtitle")).toBe(false);
});

describeShared("the index of real files", () => {
  test("a slide is found by three of its words", async () => {
    const slide = sharedFile("media/images/slide_memory_allocation.png");
    const set = await indexVideo(await openVideo(slide, job), {}, job);
    const found = await find(set, "static global variables");
    expect(found?.text).toContain("Global Variables - static memory allocation");
  });

  test("the legible equations of a derivation are in the index at their seconds", async () => {
    const video = await openVideo(sharedFile("media/videos/manim_tex_derivation.mp4"), job);
    const set = await indexVideo(video, {}, job);
    const equations = set.items.filter((item) => item.kind === "equation");
    const at = (text: string) => equations.filter((item) => item.text === text);
    expect(at("A^2 + B^2 = C^2")).toHaveLength(1);
    expect(at("A^2 = C^2 - B^2")[0]?.start_s).toBeGreaterThan(0.5);
    expect(at("A^2 = C^2 - B^2")[0]?.start_s).toBeLessThan(3);
    const [root] = at("A = sqrt((C + B)(C - B))");
    expect(root?.start_s).toBeGreaterThan(9.5);
    expect(root?.end_s).toBeLessThan(16.5);
    expect((await find(set, "morse code"))?.text).toContain("morse code");
  });
});
