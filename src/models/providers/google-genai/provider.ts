import { defineProvider } from "../../define-provider.ts";
import type { MediaRules } from "../../media-support.ts";
import { geminiBatches } from "./batches.ts";
import { geminiEmbeddings } from "./embeddings.ts";
import { geminiFiles } from "./files.ts";
import { geminiGenerationProblem } from "./generation.ts";
import { geminiName } from "./model-path.ts";

const MB = 2 ** 20;

/** Gemini's "Video understanding" and "Files API": 20 MB inside a request, 2 GB per file. */
const GEMINI_MEDIA: MediaRules = {
  video: true,
  request: 20 * MB,
  largest: { video: 2048 * MB, audio: 2048 * MB },
  uploads: true,
  types: [
    "video/mp4",
    "video/mpeg",
    "video/quicktime",
    "video/x-msvideo",
    "video/x-flv",
    "video/webm",
    "video/x-ms-wmv",
    "video/3gpp",
  ],
};

/*
 * Tokens per second of video and of sound, by Gemini's documentation ("Video understanding", "Audio understanding"):
 * one frame per second unless another rate is set, 258 tokens per frame and 66 at low resolution; 32 tokens per second
 * of sound, also for the sound of a video.
 */
const FRAME_TOKENS = { low: 66, medium: 258, high: 258 } as const;
const DEFAULT_FPS = 1;
const SOUND_TOKENS = 32;

/** Gemini by Google's Generative Language API. */
export const googleGenai = defineProvider({
  name: "google-genai",
  title: "Gemini",
  example: "google-genai:gemini-2.5-flash",
  server: { home: "https://generativelanguage.googleapis.com" },
  key: { variables: ["GOOGLE_API_KEY", "GEMINI_API_KEY"], header: "x-goog-api-key" },
  modelName: geminiName,
  chat: async (target) => (await import("./client.ts")).googleClient(target),
  embeddings: { model: "gemini-embedding-001", batch: 100, embed: geminiEmbeddings },
  files: geminiFiles,
  batch: geminiBatches,
  // As published in September 2025; surcharges for long prompts (gemini-2.5-pro above 200,000 tokens) are not included.
  // Sound is priced as text, although it costs more with some models.
  prices: {
    "gemini-2.0-flash": { input: 0.1, cached_input: 0.025, output: 0.4 },
    "gemini-2.5-flash": { input: 0.3, cached_input: 0.075, output: 2.5 },
    "gemini-2.5-pro": { input: 1.25, cached_input: 0.31, output: 10 },
    "gemini-embedding-001": { input: 0.15, output: 0 },
  },
  media: () => GEMINI_MEDIA,
  mediaTokens({ type, seconds }, { fps = DEFAULT_FPS, resolution = "medium" }) {
    const sound = seconds * SOUND_TOKENS;
    if (type === "audio") return Math.ceil(sound);
    return Math.ceil(Math.max(1, seconds * fps) * FRAME_TOKENS[resolution] + sound);
  },
  samplingProblem({ frames, max_pixels }) {
    if (frames !== undefined) return "`--video-frames`: Gemini samples by rate. Use `--video-fps`";
    if (max_pixels === undefined) return null;
    return "`--video-max-pixels`: Gemini has no such limit. Use `--video-resolution`";
  },
  generationProblem: geminiGenerationProblem,
});
