import type { VideoSampling } from "../core/settings.ts";
import type { Medium } from "./chat.ts";
import type { Provider } from "./name.ts";

/*
 * Tokens of a second of video and of sound, by Gemini's documentation ("Video understanding", "Audio understanding"):
 * one frame a second unless another rate is asked for, 258 tokens a frame and 66 at low resolution; 32 tokens a second of
 * sound. OpenAI-compatible servers count by model and setting, which is not known here.
 */
const FRAME_TOKENS = { low: 66, medium: 258, high: 258 } as const;
const USUAL_FPS = 1;
const SOUND_TOKENS = 32;

/**
 * Input tokens that a medium will cost. A video counts with its sound, which Gemini hears along.
 * Null where the provider does not document it, or the length is not known.
 */
export function mediaTokens(
  provider: Provider,
  { type, seconds }: Pick<Medium, "type" | "seconds">,
  sampling: VideoSampling = {},
): number | null {
  if (provider !== "google-genai" || seconds === undefined) return null;
  const sound = seconds * SOUND_TOKENS;
  if (type === "audio") return Math.ceil(sound);
  const { fps = USUAL_FPS, resolution = "medium" } = sampling;
  return Math.ceil(Math.max(1, seconds * fps) * FRAME_TOKENS[resolution] + sound);
}
