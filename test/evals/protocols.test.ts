import { expect, test } from "vitest";
import { type EvalSettings, readEvalSettings } from "../../evals/eval-settings.ts";
import { deviationsOf } from "../../evals/protocols.ts";

function official(benchmark: string, more: object): EvalSettings {
  return readEvalSettings({ benchmark, data: "x", protocol: "official", ...more });
}
const whole = { replaced: ["vcrbench/direct"], asked: 10, of: 10 };
const deviations = ({ benchmark, settings }: EvalSettings, facts = whole) =>
  deviationsOf(benchmark, settings, facts);

test.each([
  [
    "vcrbench",
    "openai:Qwen/Qwen2.5-VL-7B-Instruct",
    { sampler: "fps", fps: 1, max_area: 151_200, max_side: null },
    512,
  ],
  ["vcrbench", "openai:InternVL2_5-8B", { sampler: "midpoints", frames: 64, max_side: null }, 2048],
  ["vcrbench", "openai:gpt-4o", { sampler: "fps-else-N", fps: 1, frames: 32 }, 2048],
  ["mmr-v", "openai:gemma-3-27b-it", { sampler: "ends", frames: 32, max_side: null }, 2048],
  ["mmr-v", "openai:Qwen2.5-VL-7B", { sampler: "ends", frames: 16 }, 2048],
  ["mmr-v", "google-genai:gemini-2.5-flash", { sampler: "fps-else-N", fps: 1, frames: 512 }, 2048],
  ["videomathqa", "openai:gpt-4o", { sampler: "ends", frames: 32 }, 16],
  ["videomathqa", "openai:Qwen2.5-VL-72B", { sampler: "ends", frames: 768 }, 16],
])(
  "%s asks %s as published, and deviates in nothing with the paper's prompts",
  (benchmark, model, recognition, max_tokens) => {
    const read = official(benchmark, { strategy: "direct", model });
    expect(read.settings.recognition).toMatchObject(recognition);
    expect(read.settings.reasoning).toMatchObject({ max_tokens, temperature: 0 });
    expect(deviations(read)).toEqual([]);
  },
);

test("what is given wins, and stands among the deviations", () => {
  const read = official("vcrbench", {
    strategy: "direct",
    model: "openai:InternVL2_5-8B",
    recognition: { frames: 8 },
  });
  expect(read.settings.recognition.frames).toBe(8);
  expect(deviations(read)).toEqual(["recognition.frames is 8 where InternVL had 64"]);
  expect(deviations(read, { replaced: [], asked: 3, of: 10 })).toEqual([
    "recognition.frames is 8 where InternVL had 64",
    "the prompts are worded by us, not the paper's (no --prompts)",
    "3 of the 10 samples of the data were asked",
  ]);
});

test("a model of which nothing was published, and a strategy that was not measured, are said", () => {
  const unknown = official("vcrbench", { strategy: "direct", model: "openai:llava" });
  expect(deviations(unknown)[0]).toBe(
    "no setting was published for this model: that of GPT-4o was taken",
  );
  const rrd = official("mmr-v", { strategy: "rrd", model: "openai:gemma-3-27b-it" });
  expect(deviations(rrd)).toEqual(["the strategy rrd is none of the paper's (direct)"]);
  const reading = official("videomathqa", { strategy: "extractive" });
  expect(deviations(reading)).toEqual([
    "the strategy extractive is none of the paper's (direct, blind, key-frame)",
  ]);
});

test("RRD by the paper watches the whole video; reasoned answers of VideoMathQA have room", () => {
  const model = "openai:Qwen2.5-VL-72B";
  const rrd = official("vcrbench", { strategy: "rrd", model });
  expect(rrd.settings.recognition).toMatchObject({ input: "whole-video", sampler: "fps" });
  expect(deviations(rrd)).toEqual([]);
  const clip = official("vcrbench", { strategy: "rrd", model, recognition: { input: "clip" } });
  expect(deviations(clip)).toEqual([
    'recognition.input is "clip" where Qwen2.5-VL had "whole-video"',
  ]);
  const cot = official("videomathqa", { strategy: "direct", model, reasoning: { cot: true } });
  expect(cot.settings.reasoning.max_tokens).toBe(8096);
  expect(deviations(cot)).toHaveLength(1);
  for (const strategy of ["blind", "key-frame"])
    expect(deviations(official("videomathqa", { strategy, model }))).toEqual([]);
});
