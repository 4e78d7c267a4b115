import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ask } from "../../../graphs/ask.ts";
import { indexVideo } from "../../../graphs/index-video.ts";
import { planChoice } from "../../../graphs/plan.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { readSettings } from "../../../src/core/settings.ts";
import type { Evidence } from "../../../src/core/shapes.ts";
import { runFfmpeg } from "../../../src/media/run-ffmpeg.ts";
import { openStore } from "../../../src/storage/open.ts";
import { openVideo } from "../../../tools/video/video.ts";
import { fixedWindows } from "../../../tools/video/windows.ts";
import { makeClip, readCode } from "../../support/clips.ts";
import {
  type ModelServer,
  type SeenRequest,
  startModelServer,
} from "../../support/model-server.ts";
import { describeShared, sharedFile } from "../../support/shared.ts";
import { makeShuffled, wordsOf } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";

let server: ModelServer;
let store: Store;
let folder: string;
/** 64 frames at 8 a second, each with its own number. */
let even: string;

beforeAll(async () => {
  folder = await tempFolder();
  server = await startModelServer((request) =>
    /Describe part (\d+)/.test(wordsOf(request)) ? "A test card." : "It changes [E1].",
  );
  store = await openStore(join(folder, "store"));
  even = await makeClip(folder, "even.mp4", { frames: 64, rate: 8 });
});
afterAll(async () => {
  await server.close();
  await store.close();
});
beforeEach(() => server.reset());

/** Every frame of a window is sent, so the numbers on them show what reached the model. */
const ALL = {
  sampler: "fps",
  fps: 60,
  max_side: null,
  quality: 95,
  ocr: "off",
  subtitles: "off",
} as const;

const settingsOf = (recognition: object, more: object = {}) => ({
  strategy: "rrd",
  model: "openai:scripted",
  recognition: { ...ALL, ...recognition },
  reasoning: { mathematics: "off" },
  runtime: { base_url: server.url },
  ...more,
});
const asked = (file: string, recognition: object, more: object = {}) =>
  ask(file, "What changes?", { store, settings: settingsOf(recognition, more) });

const described = () => server.chats().filter((chat) => wordsOf(chat).includes("Describe part"));

/** The numbers of the frames that each description was made from, by the number of its part. */
async function framesByPart(): Promise<number[][]> {
  const parts: number[][] = [];
  for (const chat of described()) parts[partOf(chat) - 1] = await codesIn(chat);
  return parts;
}
const partOf = (chat: SeenRequest) => Number(/Describe part (\d+)/.exec(wordsOf(chat))?.[1]);

const codesIn = ({ images }: SeenRequest) =>
  Promise.all(
    images.map(async (jpeg) => {
      const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
      return readCode(data, info.width, info.channels);
    }),
  );

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
const spansOf = (items: readonly Evidence[]) =>
  items
    .filter(({ kind }) => kind === "caption")
    .map(({ start_s, end_s }) => [start_s, end_s].map((t_s) => Math.round(t_s * 1000) / 1000))
    .sort(([a = 0], [b = 0]) => a - b);

test("each window is described from its own frames, and captions are windows", async () => {
  const { answer, evidence } = await asked(even, { segments: "every:2.5" });
  expect(answer).toMatchObject({ status: "answered", diagnostics: { described: 3 } });
  // The remainder of half a second is joined with the window before it.
  expect(await framesByPart()).toEqual([range(0, 20), range(20, 40), range(40, 64)]);
  expect(spansOf(evidence.items)).toEqual([
    [0, 2.5],
    [2.5, 5],
    [5, 8],
  ]);
  expect(described().map(({ texts }) => texts[0])).toContain("Part 2 (00:02.5 to 00:05.0):");
});

test("all windows are described in one call, each under its heading", async () => {
  await asked(even, { segments: "every:4", mode: "all-at-once" });
  const [all] = server.chats();
  expect(all?.texts.slice(0, 2)).toEqual(["Part 1 (00:00 to 00:04):", "Part 2 (00:04 to 00:08):"]);
  expect(await codesIn(all as SeenRequest)).toEqual(range(0, 64));
});

test("a pause in a variable frame rate is one window, and no frame is described twice", async () => {
  const paused = await makeClip(folder, "paused.mkv", {
    frames: 64,
    rate: 8,
    filter: "setpts=PTS+if(gte(N\\,20)\\,5/TB\\,0)",
    encode: ["-fps_mode", "vfr", "-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p"],
  });
  const { evidence } = await asked(paused, { segments: "every:2" });
  expect(await framesByPart()).toEqual([
    range(0, 16),
    range(16, 20),
    ...[20, 24, 40, 56].map((from, index) => range(from, [24, 40, 56, 64][index] ?? 0)),
  ]);
  expect(spansOf(evidence.items)[1]).toEqual([2, 7.5]);
});

test("windows begin with the picture where the sound begins before it, and end with it", async () => {
  const late = join(folder, "late.mp4");
  await runFfmpeg([
    ...["-itsoffset", "3", "-i", even, "-f", "lavfi", "-i", "sine=d=16"],
    ...["-map", "0:v", "-map", "1:a", "-c:v", "copy", "-c:a", "aac", "-y", late],
  ]);
  const { probe } = await openVideo(late, { store, run: "test" });
  expect(probe.duration_s).toBeGreaterThan(15);
  const { answer, evidence } = await asked(late, { segments: "every:4", audio: false });
  expect(answer.status).toBe("answered");
  expect(await framesByPart()).toEqual([range(0, 32), range(32, 64)]);
  expect(spansOf(evidence.items)).toEqual([
    [3, 7],
    [7, 11],
  ]);
});

