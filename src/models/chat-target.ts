import type { Role } from "../core/events.ts";
import type { Settings } from "../core/settings.ts";
import { checkPackage } from "./check-package.ts";
import { checkGeneration } from "./generation.ts";
import { modelOf } from "./name.ts";
import { findTarget, type KeyPlace, type Target } from "./target.ts";

/**
 * The model of a role that chats, where it is served, and with which key. Throws `Failure` `unknown-model`, `missing-key`,
 * `package-missing`, or `wrong-setting` for a setting of generation that its provider does not take.
 */
export function chatTarget(
  settings: Settings,
  role: Role,
  env: NodeJS.ProcessEnv = process.env,
  keys: KeyPlace = "here",
): Target {
  const target = findTarget(modelOf(settings, role), settings.runtime, env, keys);
  checkPackage(target);
  checkGeneration(target, settings);
  return target;
}
