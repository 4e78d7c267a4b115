import type { Role } from "../../src/core/events.ts";
import type { Settings } from "../../src/core/settings.ts";
import { type MediaRules, mediaRules } from "../../src/models/media-rules.ts";
import { modelOf } from "../../src/models/name.ts";
import { findAddress } from "../../src/models/target.ts";

/** The video and sound that the server of a role's model accepts, and the model's name. */
export function rulesFor(role: Role, settings: Settings): { rules: MediaRules; name: string } {
  const name = modelOf(settings, role);
  return { rules: mediaRules(findAddress(name, settings.runtime.base_url)), name };
}
