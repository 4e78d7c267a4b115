import { z } from "zod";
import { expectedTokens } from "./budget.ts";
import { OCR_LANGUAGES_EXPECTED, parseOcrLanguages } from "./ocr-languages.ts";
import { parseSegments, SEGMENTS_EXPECTED } from "./segments.ts";
import { settingMeta } from "./setting-meta.ts";

export const SAMPLERS = ["ends", "midpoints", "fps", "fps-else-N", "times", "range"] as const;
export const RECOGNITION_MODES = ["all-at-once", "sequential"] as const;
export const RECOGNITION_REPLIES = ["by-clip", "verbatim"] as const;
export const RECOGNITION_INPUTS = ["whole-video", "clip"] as const;
export const SUBTITLE_MODES = ["off", "aligned", "full", "retrieved"] as const;
export const VIDEO_RESOLUTIONS = ["low", "medium", "high"] as const;
export const MESSAGE_ORDERS = ["text-first", "media-first"] as const;
export const FRAME_LABELS = ["off", "numbers"] as const;
export const SPEECH_MODES = ["auto", "always", "off"] as const;
export const OCR_MODES = ["off", "tesseract", "model"] as const;

/** Which frames, text and sound are recognised before reasoning. */
export const Recognition = z.strictObject({
  model: z
    .string()
    .nullable()
    .default(null)
    .describe("model that recognises; default: --model")
    .meta(settingMeta({ flag: "recogniser", caller: true, role: "recogniser" })),
  expected_output: expectedTokens(
    "recogniser-output",
    "tokens that a budget reserves for a reply of the recogniser; default: --expected-output",
    "recogniser",
  ),
  mode: z
    .enum(RECOGNITION_MODES)
    .default("sequential")
    .describe("captions of all clips in one call, or one call per clip")
    .meta(settingMeta({ flag: "recognition", caller: true })),
  replies: z
    .enum(RECOGNITION_REPLIES)
    .default("by-clip")
    .describe(
      "what the prompt for the order of clips receives: descriptions read clip by clip, or the replies of the recogniser unchanged, as in VCRBench's released code",
    )
    .meta(
      settingMeta({ flag: "recognition-replies", caller: true, tasks: ["order"], added: true }),
    ),
  input: z
    .enum(RECOGNITION_INPUTS)
    .nullable()
    .default(null)
    .describe("sample frames over the whole video (as in the paper) or clip by clip")
    .meta(settingMeta({ flag: "recognition-input", caller: true })),
  segments: z
    .string()
    .refine((given) => parseSegments(given) !== null, { error: SEGMENTS_EXPECTED })
    .nullable()
    .default(null)
    .describe(
      "parts that are described: shots, cards (clips between title cards) or every:N (windows of N seconds, such as every:10); default: clips if there are title cards, else shots",
    )
    .meta(settingMeta({ flag: "segments", caller: true, added: true })),
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
    .describe("frames per video (N of the samplers); each clip gets an equal share, at least 4")
    .meta(settingMeta({ flag: "frames", caller: true })),
  fps: z
    .number()
    .positive()
    .max(60)
    .default(1)
    .describe("frames per second, for the samplers `fps` and `fps-else-N`")
    .meta(settingMeta({ flag: "fps", caller: true })),
  max_side: z
    .int()
    .min(16)
    .max(8192)
    .nullable()
    .default(768)
    .describe("longest side of a frame in pixels; null: unchanged")
    .meta(settingMeta({ flag: "max-side", caller: true })),
  max_area: z
    .int()
    .min(256)
    .max(33_554_432)
    .nullable()
    .default(null)
    .describe("largest area of a frame in pixels; null: no limit")
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
      "send frames, or the video itself (whole, or cut to a clip) if the server accepts video",
    )
    .meta(settingMeta({ flag: "media", caller: true })),
  message_order: z
    .enum(MESSAGE_ORDERS)
    .nullable()
    .default(null)
    .describe(
      "what comes first in the message; default: the text on MMR-V, else the frames or the video",
    )
    .meta(
      settingMeta({
        flag: "message-order",
        caller: true,
        added: true,
        byWording: ({ textFirst }) => (textFirst ? "text-first" : "media-first"),
      }),
    ),
  frame_labels: z
    .enum(FRAME_LABELS)
    .default("off")
    .describe("text in front of each frame: none, or `Frame1: `, `Frame2: ` and so on")
    .meta(settingMeta({ flag: "frame-labels", caller: true, added: true })),
  audio: z
    .boolean()
    .default(false)
    .describe("also send the sound, if the server accepts sound")
    .meta(settingMeta({ flag: "audio", caller: true })),
  video_fps: z
    .number()
    .positive()
    .max(24)
    .nullable()
    .default(null)
    .describe(
      "frames per second that the server samples from a video; default: the server's own rate",
    )
    .meta(settingMeta({ flag: "video-fps", caller: true, added: true })),
  video_frames: z
    .int()
    .min(1)
    .max(4096)
    .nullable()
    .default(null)
    .describe(
      "most frames that the server samples from a video (vLLM); default: the server's own number",
    )
    .meta(settingMeta({ flag: "video-frames", caller: true, added: true })),
  video_max_pixels: z
    .int()
    .min(256)
    .max(33_554_432)
    .nullable()
    .default(null)
    .describe(
      "largest area of a frame that the server samples from a video, in pixels (vLLM with Qwen)",
    )
    .meta(settingMeta({ flag: "video-max-pixels", caller: true, added: true })),
  video_resolution: z
    .enum(VIDEO_RESOLUTIONS)
    .nullable()
    .default(null)
    .describe("tokens that Gemini uses per frame of a video; default: Gemini's own choice")
    .meta(settingMeta({ flag: "video-resolution", caller: true, added: true })),
  subtitles: z
    .enum(SUBTITLE_MODES)
    .nullable()
    .default(null)
    .describe(
      "subtitles, or transcribed speech, in the prompt: none, those at the frames, all, or search results for the question",
    )
    .meta(settingMeta({ flag: "subtitles", caller: true })),
  transcriber: z
    .string()
    .nullable()
    .default(null)
    .describe(
      "engine that transcribes speech, such as provider:model openai:whisper-1; default: none, and no sound is sent anywhere",
    )
    .meta(settingMeta({ flag: "transcriber", role: "transcriber", added: true })),
  speech: z
    .enum(SPEECH_MODES)
    .default("auto")
    .describe(
      "use of --transcriber: for videos without subtitles, for all videos (instead of their subtitles), or never",
    )
    .meta(settingMeta({ flag: "speech", caller: true, added: true })),
  speech_language: z
    .string()
    .regex(/^[a-z]{2,3}(?:-[a-zA-Z0-9]{2,8})?$/, {
      error:
        "a code of a language with two or three letters, such as en or de, or with a region, such as pt-BR",
    })
    .nullable()
    .default(null)
    .describe(
      "language that is spoken, such as en or de, for the engine of --transcriber; default: the engine detects it",
    )
    .meta(settingMeta({ flag: "speech-language", caller: true, added: true })),
  ocr: z
    .enum(OCR_MODES)
    .nullable()
    .default(null)
    .describe("text on screen: not read, by tesseract, or by the model")
    .meta(settingMeta({ flag: "ocr", caller: true })),
  ocr_language: z
    .string()
    .refine((given) => parseOcrLanguages(given) !== null, { error: OCR_LANGUAGES_EXPECTED })
    .nullable()
    .default(null)
    .describe(
      "languages of the text on screen that tesseract reads, such as deu, chi_sim or eng+fra; default: eng",
    )
    .meta(settingMeta({ flag: "ocr-language", caller: true, added: true })),
  ocr_data: z
    .string()
    .nullable()
    .default(null)
    .describe("folder with tesseract data, such as deu.traineddata; default: installed packages")
    .meta(settingMeta({ flag: "ocr-data", added: true })),
});

/** Whether speech is transcribed where it is wanted. */
export function hearsSpeech({
  transcriber,
  speech,
}: Pick<z.infer<typeof Recognition>, "transcriber" | "speech">): boolean {
  return transcriber !== null && speech !== "off";
}

/** How a server samples a video, as far as it is set. */
export interface VideoSampling {
  /** Frames per second. */
  fps?: number;
  /** Most frames. */
  frames?: number;
  /** Largest area of a frame in pixels. */
  max_pixels?: number;
  resolution?: (typeof VIDEO_RESOLUTIONS)[number];
}

/** The `video_*` settings that are set; null if none is. */
export function videoSampling(recognition: z.infer<typeof Recognition>): VideoSampling | null {
  const given = Object.entries({
    fps: recognition.video_fps,
    frames: recognition.video_frames,
    max_pixels: recognition.video_max_pixels,
    resolution: recognition.video_resolution,
  }).filter(([, value]) => value !== null);
  return given.length === 0 ? null : Object.fromEntries(given);
}
