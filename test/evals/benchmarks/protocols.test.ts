import { describe, expect, test } from "vitest";
import { deviationsIn } from "../../../evals/certificate/certificate.ts";
import { needsModel, strategies } from "../../../graphs/define-strategy.ts";
import { official } from "./official-certificate.ts";

/** Written out from the papers, not taken from the tables under test. */
const TABLE: [benchmark: string, frames: number | string | null, models: string[]][] = [
  [
    "vcrbench",
    64,
    [
      ...["1B", "2B", "4B", "8B", "26B", "38B", "78B"].map(
        (size) => `OpenGVLab/InternVL2_5-${size}`,
      ),
      "openbmb/MiniCPM-o-2_6",
      "llava-next-video-7b",
      "lmms-lab/LLaVA-Video-7B-Qwen2",
    ],
  ],
  ["vcrbench", 32, ["llava-next-video-72b", "lmms-lab/LLaVA-Video-72B-Qwen2", "gpt-4o"]],
  ["vcrbench", 128, ["DAMO-NLP-SG/VideoLLaMA3-7B", "LongVILA-7B"]],
  ["vcrbench", 16, ["OpenGVLab/VideoChat2_stage3_Mistral_7B", "VideoChat2-7B"]],
  ["vcrbench", 8, ["Efficient-Large-Model/NVILA-15B"]],
  [
    "vcrbench",
    "1 fps",
    [
      "Qwen/Qwen2.5-VL-7B-Instruct",
      "Qwen/Qwen2.5-VL-72B-Instruct",
      "LongVU-3B",
      "Vision-CAIR/LongVU_Qwen2_7B",
      "gemini-1.5-pro",
      "gemini-2.0-flash-thinking-exp",
    ],
  ],
  [
    "mmr-v",
    8,
    [
      "llava-onevision",
      "Video-LLaVA-7B",
      "LLaVA-Video",
      "NVILA-8B-Video",
      "microsoft/Phi-4-multimodal-instruct",
    ],
  ],
  [
    "mmr-v",
    16,
    [
      "Qwen/Qwen2.5-VL-7B-Instruct",
      "Qwen/Qwen2.5-Omni-7B",
      "CogVLM2-Video-LLaMA3-Chat",
      "OpenGVLab/InternVL3-8B",
      "google/gemma-3-12b-it",
      "gemini-2.0-flash-thinking-exp-01-21",
    ],
  ],
  [
    "mmr-v",
    32,
    [
      "Qwen/Qwen2.5-VL-72B-Instruct",
      "qwen2.5-vl-72b-instruct-awq",
      "InternVL2_5-38B",
      "InternVL3-38B",
      "google/gemma-3-27b-it",
      "gpt-4o",
      "gpt-4o-mini",
      "o4-mini",
      "gemini-2.5-flash",
      "claude-3-5-sonnet-20241022",
    ],
  ],
  ["mmr-v", null, ["gpt-4.1", "gpt-4.1-2025-04-14"]],
  ["videomathqa", 32, ["llava-onevision-7b", "lmms-lab/llava-onevision-qwen2-72b-ov"]],
  ["videomathqa", 64, ["lmms-lab/LLaVA-Video-7B-Qwen2", "LLaVA-Video-72B"]],
  ["videomathqa", 128, ["rhymes-ai/Aria", "LongVA-7B-DPO"]],
  ["videomathqa", 512, ["OpenGVLab/InternVideo2_5_Chat_8B"]],
  [
    "videomathqa",
    768,
    ["3B", "7B", "32B", "72B"].map((size) => `Qwen/Qwen2.5-VL-${size}-Instruct`),
  ],
  [
    "videomathqa",
    null,
    [
      "gpt-4o",
      "o4-mini",
      "claude-3-7-sonnet",
      "InternVL3-8B",
      "Video-R1-7B",
      "Oryx-1.5-32B",
      "gemini-2.0-flash",
    ],
  ],
];

