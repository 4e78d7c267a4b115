import { strategies } from "../../../graphs/define-strategy.ts";
import { segmentationOf } from "../../../src/core/settings.ts";
import { type Aspect, type CertificateFacts, compare } from "../protocols/aspect.ts";
import {
  notStated,
  type ProtocolModel,
  type PublishedProtocol,
  stated,
} from "../protocols/protocol.ts";

/* VCRBench, arXiv 2505.08455: table 1, table S4, section 5.1, and the code of pritamqu/VCRBench. */

const CODE = "pritamqu/VCRBench";
const TABLE = "table 1";
const WEIGHTS = "table S4";
const RECOMMENDED =
  "section 4.1: the generation settings that each model's authors recommend, not printed";

/** A model of which the paper gives a number of frames and nothing else. */
const framesOnly = (
  name: string,
  spellings: readonly string[],
  frames: number,
  weights: string,
  more: Pick<ProtocolModel, "conflicts" | "unidentified"> = {},
): ProtocolModel => ({
  name,
  spellings,
  version: stated(weights, WEIGHTS),
  wants: { frames: stated(frames, TABLE) },
  ...more,
});

const INTERNVL = `${CODE} models/internvl2_5.py`;
const internVl = (size: string, conflicts: readonly string[] = []): ProtocolModel => ({
  name: `InternVL2.5-${size}`,
  spellings: [`internvl2-5-${size.toLowerCase()}`],
  version: stated(`OpenGVLab/InternVL2_5-${size}`, WEIGHTS),
  wants: {
    media: stated("frames", INTERNVL),
    sampler: stated("midpoints", INTERNVL),
    frames: stated(64, TABLE),
    indices: stated(
      "int(part / 2 + round(part * i)), part = (total - 1) / 64",
      INTERNVL,
      "frame numbers may differ by up to two: ours are the middles of equal parts of all frames",
    ),
    encoding: stated("not compressed", INTERNVL),
    order: stated("media first", INTERNVL),
    labels: stated("Frame{i}: ", INTERNVL),
    temperature: notStated(INTERNVL, "sampled by the model's own generation settings"),
    max_tokens: stated(512, INTERNVL),
  },
  conflicts,
});

const QWEN = `${CODE} models/qwen2_5_vl.py`;
const qwen = (size: string): ProtocolModel => ({
  name: `Qwen2.5-VL-Instruct ${size}`,
  spellings: [`qwen2-5-vl-${size.toLowerCase()}`],
  version: stated(`Qwen/Qwen2.5-VL-${size}-Instruct`, WEIGHTS),
  wants: {
    media: stated("video", QWEN, "the file at 1 frame per second, read by the model's own code"),
    sampler: stated("fps", TABLE),
    fps: stated(1, TABLE),
    pixel_cap: stated(151_200, QWEN, "360 x 420 as an area"),
    encoding: stated("not compressed", QWEN),
    order: stated("media first", QWEN),
    temperature: notStated(QWEN, "the model's own generation settings"),
    max_tokens: stated(512, QWEN),
  },
});

const longVu = (size: string, spellings: readonly string[], weights: string): ProtocolModel => ({
  name: `LongVU ${size}`,
  spellings,
  version: stated(weights, WEIGHTS),
  wants: { sampler: stated("fps", TABLE), fps: stated(1, TABLE) },
});

const GEMINI = `${CODE} models/gemini.py`;
const gemini = (name: string, spellings: readonly string[], version: string): ProtocolModel => ({
  name,
  spellings,
  version: stated(version, WEIGHTS),
  wants: {
    media: stated("video", GEMINI, "the whole file, uploaded by the Files API"),
    sampler: stated("fps", TABLE),
    fps: stated(1, TABLE),
    pixel_cap: stated("as found", GEMINI),
    encoding: stated("not compressed", GEMINI),
    order: stated("media first", GEMINI),
    audio: notStated(GEMINI, "the file is sent with its sound"),
    temperature: notStated(GEMINI, "none is sent"),
    max_tokens: notStated(GEMINI, "none is sent"),
  },
});

