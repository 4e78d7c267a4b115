import {
  notStated,
  type ProtocolModel,
  type PublishedProtocol,
  stated,
} from "../protocols/protocol.ts";

/* VideoMathQA, arXiv 2506.05349: section 4.1, appendix B, and its task in EvolvingLMMs-Lab/lmms-eval. */

const TASK = "EvolvingLMMs-Lab/lmms-eval lmms_eval/tasks/videomathqa";
const FRAMES = "appendix B";
const RECOMMENDED =
  "appendix B: the number that each model's own code recommends, printed for six models only";

const SUBTITLES = `${TASK}/videomathqa_mcq_w_subtitle.yaml`;
const SUBTITLE_FRAMES =
  "With subtitles, the released task chooses the cues by 32 even frames of each video, section 4.1 by the sampled frames.";

/** All sizes of a model in one: the paper states its setting for the family. */
const family = (
  name: string,
  spellings: readonly string[],
  frames: number,
  more: Pick<ProtocolModel, "conflicts"> & { wants?: ProtocolModel["wants"] } = {},
): ProtocolModel => ({
  name,
  spellings,
  conflicts: more.conflicts ?? (frames === 32 ? [] : [SUBTITLE_FRAMES]),
  wants: { frames: stated(frames, FRAMES), ...more.wants },
});

const unstatedFrames = (name: string, spellings: readonly string[]): ProtocolModel => ({
  name,
  spellings,
  wants: { frames: notStated(RECOMMENDED) },
});

/** The order of cues in a video of 15 minutes or more is that of CPython's hash table in the released code. */
const SUBTITLE_TEXT =
  "if they are sent: ours are plain text in order of time; the released code keeps markup and blanks, has the cues of long videos in the order of a Python set, and one line end before the question where ours has two";

const sizes = (prefix: string, of: readonly string[]) => of.map((size) => `${prefix}-${size}`);

const gemini = (name: string, spellings: readonly string[]): ProtocolModel => ({
  name,
  spellings,
  wants: {
    media: stated("video", "section 4.1", "access to the full video"),
    subtitles: stated(["off", "full"], SUBTITLES, SUBTITLE_TEXT),
    audio: notStated("section 4.1", "the file is sent with its sound"),
  },
});