describe("the certificate of `--protocol official` has what the papers state", () => {
  test.each(
    TABLE.flatMap(([benchmark, frames, models]) =>
      models.map((model): [string, string, number | string | null] => [benchmark, model, frames]),
    ),
  )("%s, %s: %s", (benchmark, model, frames) => {
    const { certificate, aspects, settings } = official(benchmark, `openai:${model}`);
    expect(certificate.model.published).not.toBeNull();
    if (frames === "1 fps") {
      expect(aspects.sampler).toMatchObject({ wanted: "fps", got: "fps", verdict: "equal" });
      expect(aspects.fps).toMatchObject({ wanted: 1, got: 1, verdict: "equal" });
      expect(aspects.frames).toBeUndefined();
    } else if (frames === null) {
      expect(aspects.frames?.wanted ?? null).toBeNull();
      expect(aspects.frames?.verdict ?? "not certifiable").toBe("not certifiable");
      expect(settings.recognition.frames).toBe(32);
    } else {
      expect(aspects.frames).toMatchObject({ wanted: frames, got: frames, verdict: "equal" });
    }
    if (benchmark === "mmr-v" && frames !== null)
      expect(aspects.sampler).toMatchObject({ wanted: "ends", verdict: "equal" });
    const tuned = ["data", "model"];
    if (model.includes("VideoLLaMA3")) tuned.push("system prompt");
    expect(
      certificate.aspects.filter((of) => of.verdict === "different" && !tuned.includes(of.aspect)),
    ).toEqual([]);
    for (const aspect of certificate.aspects) expect(aspect.source).not.toBe("");
  });

  test("Gemini-2.0-Flash has two settings in MMR-V, chosen by the number of frames", () => {
    const model = "google-genai:gemini-2.0-flash";
    const long = official("mmr-v", model);
    expect(long.settings.recognition).toMatchObject({ sampler: "fps-else-N", fps: 1, frames: 512 });
    expect(long.certificate.model.published).toBe("Gemini-2.0-Flash (512 frames)");
    const short = official("mmr-v", model, { recognition: { frames: 16 } });
    expect(short.settings.recognition).toMatchObject({ sampler: "ends", frames: 16 });
    expect(short.certificate.model.published).toBe("Gemini-2.0-Flash (16 frames)");
    expect(short.aspects.frames).toMatchObject({ wanted: 16, verdict: "equal" });
  });

  test("Qwen2.5-VL on VCRBench takes the file at 1 frame per second under a pixel cap", () => {
    const { settings, aspects } = official("vcrbench", "openai:Qwen/Qwen2.5-VL-7B-Instruct");
    expect(settings.recognition).toMatchObject({
      media: "video",
      video_fps: 1,
      video_max_pixels: 151_200,
    });
    expect(settings.reasoning.max_tokens).toBe(512);
    expect(aspects.media?.verdict).toBe("equal");
    expect(aspects["pixel cap"]).toMatchObject({ wanted: 151_200, verdict: "equal" });
  });

  test("sampling by the model's own reader is not certified, and another rate is different", () => {
    const model = "openai:Qwen/Qwen2.5-VL-7B-Instruct";
    const own = { recognition: { video_fps: null, video_max_pixels: null } };
    const { aspects } = official("vcrbench", model, own);
    for (const name of ["sampler", "fps", "pixel cap"])
      expect(aspects[name]).toMatchObject({ got: null, verdict: "not certifiable" });
    const fast = official("vcrbench", model, { recognition: { video_fps: 2 } });
    expect(fast.aspects.fps).toMatchObject({ wanted: 1, got: 2, verdict: "different" });
    expect(fast.certificate.comparable).toBe(false);
    const math = official("videomathqa", model);
    expect(math.settings.recognition).toMatchObject({ media: "video", video_frames: 768 });
  });

  test("sending frames instead of the file is a deviation", () => {
    const { certificate, aspects } = official("vcrbench", "openai:Qwen2.5-VL-7B-Instruct", {
      recognition: { media: "frames" },
    });
    expect(aspects.media).toMatchObject({ wanted: "video", got: "frames", verdict: "different" });
    expect(certificate.comparable).toBe(false);
    expect(deviationsIn(certificate)).toContainEqual(
      expect.stringMatching(/^media: frames, published: video \(pritamqu\/VCRBench/),
    );
  });

  test("VideoMathQA asks at temperature 0 with 16 new tokens, and 8,096 for reasoned answers", () => {
    const model = "openai:Qwen/Qwen2.5-VL-7B-Instruct";
    expect(official("videomathqa", model).settings.reasoning).toMatchObject({
      temperature: 0,
      max_tokens: 16,
    });
    const cot = official("videomathqa", model, { reasoning: { cot: true } });
    expect(cot.settings.reasoning.max_tokens).toBe(8096);
    expect(cot.aspects.extractor).toMatchObject({ wanted: "model-letter", verdict: "different" });
  });

  test("settings of generation are compared with those of the released code, or listed if it states none", () => {
    const plain = official("videomathqa", "openai:gpt-4o").aspects;
    expect(Object.keys(plain)).not.toContain("top_p");
    const generation = { top_p: 0.5, thinking_budget: 0 };
    const { aspects, certificate } = official("videomathqa", "openai:gpt-4o", { generation });
    expect(aspects.top_p).toMatchObject({
      ...{ wanted: 1, got: 0.5, verdict: "different" },
      source: "EvolvingLMMs-Lab/lmms-eval lmms_eval/tasks/videomathqa/videomathqa_mcq.yaml",
    });
    expect(certificate.comparable).toBe(false);
    expect(aspects.thinking_budget).toMatchObject({ got: 0, verdict: "not certifiable" });
    const same = { generation: { top_p: 1, top_k: 5 } };
    const given = official("videomathqa", "openai:gpt-4o", same).aspects;
    expect(given.top_p?.verdict).toBe("equal");
    expect(given.top_k).toMatchObject({ wanted: null, got: 5, verdict: "not certifiable" });
    const other = official("mmr-v", "openai:gpt-4o", { generation: { top_p: 0.5 } });
    expect(other.aspects.top_p).toMatchObject({ wanted: null, verdict: "not certifiable" });
  });

  test("a stated top_p that is not sent counts only if tokens are sampled", () => {
    const model = "openai:Qwen2.5-VL-7B-Instruct";
    const votes = official("videomathqa", model, { strategy: "self-consistency" });
    expect(votes.aspects.top_p).toMatchObject({ wanted: 1, got: null, verdict: "not certifiable" });
    expect(official("videomathqa", model).aspects.top_p).toBeUndefined();
  });

  test("CogVLM2-Video is asked as the released script asks it", () => {
    const { settings, aspects } = official("mmr-v", "openai:THUDM/cogvlm2-video-llama3-chat");
    expect(settings.generation).toMatchObject({ top_p: 0.1, top_k: 1 });
    expect(settings.reasoning).toMatchObject({ temperature: 0.1, max_tokens: 2048 });
    for (const name of ["temperature", "top_p", "top_k", "new tokens"])
      expect(aspects[name]).toMatchObject({
        verdict: "equal",
        source: "GaryStack/MMR-V evaluation/cli-cog-vlm.py",
      });
  });

  test.each<[model: string, tokens: number | null]>([
    ["DAMO-NLP-SG/VideoLLaMA3-7B", 512],
    ["OpenGVLab/InternVL2_5-8B", 512],
    ["Qwen/Qwen2.5-VL-72B-Instruct", 512],
    ["gpt-4o-2024-11-20", 512],
    // Its configuration of 512 tokens is commented out in the released code.
    ["gemini-1.5-pro", null],
    ["Efficient-Large-Model/NVILA-15B", null],
  ])("VCRBench: the new tokens of %s are %s", (model, tokens) => {
    const { aspects, settings } = official("vcrbench", `openai:${model}`);
    expect(aspects["new tokens"]?.wanted).toBe(tokens);
    if (tokens !== null) expect(settings.reasoning.max_tokens).toBe(tokens);
  });

  test("RRD by the paper watches the whole video; given settings override the protocol and are listed", () => {
    const model = "openai:Qwen/Qwen2.5-VL-72B-Instruct";
    const rrd = official("vcrbench", model, { strategy: "rrd" });
    expect(rrd.settings.recognition).toMatchObject({ input: "whole-video", sampler: "fps" });
    const clip = official("vcrbench", model, { strategy: "rrd", recognition: { input: "clip" } });
    expect(clip.aspects.input).toMatchObject({ got: "clip", verdict: "different" });
    const few = official("mmr-v", "openai:gpt-4o", { recognition: { frames: 8 } });
    expect(few.settings.recognition.frames).toBe(8);
    expect(few.aspects.frames).toMatchObject({ wanted: 32, got: 8, verdict: "different" });
    expect(few.aspects["frame indices"]?.verdict).toBe("different");
  });
});

test("conflicts between paper and code, and within the paper, are named", () => {
  const conflicts = (benchmark: string, model: string) =>
    official(benchmark, `openai:${model}`).certificate.model.conflicts.join(" ");
  expect(conflicts("mmr-v", "InternVL2_5-38B")).toMatch(
    /InternVL2\.5-38B.*Intern3-VL 38B.*InternVL-38B/,
  );
  expect(conflicts("mmr-v", "gemma-3-27b-it")).toContain("16 frames");
  expect(conflicts("mmr-v", "InternVL3-8B")).toContain("8 frames");
  expect(conflicts("mmr-v", "Video-LLaVA-7B")).toContain("LLaVA-Video");
  expect(conflicts("vcrbench", "gpt-4o")).toContain("1 per second");
  expect(conflicts("videomathqa", "Qwen2.5-VL-7B-Instruct")).toContain("up to 768");
});

test.each<[model: string, frames: number | null, verdict: string]>([
  ["lmms-lab/LLaVA-Video-7B-Qwen2", null, "not certifiable"],
  ["rhymes-ai/Aria", null, "not certifiable"],
  ["LongVA-7B", null, "not certifiable"],
  ["OpenGVLab/InternVideo2_5_Chat_8B", null, "not certifiable"],
  ["llava-onevision-7b", null, "equal"],
  ["Qwen/Qwen2.5-VL-7B-Instruct", null, "equal"],
  ["Qwen/Qwen2.5-VL-7B-Instruct", 32, "not certifiable"],
  ["gpt-4o", null, "equal"],
  ["gpt-4o", 64, "not certifiable"],
])("VideoMathQA: aligned subtitles of %s with %s frames are %s", (model, frames, verdict) => {
  const recognition = { subtitles: "aligned", ...(frames === null ? {} : { frames }) };
  const { aspects, certificate } = official("videomathqa", `openai:${model}`, { recognition });
  expect(aspects.subtitles).toMatchObject({ got: "aligned", verdict });
  const sent = certificate.aspects.find(({ aspect }) => aspect === "frames")?.got;
  const released = model.startsWith("Qwen") ? 768 : 32;
  if (verdict === "not certifiable")
    expect(aspects.subtitles?.note).toContain(
      `chosen by ${model.startsWith("Qwen") ? 32 : sent} even frames here, and by ${released} even frames in `,
    );
  const named = certificate.model.conflicts.some((one) => one.includes("cues by 32 even frames"));
  expect(named).toBe(frames === null && verdict === "not certifiable");
  const none = official("videomathqa", `openai:${model}`, { recognition: { subtitles: "off" } });
  expect(none.aspects.subtitles?.verdict).toBe("equal");
});

test("a strategy that was not measured is reported, and baselines call no model", () => {
  const rrd = official("mmr-v", "openai:gemma-3-27b-it", { strategy: "rrd" });
  expect(rrd.aspects.strategy).toMatchObject({ got: "rrd", verdict: "different" });
  const reading = official("videomathqa", null, { strategy: "extractive" });
  expect(reading.aspects.strategy?.verdict).toBe("different");
  expect(reading.certificate.comparable).toBe(false);
  const blind = official("videomathqa", "openai:Qwen2.5-VL-7B-Instruct", { strategy: "blind" });
  expect(blind.aspects.frames).toBeUndefined();
});

const MEASURED: Record<string, string[]> = {
  vcrbench: ["direct", "rrd"],
  "mmr-v": ["direct"],
  videomathqa: ["direct", "blind", "key-frame"],
};

test.each(
  Object.keys(MEASURED).flatMap((benchmark) =>
    strategies.names().map((strategy): [string, string] => [benchmark, strategy]),
  ),
)("%s by %s is equal only if the paper measured it", (benchmark, strategy) => {
  const model = needsModel(strategy) ? "openai:Qwen2.5-VL-7B-Instruct" : null;
  const { aspects, certificate } = official(benchmark, model, { strategy });
  const measured = MEASURED[benchmark]?.includes(strategy) === true;
  expect(aspects.strategy?.verdict).toBe(measured ? "equal" : "different");
  if (!measured) expect(certificate.comparable).toBe(false);
});

test("the temperature is the one that the strategy sends", () => {
  const model = "openai:Qwen2.5-VL-7B-Instruct";
  const votes = official("videomathqa", model, { strategy: "self-consistency" });
  expect(votes.settings.reasoning.temperature).toBe(0);
  expect(votes.aspects.temperature).toMatchObject({ wanted: 0, got: 0.7, verdict: "different" });
  const low = { strategy: "self-consistency", consistency: { temperature: 0.2 } };
  expect(official("vcrbench", model, low).aspects.temperature?.got).toBe(0.2);
});

test.each([
  ["vcrbench", true],
  ["mmr-v", false],
  ["videomathqa", false],
])("%s: chain of thought is a deviation: %s", (benchmark, deviates) => {
  const model = "openai:Qwen2.5-VL-7B-Instruct";
  expect(official(benchmark, model).aspects["chain of thought"]).toBeUndefined();
  const { aspects, certificate } = official(benchmark, model, { reasoning: { cot: true } });
  expect(aspects["chain of thought"]?.verdict).toBe(deviates ? "different" : undefined);
  expect(deviationsIn(certificate).some((one) => one.startsWith("chain of thought: true"))).toBe(
    deviates,
  );
});
