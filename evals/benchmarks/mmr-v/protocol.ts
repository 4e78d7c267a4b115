import {
  notStated,
  type ProtocolModel,
  type PublishedProtocol,
  stated,
} from "../protocols/protocol.ts";
import { releasedExtractor } from "./released-rules.ts";

/* MMR-V, arXiv 2506.04141: table 3, appendices E.1 and E.2, and the code of GaryStack/MMR-V. */

const CODE = "GaryStack/MMR-V utils/video_utils.py";
const FRAMES = "appendix E.2";
const TABLE = "table 3";

const even = (
  name: string,
  spellings: readonly string[],
  frames: number,
  {
    wants,
    ...more
  }: Pick<ProtocolModel, "version" | "aliases" | "conflicts" | "unidentified"> & {
    wants?: ProtocolModel["wants"];
  } = {},
): ProtocolModel => ({
  name,
  spellings,
  ...more,
  wants: { sampler: stated("ends", FRAMES), frames: stated(frames, FRAMES), ...wants },
});

const script = (name: string) => `GaryStack/MMR-V evaluation/${name}`;
const COGVLM = script("cli-cog-vlm.py");
const inCode = (script: string, said: string) => `The released ${script} ${said}.`;
const SMALL_INTERNVL =
  "Table 3 says Intern3-8B, appendix E.2 InternVL-8B, appendix E.1 Intern3-VL, the released code InternVL3-8B.";
const THINKING_VERSION = stated("gemini-2.0-flash-thinking-01-21", "appendix E.1");
const FLASH = ["gemini-2-0-flash", "gemini-2-0-flash-001"];
const FLASH_VERSION = stated("gemini-2.0-flash", script("gemini-2.0-flash_on_MMR.py"));

