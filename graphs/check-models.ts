import type { Role } from "../src/core/events.ts";
import type { Settings, Strategy } from "../src/core/settings.ts";
import { checkMedia } from "../src/models/media-rules.ts";
import { embedderOf } from "../src/models/name.ts";
import { chatTarget } from "../src/models/roles.ts";
import { findTarget } from "../src/models/target.ts";

const ROLES: Record<Strategy, readonly Role[]> = {
  direct: ["reasoner"],
  blind: ["reasoner"],
  "key-frame": ["reasoner"],
  rrd: ["recogniser", "reasoner"],
  agent: ["recogniser", "reasoner", "verifier", "embedder"],
  extractive: [],
  random: [],
};

/** The roles of models that a question of these settings may call. */
export function rolesOf({ strategy, search }: Settings): Role[] {
  return ROLES[strategy].filter((role) => role !== "verifier" || search.verify);
}

/** The same where evidence is given, so that nothing is recognised or searched. */
export function rolesOverEvidence(settings: Settings): Role[] {
  return rolesOf(settings).filter((role) => role === "reasoner");
}

/**
 * Checks the models that a command will call, by default those that answer a question, without any request. To be
 * called before a video, a store or a folder is opened.
 * Throws `Failure` `unknown-model`, `missing-key`, or `wrong-setting` for media or a setting of generation that the
 * provider of a model does not take.
 */
export function checkModels(settings: Settings, roles: Iterable<Role> = rolesOf(settings)): void {
  for (const role of roles) {
    if (role !== "embedder") {
      chatTarget(settings, role);
      continue;
    }
    const embedder = embedderOf(settings);
    if (embedder !== null) findTarget(embedder, settings.runtime);
  }
  checkMedia(settings);
}