export const VIDEOMATHQA_PROTOCOL: PublishedProtocol = {
  source: "VideoMathQA, arXiv 2506.05349, and its task in lmms-eval",
  measured: [
    { approach: "single-call", shows: "video" },
    { approach: "single-call", shows: "nothing" },
    { approach: "single-call", shows: "one-frame" },
  ],
  questions: 420,
  data: {},
  cautions: [],
  common: {
    media: notStated(FRAMES),
    sampler: notStated(FRAMES),
    frames: notStated(RECOMMENDED),
    fps: notStated(FRAMES),
    indices: notStated(FRAMES, "each model's own code chooses them"),
    pixel_cap: notStated(FRAMES),
    encoding: notStated(FRAMES),
    order: notStated(FRAMES, "each model's own code in lmms-eval decides"),
    labels: notStated(FRAMES),
    system: notStated(FRAMES, "each model's own code in lmms-eval decides"),
    subtitles: stated(["off", "aligned"], "section 4.1", SUBTITLE_TEXT),
    subtitle_frames: stated(32, SUBTITLES),
    audio: stated(false, "section 4.1", "speech is given only as subtitles"),
    temperature: stated(0, FRAMES),
    top_p: stated(1, `${TASK}/videomathqa_mcq.yaml`, "without effect at temperature 0"),
    max_tokens: stated(16, `${TASK}/videomathqa_mcq.yaml`),
  },
  cot: { max_tokens: stated(8096, `${TASK}/videomathqa_mcq_cot.yaml`) },
  extractor: (cot) =>
    cot
      ? {
          name: "model-letter",
          model: "Qwen/Qwen3-4B",
          source: "section 4.1 and appendix B",
          decoding: {
            temperature: 0.7,
            top_p: 0.8,
            top_k: 20,
            max_tokens: 16,
            thinking: false,
            source: `${TASK}/cot_postprocess.py`,
          },
        }
      : { name: "official", model: null, source: `${TASK}/utils.py` },
  models: [
    family(
      "LLaVA-OneVision",
      [
        ...sizes("llava-onevision", ["7b", "72b"]),
        ...sizes("llava-ov", ["7b", "72b"]),
        ...sizes("llava-onevision-qwen2", ["7b-ov", "72b-ov", "72b-ov-chat", "7b-ov-chat"]),
        ...sizes("llava-onevision-qwen2", ["7b", "72b"]),
        "llava-onevision",
      ],
      32,
    ),
    family(
      "LLaVA-Video",
      [...sizes("llava-video", ["7b", "72b", "7b-qwen2", "72b-qwen2"]), "llava-video"],
      64,
    ),
    family("Aria", ["aria", "aria-34b", "aria-chat"], 128),
    family("LongVA", ["longva", "longva-7b", "longva-7b-dpo", "longva-dpo-7b", "longva-dpo"], 128),
    family(
      "InternVideo2.5",
      ["internvideo2-5", "internvideo2-5-8b", "internvideo2-5-chat-8b", "internvideo-2-5"],
      512,
    ),
    family("Qwen2.5-VL", sizes("qwen2-5-vl", ["3b", "7b", "32b", "72b"]), 768, {
      conflicts: [
        "Section 4.1 says up to 768 frames, appendix B 768 frames.",
        "The example command of the task's README sets at most 151,200 pixels and no number of frames, for which lmms-eval takes 32.",
      ],
      wants: {
        subtitle_frames: stated(768, SUBTITLES),
        media: stated("video", "EvolvingLMMs-Lab/lmms-eval lmms_eval/models/simple/qwen2_5_vl.py"),
        order: stated(
          "media first",
          "EvolvingLMMs-Lab/lmms-eval lmms_eval/models/simple/qwen2_5_vl.py",
        ),
        system: notStated(
          "EvolvingLMMs-Lab/lmms-eval lmms_eval/models/simple/qwen2_5_vl.py",
          "the code sends one that the model's chat template adds by itself where none is sent",
        ),
      },
    }),
    gemini("Gemini-1.5-Flash", ["gemini-1-5-flash", "gemini-1-5-flash-002"]),
    gemini("Gemini-2.0-Flash", ["gemini-2-0-flash", "gemini-2-0-flash-001"]),
    unstatedFrames("Claude-3.7-sonnet", [
      "claude-3-7-sonnet",
      "claude-3-7-sonnet-20250219",
      "claude-3-7-sonnet-latest",
    ]),
    unstatedFrames("GPT-4o", [
      "gpt-4o",
      "gpt-4o-2024-11-20",
      "gpt-4o-2024-08-06",
      "gpt-4o-2024-05-13",
    ]),
    unstatedFrames("GPT-o4-mini", ["o4-mini", "gpt-o4-mini", "o4-mini-2025-04-16"]),
    unstatedFrames("InternVL2.5", sizes("internvl2-5", ["2b", "8b", "38b", "78b"])),
    unstatedFrames("InternVL3", sizes("internvl3", ["2b", "8b", "38b", "78b"])),
    unstatedFrames("PLM-LLaMA", [
      ...sizes("plm-llama", ["3b", "8b"]),
      ...sizes("perception-lm", ["3b", "8b"]),
    ]),
    unstatedFrames("Oryx-1.5", sizes("oryx-1-5", ["7b", "32b"])),
    unstatedFrames("Video-R1", ["video-r1-7b", "video-r1"]),
    unstatedFrames("VideoChat-R1", ["videochat-r1-7b", "videochat-r1"]),
  ],
};