export const MMR_V_PROTOCOL: PublishedProtocol = {
  source: "MMR-V, arXiv 2506.04141, and its released code",
  measured: [{ approach: "single-call", shows: "video" }],
  questions: 1257,
  data: {},
  cautions: [
    'Questions of MMR-V are in public training mixes (VideoAuto-R1 trains on "MMR-VBench"): a newer model may have seen them.',
  ],
  common: {
    media: stated("frames", CODE),
    sampler: notStated(FRAMES),
    frames: notStated(FRAMES),
    fps: notStated(FRAMES),
    indices: stated("linspace(0, total - 1, N) cut to whole numbers", CODE),
    pixel_cap: stated("as found", CODE),
    encoding: stated(75, CODE, "JPEG with the default quality of PIL"),
    order: stated("text first", CODE),
    labels: stated("none", CODE),
    system: stated("none", CODE, "a chat template may add its own"),
    subtitles: stated(["off"], CODE),
    audio: stated(false, CODE, "table 4 has results with sound for three models"),
    temperature: notStated(CODE, "none is sent"),
    max_tokens: notStated(CODE, "none is sent"),
  },
  cot: {},
  extractor: releasedExtractor,
  models: [
    even(
      "LLaVA-OneVision",
      ["llava-onevision", "llava-onevision-7b", "llava-onevision-qwen2-7b-ov", "llava-ov-7b"],
      8,
      {
        version: stated("LLaVA-OneVision-7B", "appendix E.1"),
        aliases: ["llava-onevision-qwen2-7b-ov", "llava-ov-7b"],
      },
    ),
    even(
      "Video-LLaVA",
      ["video-llava", "video-llava-7b", "llava-video", "llava-video-7b", "llava-video-7b-qwen2"],
      8,
      {
        unidentified:
          "the paper names two models, LLaVA-Video and Video-LLaVA; which one it was is not known",
        conflicts: [
          "Table 3 says LLaVA-Video, appendices E.1 and E.2 say Video-LLaVA, which is another model.",
        ],
      },
    ),
    even("NVILA-8B-Video", ["nvila-8b-video"], 8),
    even("Phi-4-multimodal-instruct", ["phi-4-multimodal"], 8, {
      version: stated("Phi-4-multimodal-instruct", script("Phi-4-multimodal-instruct_on_MMR.py")),
    }),
    even("Qwen2.5-VL-7B", ["qwen2-5-vl-7b"], 16, {
      version: stated("Qwen2.5-VL-7B-Instruct", script("qwen2.5-VL-7B_on_MMR_cot.py")),
      conflicts: [inCode("evaluation/qwen2.5-VL-7B_on_MMR_cot.py", "takes 8 frames")],
    }),
    even("Qwen2.5-Omni-7B", ["qwen2-5-omni-7b"], 16, {
      conflicts: ["Appendix E.2 names it; table 3 has no result for it."],
    }),
    even(
      "CogVLM2-Video-LLaMA3-Chat",
      [
        "cogvlm2-video",
        "cogvlm2-video-llama3",
        "cogvlm2-video-llama3-chat",
        "cogvlm2-llama3-chat-video",
      ],
      16,
      {
        version: stated("cogvlm2-video-llama3-chat", COGVLM),
        aliases: ["cogvlm2-llama3-chat-video"],
        wants: {
          temperature: stated(0.1, COGVLM),
          top_p: stated(0.1, COGVLM),
          top_k: stated(1, COGVLM),
          max_tokens: stated(2048, COGVLM),
        },
        conflicts: [
          inCode("evaluation/cli-cog-vlm.py", "takes the first 24 frames at 1 per second"),
        ],
      },
    ),
    even("InternVL3-8B", ["internvl3-8b", "internvl-8b"], 16, {
      version: stated("InternVL3-8B", script("InternVL3-8B_on_MMR.py")),
      conflicts: [SMALL_INTERNVL, inCode("evaluation/InternVL3-8B_on_MMR.py", "takes 8 frames")],
    }),
    even("Gemma-3-12b-it", ["gemma-3-12b-it", "gemma-3-12b"], 16, {
      version: stated("gemma-3-12b-it", script("gemma-3-12b-it_on_MMR.py")),
      aliases: ["gemma-3-12b"],
    }),
    even(
      "Gemini-2.0-Flash-Thinking",
      [
        "gemini-2-0-flash-thinking",
        "gemini-2-0-flash-thinking-01-21",
        "gemini-2-0-flash-thinking-exp",
        "gemini-2-0-flash-thinking-exp-01-21",
      ],
      16,
      // The name of that version in Google's API.
      {
        version: THINKING_VERSION,
        aliases: ["gemini-2-0-flash-thinking-exp-01-21"],
        conflicts: [
          inCode(
            "evaluation/gemini-2.0-flash-thinking_on_MMR.py",
            "asks gemini-2.0-flash-thinking-exp, that with CoT gemini-2.0-flash-thinking-exp-01-21",
          ),
        ],
      },
    ),
    even("Qwen2.5-VL-72B", ["qwen2-5-vl-72b"], 32, {
      version: stated("Qwen2.5-VL-72B-Instruct", script("qwen2.5-VL-72B_on_MMR.py")),
      conflicts: [
        inCode(
          "evaluation/qwen2.5-VL-72B_on_MMR.py",
          "gives no number of frames, for which the code takes 16",
        ),
      ],
    }),
    even(
      "InternVL-38B",
      ["internvl-38b", "internvl2-5-38b", "internvl3-38b", "intern3-vl-38b"],
      32,
      {
        unidentified:
          "the paper names InternVL2.5-38B, Intern3-VL 38B and InternVL-38B; which one it was is not known",
        conflicts: [
          "Table 3 says InternVL2.5-38B, appendix E.1 Intern3-VL 38B, appendix E.2 InternVL-38B: which one it was is not known.",
        ],
      },
    ),
    even("Gemma-3-27b-it", ["gemma-3-27b-it", "gemma-3-27b"], 32, {
      version: stated("gemma-3-27b-it", script("gemma-3-27b-it_on_MMR.py")),
      aliases: ["gemma-3-27b"],
      conflicts: [inCode("evaluation/gemma-3-27b-it_on_MMR.py", "takes 16 frames")],
    }),
    even("GPT-4o", ["gpt-4o", "gpt-4o-2024-11-20", "gpt-4o-2024-08-06", "gpt-4o-2024-05-13"], 32, {
      version: stated("gpt-4o-2024-11-20", TABLE),
    }),
    even("GPT-4o-mini", ["gpt-4o-mini", "gpt-4o-mini-2024-07-18"], 32, {
      version: stated("gpt-4o-mini-2024-07-18", TABLE),
    }),
    even("o4-mini", ["o4-mini", "o4-mini-2025-04-16"], 32, {
      version: stated("o4-mini-2025-04-16", TABLE),
    }),
    even(
      "Gemini-2.5-Flash",
      [
        "gemini-2-5-flash",
        "gemini-2-5-flash-preview",
        "gemini-2-5-flash-preview-04-17",
        "gemini-2-5-flash-preview-05-20",
      ],
      32,
      {
        version: stated("gemini-2.5-flash-preview-04-17", script("gemini-2.5-flash_on_MMR.py")),
        conflicts: [
          "Appendix E.2 says gemini-2.5-flash-preview, the released code gemini-2.5-flash-preview-04-17.",
        ],
      },
    ),
    even(
      "Claude-3.5-Sonnet",
      ["claude-3-5-sonnet", "claude-3-5-sonnet-20241022", "claude-3-5-sonnet-latest"],
      32,
      { version: stated("claude-3-5-sonnet-20241022", TABLE) },
    ),
    {
      name: "Gemini-2.0-Flash (512 frames)",
      spellings: FLASH,
      version: FLASH_VERSION,
      wants: {
        sampler: stated("fps-else-N", FRAMES),
        fps: stated(1, FRAMES),
        frames: stated(512, FRAMES),
        indices: notStated(FRAMES),
      },
      conflicts: [
        inCode(
          "evaluation/gemini-2.0-flash_on_MMR.py",
          "takes 512 even frames of every video, where the paper says 1 per second and at most 512",
        ),
      ],
    },
    even("Gemini-2.0-Flash (16 frames)", FLASH, 16, { version: FLASH_VERSION }),
    {
      name: "GPT-4.1",
      spellings: ["gpt-4-1", "gpt-4-1-2025-04-14"],
      version: stated("gpt-4.1-2025-04-14", TABLE),
      wants: {},
      conflicts: [
        "Appendix E.2 gives no number of frames for it; the released evaluation/gpt-4.1_on_MMR.py gives none either, for which the code takes 16.",
      ],
    },
  ],
};
