import { Failure } from "../../src/core/errors.ts";
import { hearsSpeech, type Settings } from "../../src/core/settings.ts";
import type { ModelsOptions } from "../../src/models/models.ts";
import type { KeyPlace } from "../../src/models/target.ts";
import { transcriberTarget } from "../../src/models/transcribe.ts";
import { commandTranscriber } from "./command-transcriber.ts";
import { modelTranscriber } from "./model-transcriber.ts";
import type { Transcriber } from "./transcriber.ts";
import {
  identifyCommand,
  isTranscriberCommand,
  parseTranscriberCommand,
  TRANSCRIBER_EXAMPLE,
} from "./transcriber-command.ts";

/** The engine that `recognition.transcriber` names; null if none is named, or speech is off. */
export function createTranscriber(options: ModelsOptions): Transcriber | null {
  const { recognition, runtime } = options.settings;
  const { transcriber } = recognition;
  if (transcriber === null || !hearsSpeech(recognition)) return null;
  return isTranscriberCommand(transcriber)
    ? commandTranscriber(transcriber, {
        timeout_s: runtime.call_timeout_s,
        language: recognition.speech_language,
      })
    : modelTranscriber(options);
}

/**
 * Checks the engine that the settings name, without any request; with keys elsewhere, its program is there too. Throws `Failure` `unknown-model`, `missing-key`,
 * `wrong-setting`.
 */
export function checkTranscriber(settings: Settings, keys: KeyPlace = "here"): void {
  const { transcriber, speech_language } = settings.recognition;
  if (transcriber === null || !hearsSpeech(settings.recognition)) return;
  if (!transcriber.includes(":"))
    throw new Failure(
      "wrong-setting",
      `Invalid --transcriber ${JSON.stringify(transcriber)}: use provider:model, for example openai:whisper-1, or a program, for example "${TRANSCRIBER_EXAMPLE}".`,
      { given: transcriber },
    );
  if (!isTranscriberCommand(transcriber)) transcriberTarget(settings, keys);
  else {
    const command = parseTranscriberCommand(transcriber, speech_language);
    if (keys === "here") identifyCommand(command);
  }
}
