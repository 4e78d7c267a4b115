import type { ReleasedPrompt } from "../protocols/released-prompt.ts";

const MMR_V = "GaryStack/MMR-V";
const mmrV = (
  prompt: "mmr-v/direct" | "mmr-v/direct-cot",
  script: string,
  sha256: string,
  models?: readonly string[],
): ReleasedPrompt => ({
  prompt,
  sha256,
  repository: MMR_V,
  path: `evaluation/${script}`,
  place: { kind: "python", path: `evaluation/${script}`, variable: "prompt_template" },
  holes: { question: "question", options: "option_list" },
  variables: ["question", "option_list"],
  ...(models === undefined ? {} : { models }),
});

export const MMR_V_RELEASED: readonly ReleasedPrompt[] = [
  mmrV(
    "mmr-v/direct",
    "gemma-3-27b-it_on_MMR.py",
    "a0532f11e1aad31379a19e51880d87be36d74bd6ff100384b56d4c31227b80ee",
  ),
  mmrV(
    "mmr-v/direct",
    "gemini-2.0-flash_on_MMR.py",
    "ac0c029e98afc8716fd26ac28e2fcc5300b889a34b9641577b711878ccbf5973",
    [
      "Gemini-2.0-Flash (512 frames)",
      "Gemini-2.0-Flash (16 frames)",
      "Gemini-2.0-Flash-Thinking",
      "Gemini-2.5-Flash",
      "GPT-4.1",
    ],
  ),
  mmrV(
    "mmr-v/direct",
    "claude-3-5-sonnet-20241022_on_MMR.py",
    "e840058ef65a8854b38bfb5dd39c65202fbd08da272c1c85d1e35f895e75fa55",
    ["Claude-3.5-Sonnet"],
  ),
  mmrV(
    "mmr-v/direct",
    "qwen2.5-VL-72B_on_MMR.py",
    "eef201118f68ef7591d2f6557523a3edd23a2b9f9661830e3a5a7f3aa0605cbd",
    ["Qwen2.5-VL-72B"],
  ),
  mmrV(
    "mmr-v/direct-cot",
    "gemma-3-27b-it_on_MMR_cot.py",
    "84771964d91042d7b36968ef36b02e67f44689f16510e340bd0bdced6471b04b",
  ),
  mmrV(
    "mmr-v/direct-cot",
    "gpt-4.1_on_MMR_cot.py",
    "b905751ddff015df6d6edef36bf2a629e36fce1ede0e9619bdf3bb5c3fe7d1a7",
    ["Claude-3.5-Sonnet", "Gemini-2.0-Flash-Thinking", "GPT-4.1", "o4-mini"],
  ),
  mmrV(
    "mmr-v/direct-cot",
    "gemini-2.5-flash_on_MMR_cot.py",
    "d6c39ee2d3318c3cc7cf8e8dda83fd54c166d3a902edc97825f019d78816ee60",
    ["Gemini-2.5-Flash", "Phi-4-multimodal-instruct"],
  ),
  mmrV(
    "mmr-v/direct-cot",
    "qwen2.5-VL-7B_on_MMR_cot.py",
    "46620244d128196f2a4c0547400b54af4a6006d77164c908b28c7a132ccffcab",
    ["Qwen2.5-VL-7B"],
  ),
];
