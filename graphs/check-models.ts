import type { Role } from "../src/core/events.ts";
import type { Settings } from "../src/core/settings.ts";
import { chatTarget } from "../src/models/chat-target.ts";
import { checkMedia } from "../src/models/media-rules.ts";
import { embedderOf } from "../src/models/name.ts";
import { findTarget } from "../src/models/target.ts";
import { strategies } from "./define-strategy.ts";

/** The roles of models that a question of these settings may call. */
export function rolesOf(settings: Settings): Role[] {
  const { roles, usesRole } = strategies.get(settings.strategy);
  return roles.filter((role) => usesRole?.(role, settings) ?? true);
}

/** Those of them whose calls count towards a limit of dollars. */
export function billedRoles(settings: Settings): Role[] {
  return rolesOf(settings).filter((role) => role !== "embedder");
}

/** The roles that are called over given evidence, without recognition or search. */
export function rolesOverEvidence(settings: Settings): Role[] {
  return rolesOf(settings).filter((role) => role === "reasoner");
}

/**
 * Checks the models that a command will call, by default those that answer a question, without any request. Call it
 * before a video, a store or a folder is opened. Throws `Failure` `unknown-model`, `missing-key`, or `wrong-setting`
 * for media or a setting of generation that the provider of a model does not accept.
 */
export function checkModels(settings: Settings, roles: Iterable<Role> = rolesOf(settings)): void {
  const called = [...roles];
  for (const role of called) {
    if (role !== "embedder") {
      chatTarget(settings, role);
      continue;
    }
    const embedder = embedderOf(settings);
    if (embedder !== null) findTarget(embedder, settings.runtime);
  }
  // A verifier and an embedder are sent no video.
  const shown = called.filter((role) => role !== "verifier" && role !== "embedder");
  checkMedia(settings, shown);
}
