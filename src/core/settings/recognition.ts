import { z } from "zod";
import { leaf, RRD, SEES } from "./leaf.ts";

export const SAMPLERS = ["ends", "midpoints", "fps", "fps-else-N", "times", "range"] as const;
export const RECOGNITION_MODES = ["all-at-once", "sequential"] as const;
export const RECOGNITION_INPUTS = ["whole-video", "clip"] as const;
export const SUBTITLE_MODES = ["off", "aligned", "full", "retrieved"] as const;
export const OCR_MODES = ["off", "tesseract", "model"] as const;

/** What is looked at and read before anything is reasoned. */
export const Recognition = z.strictObject({
  model: z
    .string()
    .nullable()
    .default(null)
    .describe("model that recognises; default: --model")
    .meta(leaf({ flag: "recogniser", strategies: RRD })),
  mode: z
    .enum(RECOGNITION_MODES)
    .default("sequential")
    .describe("captions in one call, or one call a clip")
    .meta(leaf({ flag: "recognition", strategies: RRD })),
  input: z
    .enum(RECOGNITION_INPUTS)
    .nullable()
    .default(null)
    .describe(
      "frames of the whole video (the paper's) or chosen clip by clip; none: clip for `rrd`, the whole video for `direct`",
    )
    .meta(leaf({ flag: "recognition-input", strategies: ["direct", "rrd", "agent"] })),
  sampler: z
    .enum(["ends", "midpoints", "fps", "fps-else-N"])
    .default("ends")
    .describe("how frames are chosen")
    .meta(leaf({ flag: "sampler", strategies: SEES })),
  frames: z
    .int()
    .min(1)
    .max(2048)
    .default(32)
    .describe("frames a video (N of the samplers); a clip gets its even share, at least 4")
    .meta(leaf({ flag: "frames", strategies: ["direct", "rrd", "agent"] })),
  fps: z
    .number()
    .positive()
    .max(60)
    .default(1)
    .describe("frames a second, for the samplers `fps` and `fps-else-N`")
    .meta(leaf({ flag: "fps", strategies: ["direct", "rrd", "agent"] })),
  max_side: z
    .int()
    .min(16)
    .max(8192)
    .nullable()
    .default(768)
    .describe("longest side of a frame in pixels; null: as it is")
    .meta(leaf({ flag: "max-side", strategies: SEES })),
  max_area: z
    .int()
    .min(256)
    .max(33_554_432)
    .nullable()
    .default(null)
    .describe("largest area of a frame in pixels; null: any")
    .meta(leaf({ flag: "max-area", strategies: SEES })),
  quality: z
    .int()
    .min(1)
    .max(100)
    .default(85)
    .describe("JPEG quality of the frames sent")
    .meta(leaf({ flag: "quality", strategies: SEES })),
  media: z
    .enum(["frames", "video"])
    .default("frames")
    .describe("send frames, or the video file itself where the provider takes it")
    .meta(leaf({ flag: "media", strategies: ["direct"] })),
  audio: z
    .boolean()
    .default(false)
    .describe("send the sound along where the provider takes it")
    .meta(leaf({ flag: "audio", strategies: ["direct"] })),
  subtitles: z
    .enum(SUBTITLE_MODES)
    .nullable()
    .default(null)
    .describe(
      "subtitles in the prompt: none, those at the frames, all, or those found for the question; not given: `retrieved` for choice and open questions of `rrd`, else off",
    )
    .meta(leaf({ flag: "subtitles", strategies: ["direct", "rrd", "agent"] })),
  ocr: z
    .enum(OCR_MODES)
    .nullable()
    .default(null)
    .describe(
      "text on screen: not read, by tesseract, or by the model; not given: tesseract for `extractive` and for choice and open questions of `rrd`, else off",
    )
    .meta(leaf({ flag: "ocr", strategies: ["rrd", "agent", "extractive"] })),
});