test("a window longer than the video is the whole video", async () => {
  await asked(even, { segments: "every:3600" });
  expect(await framesByPart()).toEqual([range(0, 64)]);
});

test("cards and shots are described if set, on the same video", async () => {
  const file = join(folder, "carded.mp4");
  await makeShuffled(file, 3);
  const kinds = async (segments: string | null) => {
    const { evidence } = await asked(file, { segments, frames: 40, fps: 1 });
    return evidence.items.filter(({ kind }) => kind === "caption").map(({ clip }) => clip);
  };
  expect(await kinds("cards")).toEqual([1, 2, 3]);
  const shots = await kinds("shots");
  expect(shots.length).toBeGreaterThan(3);
  expect(new Set(shots)).toEqual(new Set([undefined]));
});

test("missing cards are an error of the question, with what to do", async () => {
  const { answer } = await asked(even, { segments: "cards" });
  expect(answer).toMatchObject({
    status: "error",
    error: {
      kind: "not-found",
      message:
        "Cannot find the clips by their title cards (Clip 1, Clip 2 ..., each once): there are none. Leave out `--segments cards`, or use `--segments shots` or `--segments every:10`.",
    },
  });
  expect(server.chats()).toHaveLength(0);
  const video = await openVideo(even, { store, run: "test" });
  const spec = {
    model: "openai:scripted",
    recognition: { segments: "cards", ocr: "off" },
  } as const;
  await expect(
    indexVideo(video, { ...spec, runtime: { base_url: server.url } }, { store, run: "test" }),
  ).rejects.toMatchObject({ kind: "not-found" });
});

test("an index has a caption for each window", async () => {
  const video = await openVideo(even, { store, run: "index" });
  const recognition = { ...ALL, sampler: "ends", segments: "every:3", frames: 12 } as const;
  const runtime = { base_url: server.url };
  const spec = { model: "openai:scripted", recognition, runtime };
  const set = await indexVideo(video, spec, { store, run: "index" });
  expect(spansOf(set.items)).toEqual([
    [0, 3],
    [3, 6],
    [6, 8],
  ]);
});

test("an order of clips is found by cards only", async () => {
  const order = { text: "In which order?", task: "order", goal: "Make tea" } as const;
  const refused = ask(even, order, { store, settings: settingsOf({ segments: "every:2" }) });
  await expect(refused).rejects.toMatchObject({
    kind: "wrong-setting",
    message:
      'Invalid --segments "every:2" (recognition.segments) for a question about the order of clips: the number of a clip is only on its title card. Leave it out, or use cards.',
  });
});

test("a budget applies to windows too, and too many windows are refused before any call", async () => {
  const { answer } = await asked(even, { segments: "every:0.5" }, { budget: { calls: 4 } });
  expect(server.chats()).toHaveLength(4);
  expect(answer).toMatchObject({ status: "answered", diagnostics: { described: 3 } });
  server.reset();
  const long = await makeClip(folder, "long.mkv", {
    frames: 1100,
    rate: 1,
    width: 224,
    height: 32,
  });
  const { answer: none } = await asked(long, { segments: "every:1" });
  expect(none.error).toEqual({
    kind: "media-limit",
    message:
      "Windows of 1 s divide long.mkv into 1100 parts, but the limit is 999: use `--segments every:2` or longer windows.",
  });
  expect(server.chats()).toHaveLength(0);
});

test("a plan counts the calls of windows exactly", async () => {
  const settings = readSettings(settingsOf({ segments: "every:0.5" }));
  const video = await openVideo(even, { store, run: "test" });
  const { length } = await fixedWindows(video, 0.5, { store, run: "test" });
  const plan = planChoice(settings, video.probe.duration_s, length);
  expect(plan.map(({ stage, calls, exact }) => [stage, calls, exact])).toEqual([
    ["caption", 16, true],
    ["answer", 1, true],
  ]);
  await asked(even, { segments: "every:0.5", max_side: 300 });
  expect(server.chats()).toHaveLength(17);
});

describeShared("real files", () => {
  test.each([
    ["vfr_screen_recording.mp4", 1],
    ["no_duration.webm", 2],
    ["wmv_msmpeg4v3.asf", 5],
    ["truncated_claims_19min.mkv", 10],
    ["newtons_cradle.gif", 0.5],
    ["one_frame_mpeg4.mp4", 10],
  ])("%s: every window of %d s is described", async (name, every_s) => {
    const file = sharedFile(`media/awkward/${name}`);
    const { answer, evidence } = await asked(file, {
      segments: `every:${every_s}`,
      sampler: "midpoints",
      frames: 4,
      max_side: 64,
    });
    expect(answer.status).toBe("answered");
    const spans = spansOf(evidence.items);
    expect(answer.diagnostics).toMatchObject({ described: spans.length, not_described: [] });
    for (const [index, [start_s]] of spans.entries())
      if (index > 0) expect(start_s).toBe(spans[index - 1]?.[1]);
    const pictures = described().flatMap(({ images }) => images.length);
    expect(Math.min(...pictures)).toBeGreaterThan(0);
  });
});
