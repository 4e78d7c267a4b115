import type { PromptName } from "../../../prompts/catalogue.ts";
import type { BenchmarkName } from "../benchmark.ts";

/*
 * Which wordings the authors released: `wordingHash` of each, and where its text lies in their repository. The texts are
 * theirs and are not kept here; `prompts import` reads them out of a clone.
 */

/** How a text is found in a repository. */
export type PromptPlace =
  /** A string literal of a Python file; `inside` names the function around it. */
  | { kind: "python"; path: string; variable: string; inside?: string }
  /** lmms-eval composes the text of VideoMathQA from a sentence in `utils.py` and the task file's `post_prompt`. */
  | { kind: "lmms-eval"; task: string; subtitles: boolean; options: 2 | 5 }
  /** The line before the subtitles, in the same `utils.py`. */
  | { kind: "lmms-eval-subtitles" };

export interface ReleasedPrompt {
  prompt: PromptName;
  sha256: string;
  repository: string;
  /** File that holds it, for a person. */
  path: string;
  place: PromptPlace;
  /** Variable of the released text -> hole of ours. */
  holes: Readonly<Record<string, string>>;
  /** Only for runs with, or without, subtitles. */
  subtitles?: boolean;
  /** Models of the protocol's table whose own script has this text. Absent: it is the one for every other model. */
  models?: readonly string[];
}

const VCRBENCH = "pritamqu/VCRBench";
const RRD = "models/qwen2_5_vl_rrd.py";
const rrd = (
  prompt: PromptName,
  inside: string,
  sha256: string,
  holes: Record<string, string> = {},
): ReleasedPrompt => ({
  prompt,
  sha256,
  repository: VCRBENCH,
  path: RRD,
  place: { kind: "python", path: RRD, variable: "prompt", inside },
  holes,
});
const CLIPS = { goal: "goal", clip_details: "clips" };

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
  ...(models === undefined ? {} : { models }),
});

const LMMS_EVAL = "EvolvingLMMs-Lab/lmms-eval";
const TASKS = "lmms_eval/tasks/videomathqa";
const math = (
  prompt: PromptName,
  task: string,
  options: 2 | 5,
  [without, withSubtitles]: readonly [string, string],
): ReleasedPrompt[] =>
  [without, withSubtitles].map((sha256, place) => {
    const subtitles = place === 1;
    const file = `videomathqa_${task}${subtitles ? "_w_subtitle" : ""}`;
    return {
      prompt,
      sha256,
      repository: LMMS_EVAL,
      path: `${TASKS}/${file}.yaml`,
      place: { kind: "lmms-eval", task: file, subtitles, options },
      holes: {},
      subtitles,
    };
  });

export const RELEASED_PROMPTS: Record<BenchmarkName, readonly ReleasedPrompt[]> = {
  vcrbench: [
    {
      prompt: "vcrbench/direct",
      sha256: "8630bafeb4f5cf43ebdc5b664a10da21f234c6ab6f9cefce566894c404d0dd31",
      repository: VCRBENCH,
      path: "data/dataset.py",
      place: { kind: "python", path: "data/dataset.py", variable: "PROMPT" },
      holes: { goal: "goal" },
    },
    rrd(
      "rrd/recognise-all",
      "video_recognition",
      "f13b5c0751f8881bc1cfdeb1167ea5f2a49668844474dab2eae14bd1d3d8a26d",
    ),
    rrd(
      "rrd/count-clips",
      "identify_number_of_events",
      "f0a96a15c5d94433892234c349adb77ae34153e42287e106f81356191d913d74",
    ),
    rrd(
      "rrd/recognise-one",
      "video_recognition_iterative",
      "02f562a4a66ac07940e3e71acc2b1efaa76b90485f43dda8f1e990feacfa6448",
      { step: "clip" },
    ),
    rrd(
      "rrd/order",
      "causal_reasoning",
      "968255a794541726896de46150078c1f38d630527dd66f9ef6179795105c449b",
      CLIPS,
    ),
    // One text of theirs; ours differ by whether frames or the video go along.
    ...(["rrd/order-video", "rrd/order-clips"] as const).map((prompt) =>
      rrd(
        prompt,
        "causal_reasoning_with_videos",
        "084d6d27ab42030596c47bc92fd9342d8fdec481e22065abbe16e9e40da47c18",
        CLIPS,
      ),
    ),
  ],
  "mmr-v": [
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
  ],
  videomathqa: [
    ...math("videomathqa/mcq", "mcq", 5, [
      "aea7f33eefcb570116ed29d7ec3d99b7587eb399ce561fa0b7c2cf999a2e2a2c",
      "a8e653bc58f914f856730f791f7073abc15b7df331ffe662b81edd99253798a3",
    ]),
    ...math("videomathqa/mcq-cot", "mcq_cot", 5, [
      "8fee00017aa74849232df37090055018c083ea36f4561e9d2adad48d3821a3d2",
      "899ca35821b4d79e735c55717117fdf3e217837ea0fa61268206558e9f0b026c",
    ]),
    ...math("videomathqa/mbin", "mbin", 2, [
      "eefc80446ed0e255361478b66da9f0ebefecddd6b79303109a4c6a99bcfa4cd3",
      "f751d705a261375bfb6da0eea9b16b37e63c5de238c5e9cf9c355b10f0ef5619",
    ]),
    ...math("videomathqa/mbin-cot", "mbin_cot", 2, [
      "ad32f007a762de8cac487401b2a1f30b23e909c9a2f65308819a7e29e62fedba",
      "318bb7430923b3625161df1ab5054e3649d9713799c99e9e1a6d1f65199f12cf",
    ]),
    {
      prompt: "videomathqa/subtitles",
      sha256: "84cf44380df81bd99ccb9cd7ec9a66e5373c76d7fb7a5e845ddac1af0ab96c9d",
      repository: LMMS_EVAL,
      path: `${TASKS}/utils.py`,
      place: { kind: "lmms-eval-subtitles" },
      holes: {},
      subtitles: true,
    },
  ],
};

export const LMMS_EVAL_TASKS = TASKS;

/** Released wordings of a prompt; those for the model's own script first. */
export function releasedFor(
  benchmark: BenchmarkName,
  prompt: string,
  { model, subtitles }: { model: string | null; subtitles: boolean },
): ReleasedPrompt[] {
  const own = (released: ReleasedPrompt) =>
    model !== null && (released.models?.includes(model) ?? false);
  return RELEASED_PROMPTS[benchmark]
    .filter((item) => item.prompt === prompt)
    .filter((item) => item.subtitles === undefined || item.subtitles === subtitles)
    .sort((a, b) => Number(own(b)) - Number(own(a)));
}
