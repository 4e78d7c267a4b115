import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { benchmarks } from "../../../evals/benchmarks/define-benchmark.ts";
import { modelName } from "../../../evals/benchmarks/protocols/model-name.ts";
import { readEvalSettings } from "../../../evals/run/eval-settings.ts";
import { official } from "./official-certificate.ts";

describe("models are matched by known spellings", () => {
  test.each([
    ["mmr-v", "openai:Qwen/Qwen3-VL-8B-Instruct"],
    ["mmr-v", "openai:gpt-5"],
    ["mmr-v", "openai:my-qwen2.5-vl-7b-finetune"],
    ["mmr-v", "google-genai:gemini-2.5-pro"],
    ["vcrbench", "openai:Qwen/Qwen2-VL-7B-Instruct"],
    ["vcrbench", "openai:OpenGVLab/InternVL3-8B"],
    ["vcrbench", "openai:llava"],
    ["vcrbench", "openai:DAMO-NLP-SG/VideoLLaMA3-7B-Image"],
    ["videomathqa", "openai:Qwen/Qwen2.5-VL-7B-Instruct-ft-by-us"],
    ["videomathqa", "openai:Qwen/QwQ-32B"],
    ["vcrbench", "openai:gpt-4o-audio-preview"],
    ["vcrbench", "openai:ft:gpt-4o-2024-08-06:acme::abc123"],
    ["vcrbench", "openai:OpenGVLab/InternVL2_5-8B-MPO"],
    ["vcrbench", "openai:lmms-lab/LLaVA-Video-7B-Qwen2-Video-Only"],
    ["vcrbench", "openai:Qwen/Qwen2.5-VL-72B-Instruct-Turbo"],
    ["vcrbench", "openai:Video-R1/Qwen2.5-VL-7B-COT-SFT"],
    ["mmr-v", "openai:google/gemma-3-27b-pt"],
    ["mmr-v", "openai:google/gemini-2.5-flash-preview:thinking"],
    ["mmr-v", "openai:qwen/qwen-2-vl-7b-instruct"],
    ["mmr-v", "openai:qwen3-vl:8b"],
    ["mmr-v", "openai:anthropic.claude-3-5-sonnet-20240620-v1:0"],
    ["mmr-v", "openai:OpenGVLab/InternVL3-8B-Pretrained"],
  ])("%s: %s is unknown, and no number is assumed", (benchmark, model) => {
    const { settings, certificate, aspects } = official(benchmark, model);
    const plain = readEvalSettings({ benchmark, data: "x", strategy: "direct", model }).settings;
    expect(settings.recognition).toEqual({ ...plain.recognition, input: "whole-video" });
    expect(certificate.model).toMatchObject({ asked: model, published: null });
    expect(certificate.model.note).toContain("not in the tables of the paper");
    expect(aspects.frames).toMatchObject({ wanted: null, verdict: "not certifiable" });
    expect(certificate.comparable).toBe(false);
  });

  test("LLaVA-Video-7B-Qwen2 is not Qwen", () => {
    const { certificate } = official("videomathqa", "openai:lmms-lab/LLaVA-Video-7B-Qwen2");
    expect(certificate.model.published).toBe("LLaVA-Video");
  });

  test("no spelling names two models, and each is normalised", () => {
    for (const {
      protocol: { models },
    } of benchmarks.all()) {
      const owners = new Map<string, string>();
      for (const { name, spellings } of models)
        for (const spelling of spellings) {
          expect(modelName(spelling).normal, `${name}: ${spelling}`).toBe(spelling);
          const owner = owners.get(spelling) ?? name;
          const family = (of: string) => of.replace(/ \(.*\)$/, "");
          expect(family(name), spelling).toBe(family(owner));
          owners.set(spelling, owner);
        }
    }
  });

  test("provider, organisation, case, separators and storage do not change the model", () => {
    const spelt = fc.record({
      provider: fc.constantFrom("openai:", "google-genai:", "langchain:groq:", "together:", ""),
      folder: fc.constantFrom("", "Qwen/", "/model-weights/", "org/sub/"),
      upper: fc.boolean(),
      separator: fc.constantFrom("-", "_"),
      ending: fc.constantFrom("", "-Instruct", "-instruct-AWQ", "-Instruct-fp8", "-bf16", "-int4"),
    });
    fc.assert(
      fc.property(spelt, ({ provider, folder, upper, separator, ending }) => {
        const base = `qwen2.5-vl-72b${ending}`.replaceAll("-", separator);
        const name = `${provider}${folder}${upper ? base.toUpperCase() : base}`;
        expect(modelName(name).normal).toBe("qwen2-5-vl-72b");
      }),
    );
  });

  test("quantised weights, other versions and other organisations are not the published model", () => {
    const verdict = (benchmark: string, model: string) =>
      official(benchmark, model).aspects.model?.verdict;
    expect(verdict("mmr-v", "openai:gpt-4o-2024-11-20")).toBe("equal");
    expect(verdict("mmr-v", "openai:gpt-4o")).toBe("not certifiable");
    expect(verdict("mmr-v", "openai:gpt-4o-2024-05-13")).toBe("different");
    expect(verdict("mmr-v", "openai:qwen2.5-vl-72b-instruct-awq")).toBe("different");
    expect(verdict("vcrbench", "openai:Qwen/Qwen2.5-VL-7B-Instruct")).toBe("equal");
    expect(verdict("vcrbench", "openai:someone/Qwen2.5-VL-7B-Instruct")).toBe("not certifiable");
  });

  test.each([
    ["mmr-v", "openai:lmms-lab/llava-onevision-qwen2-7b-ov", "equal"],
    ["mmr-v", "openai:llava-ov-7b", "equal"],
    ["mmr-v", "openai:llava-onevision-qwen2-7b-ov-awq", "different"],
    ["mmr-v", "google-genai:gemini-2.0-flash-thinking-exp-01-21", "equal"],
    ["mmr-v", "google-genai:gemini-2.0-flash-thinking-01-21", "equal"],
    ["mmr-v", "google-genai:gemini-2.0-flash-thinking-exp", "not certifiable"],
    ["mmr-v", "anthropic:claude-3-5-sonnet-latest", "not certifiable"],
    ["vcrbench", "openai:DAMO-NLP-SG/VideoLLaMA3-7B", "equal"],
  ])("%s: the model of %s is %s", (benchmark, model, verdict) => {
    const { aspects, certificate } = official(benchmark, model);
    expect(certificate.model.published).not.toBeNull();
    expect(aspects.model?.verdict).toBe(verdict);
  });

  const QUANTISED = "the weights are quantised";
  const STORAGE = "the tag does not state whether the weights are quantised";
  const BY_NAME = "compared by name only";
  const CHECKPOINT = "the instruct version is another checkpoint";
  test.each<[name: string, published: string, verdict: string, note: string | null]>([
    ["Qwen/Qwen2.5-VL-7B-Instruct", "Qwen2.5-VL-7B", "equal", BY_NAME],
    ["RedHatAI/Qwen2.5-VL-7B-Instruct-FP8-dynamic", "Qwen2.5-VL-7B", "different", QUANTISED],
    ["RedHatAI/Qwen2.5-VL-7B-Instruct-quantized.w4a16", "Qwen2.5-VL-7B", "different", QUANTISED],
    ["unsloth/Qwen2.5-VL-7B-Instruct-bnb-4bit", "Qwen2.5-VL-7B", "different", QUANTISED],
    ["unsloth/Qwen2.5-VL-7B-Instruct-unsloth-bnb-4bit", "Qwen2.5-VL-7B", "different", QUANTISED],
    ["unsloth/Qwen2.5-VL-7B-Instruct-GGUF", "Qwen2.5-VL-7B", "different", `${QUANTISED} (gguf)`],
    ["unsloth/Qwen2.5-VL-7B-Instruct-GGUF:Q4_K_M", "Qwen2.5-VL-7B", "different", "(q4-k-m)"],
    [
      "unsloth/Qwen2.5-VL-7B-Instruct-GGUF:UD-Q4_K_XL",
      "Qwen2.5-VL-7B",
      "different",
      "(ud-q4-k-xl)",
    ],
    ["unsloth/Qwen2.5-VL-7B-Instruct-GGUF:BF16", "Qwen2.5-VL-7B", "equal", BY_NAME],
    ["Qwen2.5-VL-7B-Instruct-Q4_K_M.gguf", "Qwen2.5-VL-7B", "different", "(q4-k-m)"],
    ["qwen2.5vl:7b-q4_K_M", "Qwen2.5-VL-7B", "different", "(q4-k-m)"],
    ["qwen2.5vl:7b-q8_0", "Qwen2.5-VL-7B", "different", "(q8-0)"],
    ["qwen2.5vl:7b-fp16", "Qwen2.5-VL-7B", "equal", BY_NAME],
    ["qwen2.5vl:7b", "Qwen2.5-VL-7B", "not certifiable", STORAGE],
    ["ollama/qwen2.5vl:72b", "Qwen2.5-VL-72B", "not certifiable", STORAGE],
    ["gemma3:27b", "Gemma-3-27b-it", "not certifiable", STORAGE],
    ["gemma3:12b-it-qat", "Gemma-3-12b-it", "different", "(qat)"],
    ["gemma3:27b-it-q4_K_M", "Gemma-3-27b-it", "different", "(q4-k-m)"],
    ["google/gemma-3-12b-it-qat-q4_0-gguf", "Gemma-3-12b-it", "different", "(q4-0)"],
    ["google/gemma-3-27b-it:free", "Gemma-3-27b-it", "equal", BY_NAME],
    ["qwen/qwen-2.5-vl-7b-instruct", "Qwen2.5-VL-7B", "equal", BY_NAME],
    ["qwen/qwen2.5-vl-72b-instruct:free", "Qwen2.5-VL-72B", "equal", BY_NAME],
    ["claude-3-5-sonnet@20241022", "Claude-3.5-Sonnet", "equal", null],
    ["claude-3-5-sonnet-v2@20241022", "Claude-3.5-Sonnet", "equal", null],
    ["anthropic.claude-3-5-sonnet-20241022-v2:0", "Claude-3.5-Sonnet", "equal", null],
    ["us.anthropic.claude-3-5-sonnet-20241022-v2:0", "Claude-3.5-Sonnet", "equal", null],
    ["microsoft/Phi-4-multimodal-instruct", "Phi-4-multimodal-instruct", "equal", BY_NAME],
    ["OpenGVLab/InternVL3-8B", "InternVL3-8B", "equal", BY_NAME],
    ["OpenGVLab/InternVL3-8B-Instruct", "InternVL3-8B", "different", CHECKPOINT],
    ["OpenGVLab/InternVL3-8B-Instruct-AWQ", "InternVL3-8B", "different", QUANTISED],
    ["google/gemini-2.5-flash-preview-04-17", "Gemini-2.5-Flash", "equal", null],
    ["google/gemini-2.5-flash-preview-05-20", "Gemini-2.5-Flash", "different", "another version"],
    ["gemini-2.5-flash", "Gemini-2.5-Flash", "not certifiable", "the name does not include"],
    ["gemini-2.0-flash", "Gemini-2.0-Flash (512 frames)", "equal", BY_NAME],
    [
      "gemini-2.0-flash-001",
      "Gemini-2.0-Flash (512 frames)",
      "not certifiable",
      "the published name",
    ],
  ])("MMR-V: %s is %s: %s, %s", (name, published, verdict, note) => {
    const { aspects, certificate } = official("mmr-v", `openai:${name}`);
    expect(certificate.model.published).toBe(published);
    expect(aspects.model).toMatchObject({
      verdict,
      note: note === null ? null : expect.stringContaining(note),
    });
  });

  test.each([
    ["vcrbench", "google-genai:gemini-1.5-pro-002", "not certifiable"],
    ["videomathqa", "openai:OpenGVLab/InternVL3-8B-Instruct", "different"],
    ["videomathqa", "openai:OpenGVLab/InternVL3-8B", "equal"],
    ["videomathqa", "openai:Qwen/Qwen2.5-VL-7B", "equal"],
    ["videomathqa", "openai:qwen2.5vl:7b", "not certifiable"],
  ])("%s: %s is %s", (benchmark, model, verdict) => {
    expect(official(benchmark, model).aspects.model?.verdict).toBe(verdict);
  });

  test.each([
    ["mmr-v", "OpenGVLab/InternVL3-38B"],
    ["mmr-v", "OpenGVLab/InternVL2_5-38B"],
    ["mmr-v", "LanguageBind/Video-LLaVA-7B"],
    ["mmr-v", "lmms-lab/LLaVA-Video-7B-Qwen2"],
    ["vcrbench", "LVLMs-lab/LLaVA-Video-7B-Qwen2"],
    ["vcrbench", "llava-next-video-72b"],
  ])("%s: whether %s was measured is not known", (benchmark, model) => {
    const { aspects } = official(benchmark, `openai:${model}`);
    expect(aspects.model).toMatchObject({
      verdict: "not certifiable",
      note: expect.stringMatching(/^the paper names /),
    });
  });

  test("a spelling of the table is another version only by its date", () => {
    const different = benchmarks
      .all()
      .flatMap(({ name, protocol: { models } }) =>
        models.flatMap(({ spellings }) =>
          spellings.filter(
            (spelling) =>
              official(name, `openai:${spelling}`).aspects.model?.verdict === "different",
          ),
        ),
      );
    expect(new Set(different)).toEqual(
      new Set(["gpt-4o-2024-08-06", "gpt-4o-2024-05-13", "gemini-2-5-flash-preview-05-20"]),
    );
  });

  test("aliases are spellings of their model", () => {
    for (const { protocol } of benchmarks.all())
      for (const { spellings, aliases = [] } of protocol.models)
        expect(spellings).toEqual(expect.arrayContaining([...aliases]));
  });
});
