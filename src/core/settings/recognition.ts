import { z } from "zod";
import { expectedTokens } from "./budget.ts";
import { settingMeta } from "./setting-meta.ts";

export const SAMPLERS = ["ends", "midpoints", "fps", "fps-else-N", "times", "range"] as const;
export const RECOGNITION_MODES = ["all-at-once", "sequential"] as const;
export const RECOGNITION_INPUTS = ["whole-video", "clip"] as const;
export const SUBTITLE_MODES = ["off", "aligned", "full", "retrieved"] as const;
export const VIDEO_RESOLUTIONS = ["low", "medium", "high"] as const;
export const MESSAGE_ORDERS = ["text-first", "media-first"] as const;
export const FRAME_LABELS = ["off", "numbers"] as const;
export const OCR_MODES = ["off", "tesseract", "model"] as const;

/** What is looked at and read before anything is reasoned. */
export const Recognition = z.strictObject({
  model: z
    .string()
    .nullable()
    .default(null)
    .describe("model that recognises; default: --model")
    .meta(settingMeta({ flag: "recogniser", caller: true, role: "recogniser" })),
  expected_output: expectedTokens(
    "recogniser-output",
    "tokens that a budget reserves for a reply of the recogniser; not given: --expected-output",
    "recogniser",
  ),
  mode: z
    .enum(RECOGNITION_MODES)
    .default("sequential")
    .describe("captions in one call, or one call a clip")
    .meta(settingMeta({ flag: "recognition", caller: true })),
  input: z
    .enum(RECOGNITION_INPUTS)
    .nullable()
    .default(null)
    .describe("frames of the whole video (the paper's) or chosen clip by clip")
    .meta(settingMeta({ flag: "recognition-input", caller: true })),
  sampler: z
    .enum(["ends", "midpoints", "fps", "fps-else-N"])
    .default("ends")
    .describe("how frames are chosen")
    .meta(settingMeta({ flag: "sampler", caller: true })),
  frames: z
    .int()
    .min(1)
    .max(2048)
    .default(32)
    .describe("frames a video (N of the samplers); a clip gets its even share, at least 4")
    .meta(settingMeta({ flag: "frames", caller: true })),
  fps: z
    .number()
    .positive()
    .max(60)
    .default(1)
    .describe("frames a second, for the samplers `fps` and `fps-else-N`")
    .meta(settingMeta({ flag: "fps", caller: true })),
  max_side: z
    .int()
    .min(16)
    .max(8192)
    .nullable()
    .default(768)
    .describe("longest side of a frame in pixels; null: as it is")
    .meta(settingMeta({ flag: "max-side", caller: true })),
  max_area: z
    .int()
    .min(256)
    .max(33_554_432)
    .nullable()
    .default(null)
    .describe("largest area of a frame in pixels; null: any")
    .meta(settingMeta({ flag: "max-area", caller: true })),
  quality: z
    .int()
    .min(1)
    .max(100)
    .default(85)
    .describe("JPEG quality of the frames sent")
    .meta(settingMeta({ flag: "quality", caller: true })),
  media: z
    .enum(["frames", "video"])
    .default("frames")
    .describe(
      "send frames, or the video itself (whole, or cut to a clip) where the server takes it",
    )
    .meta(settingMeta({ flag: "media", caller: true })),
  message_order: z
    .enum(MESSAGE_ORDERS)
    .nullable()
    .default(null)
    .describe(
      "what stands first in the message; not given: the text on MMR-V, else the frames or the video",
    )
    .meta(settingMeta({ flag: "message-order", caller: true, added: true })),
  frame_labels: z
    .enum(FRAME_LABELS)
    .default("off")
    .describe("text in front of each frame: none, or `Frame1: `, `Frame2: ` and so on")
    .meta(settingMeta({ flag: "frame-labels", caller: true, added: true })),
  audio: z
    .boolean()
    .default(false)
    .describe("also send the sound, where the server takes it")
    .meta(settingMeta({ flag: "audio", caller: true })),
  video_fps: z
    .number()
    .positive()
    .max(24)
    .nullable()
    .default(null)
    .describe("frames a second that the server takes of a video; none: the server's own rate")
    .meta(settingMeta({ flag: "video-fps", caller: true, added: true })),
  video_frames: z
    .int()
    .min(1)
    .max(4096)
    .nullable()
    .default(null)
    .describe(
      "frames that the server takes of a video, at most (vLLM); none: the server's own number",
    )
    .meta(settingMeta({ flag: "video-frames", caller: true, added: true })),
  video_max_pixels: z
    .int()
    .min(256)
    .max(33_554_432)
    .nullable()
    .default(null)
    .describe(
      "largest area of a frame that the server takes of a video, in pixels (vLLM with Qwen)",
    )
    .meta(settingMeta({ flag: "video-max-pixels", caller: true, added: true })),
  video_resolution: z
    .enum(VIDEO_RESOLUTIONS)
    .nullable()
    .default(null)
    .describe("tokens that Gemini spends on a frame of a video; none: Gemini's own choice")
    .meta(settingMeta({ flag: "video-resolution", caller: true, added: true })),
  subtitles: z
    .enum(SUBTITLE_MODES)
    .nullable()
    .default(null)
    .describe(
      "subtitles in the prompt: none, those at the frames, all, or those found for the question",
    )
    .meta(settingMeta({ flag: "subtitles", caller: true })),
  ocr: z
    .enum(OCR_MODES)
    .nullable()
    .default(null)
    .describe("text on screen: not read, by tesseract, or by the model")
    .meta(settingMeta({ flag: "ocr", caller: true })),
});

/** How a server is to sample a video that it is sent; only what a person set. */
export interface VideoSampling {
  /** Frames a second. */
  fps?: number;
  /** Frames at most. */
  frames?: number;
  /** Largest area of a frame. */
  max_pixels?: number;
  resolution?: (typeof VIDEO_RESOLUTIONS)[number];
}

/** The `video_*` settings that were given; null where none was. */
export function videoSampling(recognition: z.infer<typeof Recognition>): VideoSampling | null {
  const given = Object.entries({
    fps: recognition.video_fps,
    frames: recognition.video_frames,
    max_pixels: recognition.video_max_pixels,
    resolution: recognition.video_resolution,
  }).filter(([, value]) => value !== null);
  return given.length === 0 ? null : Object.fromEntries(given);
}
