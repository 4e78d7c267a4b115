/*
 * Settings that strategies read for the same reason, for `reads` of their definitions.
 */

/** It calls a model. */
export const CALLS_MODEL = [
  "model",
  "generation",
  "budget",
  "reasoning.temperature",
  "reasoning.max_tokens",
] as const;

/** It sends frames. */
export const SENDS_FRAMES = [
  "recognition.sampler",
  "recognition.max_side",
  "recognition.max_area",
  "recognition.quality",
] as const;

/** It sends as many frames as the settings ask for, of the whole video or of each clip. */
export const SAMPLES_VIDEO = [
  "recognition.input",
  "recognition.frames",
  "recognition.fps",
] as const;

/** It can send the video itself, or a clip of it. */
export const SENDS_VIDEO = [
  "recognition.media",
  "recognition.audio",
  "recognition.video_fps",
  "recognition.video_frames",
  "recognition.video_max_pixels",
  "recognition.video_resolution",
] as const;

/** It uses subtitles, or speech that is transcribed. */
export const HEARS = [
  "recognition.subtitles",
  "recognition.transcriber",
  "recognition.speech",
  "recognition.speech_language",
] as const;

/** It sends frames or the video with the question in one call. */
export const ASKS_WITH_VIDEO = [
  ...CALLS_MODEL,
  ...SENDS_FRAMES,
  ...SAMPLES_VIDEO,
  ...SENDS_VIDEO,
  "recognition.message_order",
  "recognition.frame_labels",
  ...HEARS,
  "reasoning.cot",
] as const;

/** It reads the text on screen. */
export const READS_TEXT = [
  "recognition.ocr",
  "recognition.ocr_language",
  "recognition.ocr_data",
] as const;

/** It recognises first, with one model, and then reasons over what was recognised, maybe with another. */
export const DECOMPOSES = [
  "recognition.model",
  "recognition.expected_output",
  "recognition.mode",
  "recognition.replies",
  "recognition.segments",
  "reasoning.model",
  "reasoning.expected_output",
  "reasoning.method",
  "reasoning.votes",
  "reasoning.input",
  "reasoning.mathematics",
] as const;

/** It calls tools, those of the operator's MCP servers too. */
export const CALLS_TOOLS = ["runtime.mcp"] as const;
