import { hearsSpeech, type Settings } from "../../src/core/settings.ts";
import type { ModelsOptions } from "../../src/models/models.ts";
import { transcriberTarget } from "../../src/models/transcribe.ts";
import { modelTranscriber } from "./model-transcriber.ts";
import type { Transcriber } from "./transcriber.ts";

/** The engine that `recognition.transcriber` names; null if none is named, or speech is off. */
export function createTranscriber(options: ModelsOptions): Transcriber | null {
  const { recognition } = options.settings;
  return hearsSpeech(recognition) ? modelTranscriber(options) : null;
}

/**
 * Checks the engine that the settings name, without any request. Throws `Failure` `unknown-model`, `missing-key`,
 * `wrong-setting`.
 */
export function checkTranscriber(settings: Settings): void {
  if (hearsSpeech(settings.recognition)) transcriberTarget(settings);
}
