import { defineProvider } from "../../define-provider.ts";
import type { MediaRules } from "../../media-support.ts";
import { openaiBatches } from "./batches.ts";
import { openaiEmbeddings } from "./embeddings.ts";
import { openaiGenerationProblem } from "./generation.ts";
import { openaiTranscription } from "./transcription.ts";

const MB = 2 ** 20;
const HOME = "https://api.openai.com/v1";

/** OpenAI's chat completions take no video; sound is wav or mp3 inside the request. */
const OPENAI_MEDIA: MediaRules = {
  video: false,
  request: null,
  largest: { video: 0, audio: 20 * MB },
  uploads: false,
  types: null,
};

/** vLLM and similar servers: `video_url` as a data URL, whose size is limited by the length of a string. */
const COMPATIBLE_MEDIA: MediaRules = {
  video: true,
  request: null,
  largest: { video: 256 * MB, audio: 20 * MB },
  uploads: false,
  types: null,
};

/** OpenAI, and every server that speaks its protocol: vLLM, Ollama, llama.cpp, LM Studio, OpenRouter. */
export const openai = defineProvider({
  name: "openai",
  title: "OpenAI",
  example: "openai:gpt-4.1",
  server: {
    home: HOME,
    variable: "OPENAI_BASE_URL",
    isCompatible: true,
    hint: "it usually ends in /v1",
  },
  key: { variables: ["OPENAI_API_KEY"], header: "authorization" },
  chat: async (target) => (await import("./client.ts")).openaiClient(target),
  batch: openaiBatches,
  embeddings: { model: "text-embedding-3-small", batch: 100, embed: openaiEmbeddings },
  transcribe: openaiTranscription,
  // Text and image tokens, as published in September 2025.
  prices: {
    "gpt-4o": { input: 2.5, cached_input: 1.25, output: 10 },
    "gpt-4o-mini": { input: 0.15, cached_input: 0.075, output: 0.6 },
    "gpt-4.1": { input: 2, cached_input: 0.5, output: 8 },
    "gpt-4.1-mini": { input: 0.4, cached_input: 0.1, output: 1.6 },
    "gpt-4.1-nano": { input: 0.1, cached_input: 0.025, output: 0.4 },
    "text-embedding-3-small": { input: 0.02, output: 0 },
    "text-embedding-3-large": { input: 0.13, output: 0 },
    // Of the models that are billed by tokens, OpenAI's own estimate per minute.
    "whisper-1": { input: 0, output: 0, minute: 0.006 },
    "gpt-4o-transcribe": { input: 2.5, output: 10, minute: 0.006 },
    "gpt-4o-transcribe-diarize": { input: 2.5, output: 10, minute: 0.006 },
    "gpt-4o-mini-transcribe": { input: 1.25, output: 5, minute: 0.003 },
  },
  media: ({ baseUrl }) => (baseUrl === HOME ? OPENAI_MEDIA : COMPATIBLE_MEDIA),
  samplingProblem: ({ resolution }) =>
    resolution === undefined
      ? null
      : "`--video-resolution`, which only Gemini has. Use `--video-max-pixels`",
  generationProblem: openaiGenerationProblem,
});
