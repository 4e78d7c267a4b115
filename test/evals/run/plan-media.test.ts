import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { planRun } from "../../../evals/run/plan-run.ts";
import { planChoice, planOrdering } from "../../../graphs/plan.ts";
import { readSettings, type SettingsInput } from "../../../src/core/settings.ts";
import { tempFolder } from "../../support/temp.ts";
import { mmrData } from "./run-fixtures.ts";

process.env.GOOGLE_API_KEY = "AIza-test-google-0123456789";

let data: string;
let folder: string;
beforeAll(async () => {
  data = await mmrData(1, 2);
  folder = await tempFolder();
});

const plan = (model: string, recognition: SettingsInput["recognition"]) =>
  planRun({
    benchmark: "mmr-v",
    data,
    strategy: "direct",
    model,
    recognition,
    reasoning: { max_tokens: 16 },
    runtime: { data: join(folder, "store"), base_url: "http://127.0.0.1:9/v1" },
  });

test("a dry run estimates video and sound by Gemini's documentation: two questions on one second", async () => {
  const frames = await plan("google-genai:gemini-2.5-flash", { frames: 2 });
  const video = await plan("google-genai:gemini-2.5-flash", { media: "video" });
  expect(video).toMatchObject({ calls: 2, frames: 0, video_s: 2, sound_s: 0, not_foreseen: [] });
  expect(video.tokens.input).toBe(2 * (300 + 258 + 32));
  expect(frames).toMatchObject({ frames: 4, video_s: 0, sound_s: 0 });
  const finer = await plan("google-genai:gemini-2.5-flash", {
    media: "video",
    video_fps: 4,
    video_resolution: "low",
  });
  expect(finer.tokens.input).toBe(2 * (300 + 4 * 66 + 32));
  expect(finer.cost.most).toBeGreaterThan(0);
});

test("the tokens of an own server are reported as unknown, and so is the cost", async () => {
  const video = await plan("openai:qwen", { media: "video", audio: true });
  expect(video).toMatchObject({
    ...{ video_s: 2, sound_s: 2, not_foreseen: ["openai:qwen"] },
    cost: { about: null, most: null },
  });
});

const settings = (recognition: object, more: object = {}) =>
  readSettings({
    strategy: "rrd",
    model: "openai:m",
    recognition: { media: "video", ...recognition },
    ...more,
  });

test("separate clips are the video once; the whole video for each clip is the video once per clip", () => {
  const seconds = (input: ReturnType<typeof settings>) =>
    planOrdering(input, 5, 60).map(({ stage, video_s, frames }) => [stage, video_s, frames]);
  expect(seconds(settings({}))).toEqual([
    ["caption", 60, 0],
    ["order", 0, 0],
  ]);
  expect(seconds(settings({ input: "whole-video" }))).toEqual([
    ["segment", 60, 0],
    ["caption", 300, 0],
    ["order", 0, 0],
  ]);
  const along = settings({}, { reasoning: { input: "video+text" } });
  expect(seconds(along).at(-1)).toEqual(["order", 60, 0]);
  const [caption] = planChoice(settings({ audio: true, media: "frames" }), 60);
  expect(caption).toMatchObject({ video_s: 0, frames: 32 });
  expect(caption?.sound_s).toBeGreaterThanOrEqual(60);
  expect(planChoice(settings({}), null)[0]).toMatchObject({ video_s: null, frames: 0 });
});