const GPT = `${CODE} models/gpt.py`;
const LLAMA3 = `${CODE} models/videollama3.py`;
const NAMED_NEXT = {
  unidentified:
    "the paper names two models, LLaVA-NeXT-Video and LLaVA-Video; which one it was is not known",
  conflicts: ["Table 1 says LLaVA-NeXT-Video, table S4 links the weights of LLaVA-Video for it."],
};
const WRONG_LINK = "Table S4 links the weights of InternVL2.5-1B for it.";

export const VCRBENCH_PROTOCOL: PublishedProtocol = {
  source: "VCRBench, arXiv 2505.08455, and its released code",
  measured: [
    { approach: "single-call", shows: "video" },
    { approach: "decomposed", shows: "video" },
  ],
  questions: 365,
  data: {
    mcq: {
      files: ["6d69d1d45fc1db0cdfd9f4fbbea0eef5e264aede8cd3be1a39c31c4c16ee8254"],
      source: "data.json as released",
    },
  },
  cautions: [
    "Another multiple-choice data set, by other authors, is also called VCR-Bench or VCRBench; VLMEvalKit, Conan, EasyVideoR1 and Video-HopChain report that one. Its results are not comparable with these.",
  ],
  common: {
    media: notStated(TABLE),
    sampler: notStated(TABLE),
    frames: notStated(TABLE),
    fps: notStated(TABLE),
    indices: notStated(TABLE),
    pixel_cap: notStated("the paper"),
    encoding: notStated("the paper"),
    order: notStated("the paper"),
    labels: stated("none", CODE),
    system: stated("none", CODE, "a chat template may add its own"),
    subtitles: stated(["off"], CODE),
    audio: stated(false, CODE),
    temperature: notStated(RECOMMENDED),
    max_tokens: notStated(RECOMMENDED),
  },
  cot: null,
  settings: { "recognition.replies": "verbatim" },
  extractor: () => ({ name: "official", model: null, source: `${CODE} process.py` }),
  models: [
    internVl("1B"),
    internVl("2B"),
    internVl("4B", [WRONG_LINK]),
    internVl("8B", [WRONG_LINK]),
    internVl("26B"),
    internVl("38B"),
    internVl("78B"),
    framesOnly(
      "MiniCPM-o-V 2.6",
      ["minicpm-o-2-6", "minicpm-o-v-2-6", "minicpm-o-2-6-7b", "minicpm-o-v-2-6-7b"],
      64,
      "openbmb/MiniCPM-o-2_6",
    ),
    framesOnly(
      "LLaVA-NeXT-Video 7B",
      ["llava-next-video-7b", "llava-video-7b", "llava-video-7b-qwen2"],
      64,
      "LVLMs-lab/LLaVA-Video-7B-Qwen2",
      NAMED_NEXT,
    ),
    framesOnly(
      "LLaVA-NeXT-Video 72B",
      ["llava-next-video-72b", "llava-video-72b", "llava-video-72b-qwen2"],
      32,
      "LVLMs-lab/LLaVA-Video-72B-Qwen2",
      NAMED_NEXT,
    ),
    {
      name: "VideoLLaMA3 7B",
      // VideoLLaMA3-7B-Image is another checkpoint, which the paper does not name.
      spellings: ["videollama3-7b", "video-llama3-7b"],
      version: stated("DAMO-NLP-SG/VideoLLaMA3-7B", WEIGHTS),
      wants: {
        media: stated("video", LLAMA3),
        sampler: stated("fps-else-N", LLAMA3),
        fps: stated(1, LLAMA3),
        frames: stated(128, TABLE),
        order: stated("media first", LLAMA3),
        system: stated("You are a helpful assistant.", LLAMA3),
        temperature: notStated(LLAMA3, "the model's own generation settings"),
        max_tokens: stated(512, LLAMA3),
      },
      conflicts: ["Table 1 says 128 frames; the code takes 1 per second and at most 128."],
    },
    framesOnly(
      "LongVILA 7B",
      ["longvila-7b", "qwen2-7b-longvila-256f"],
      128,
      "Efficient-Large-Model/qwen2-7b-longvila-256f",
    ),
    framesOnly(
      "VideoChat2 7B",
      ["videochat2-7b", "videochat2-stage3-mistral-7b"],
      16,
      "OpenGVLab/VideoChat2_stage3_Mistral_7B",
    ),
    framesOnly("NVILA 15B", ["nvila-15b"], 8, "Efficient-Large-Model/NVILA-15B"),
    qwen("7B"),
    qwen("72B"),
    longVu("3B", ["longvu-3b", "longvu-llama3-2-3b"], "Vision-CAIR/LongVU_Llama3_2_3B"),
    longVu("7B", ["longvu-7b", "longvu-qwen2-7b"], "Vision-CAIR/LongVU_Qwen2_7B"),
    {
      name: "GPT-4o",
      spellings: ["gpt-4o", "gpt-4o-2024-11-20", "gpt-4o-2024-08-06", "gpt-4o-2024-05-13"],
      version: stated("gpt-4o-2024-11-20", WEIGHTS),
      wants: {
        media: stated("frames", GPT),
        sampler: stated("fps-else-N", GPT),
        fps: stated(1, GPT),
        frames: stated(32, TABLE),
        indices: stated(
          "every round(rate)-th frame; linspace(0, total - 1, 32) where those are more than 32",
          GPT,
          "below 32 s the code counts frames where we count seconds",
        ),
        pixel_cap: notStated(
          GPT,
          "each image carries `resize: 512`, which the API does not document",
        ),
        encoding: stated(75, GPT, "JPEG with the default quality of PIL"),
        order: stated("text first", GPT),
        temperature: notStated(GPT, "none is sent"),
        max_tokens: stated(512, GPT),
      },
      conflicts: [
        "Table 1 says 32 frames; the code takes 1 per second, and 32 even frames with both ends where that is more than 32.",
      ],
    },
    gemini("Gemini-1.5-Pro", ["gemini-1-5-pro", "gemini-1-5-pro-002"], "gemini-1.5-pro"),
    gemini(
      "Gemini-2.0-Flash-Thinking",
      [
        "gemini-2-0-flash-thinking",
        "gemini-2-0-flash-thinking-exp",
        "gemini-2-0-flash-thinking-exp-01-21",
      ],
      "gemini-2.0-flash-thinking-exp",
    ),
  ],
};

const RRD = `${CODE} models/qwen2_5_vl_rrd.py`;

/** The descriptions that are put in order, and how. */
export function vcrbenchAspects({ settings, descriptions }: CertificateFacts): Aspect[] {
  if (strategies.get(settings.strategy).approach !== "decomposed") return [];
  const { source } = VCRBENCH_PROTOCOL;
  const { recognition, reasoning } = settings;
  const atOnce = reasoning.method === "all-at-once";
  const whole = atOnce && recognition.input === "whole-video";
  const counts = recognition.mode === "all-at-once" || segmentationOf(settings)?.by !== "cards";
  const own = whole && !counts ? "clips found by their title cards" : "by-clip";
  return [
    compare("descriptions", { value: "recognised", source }, descriptions),
    compare(
      "reasoning method",
      { value: ["all-at-once", "merge-sort"], source: "section 5" },
      reasoning.method,
    ),
    compare(
      "replies of the recogniser",
      atOnce
        ? stated("verbatim", RRD, "as they are, and the first digits of the count")
        : notStated(RRD, "pairs of descriptions are compared only in the paper"),
      whole && counts ? (recognition.replies ?? "by-clip") : own,
    ),
  ];
}
