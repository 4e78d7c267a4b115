import type { Role } from "../src/core/events.ts";
import { hearsSpeech, readsSetting, type Settings } from "../src/core/settings.ts";
import { chatTarget } from "../src/models/chat-target.ts";
import { checkMedia } from "../src/models/media-rules.ts";
import { embedderOf } from "../src/models/name.ts";
import { findTarget, type KeyPlace } from "../src/models/target.ts";
import { checkTranscriber } from "../tools/speech/create-transcriber.ts";
import { isTranscriberCommand } from "../tools/speech/transcriber-command.ts";
import { checkDataFolder } from "../tools/text/ocr/language-data.ts";
import { strategies } from "./define-strategy.ts";

/** Roles whose models are sent no video. */
const SENT_NO_VIDEO: ReadonlySet<Role> = new Set(["verifier", "embedder", "transcriber"]);

/** The roles of models that a question of these settings may call. */
export function rolesOf(settings: Settings): Role[] {
  const { strategy, recognition } = settings;
  const { roles, usesRole } = strategies.get(strategy);
  const used = roles.filter((role) => usesRole?.(role, settings) ?? true);
  const hears = hearsSpeech(recognition) && readsSetting(strategy, "recognition.transcriber");
  return hears ? [...used, "transcriber"] : used;
}

/** Those of them whose calls count towards a limit of dollars. */
export function billedRoles(settings: Settings): Role[] {
  const { transcriber } = settings.recognition;
  const isProgram = transcriber !== null && isTranscriberCommand(transcriber);
  return rolesOf(settings).filter(
    (role) => role !== "embedder" && !(role === "transcriber" && isProgram),
  );
}

/** The roles that are called over given evidence, without recognition or search. */
export function rolesOverEvidence(settings: Settings): Role[] {
  return rolesOf(settings).filter((role) => role === "reasoner");
}

/**
 * Checks the models that a command will call, by default those that answer a question, and the folder of `--ocr-data`,
 * without any request. Call it before a video, a store or a folder is opened. With `keys` elsewhere, another process calls
 * the models. Throws `Failure` `unknown-model`, `missing-key`, or `wrong-setting` for a missing folder, and for media or a
 * setting of generation that the provider of a model does not accept.
 */
export function checkModels(
  settings: Settings,
  roles: Iterable<Role> = rolesOf(settings),
  keys: KeyPlace = "here",
): void {
  const called = [...roles];
  const { ocr_data } = settings.recognition;
  // Another process that calls the models also reads the text.
  if (ocr_data !== null && keys === "here") checkDataFolder(ocr_data);
  for (const role of called) {
    if (role === "transcriber") {
      checkTranscriber(settings, keys);
      continue;
    }
    if (role !== "embedder") {
      chatTarget(settings, role, process.env, keys);
      continue;
    }
    const embedder = embedderOf(settings);
    if (embedder !== null) findTarget(embedder, settings.runtime, process.env, keys);
  }
  const shown = called.filter((role) => !SENT_NO_VIDEO.has(role));
  checkMedia(settings, shown);
}
