import { z } from "zod";
import type { StrategyDefinition } from "../../../graphs/define-strategy.ts";
import {
  isSharedGroup,
  listSettings,
  settingSchema,
  settingsOfGroup,
} from "../../core/settings.ts";

/**
 * The reason why a strategy's own groups of settings cannot be used, as a clause; null if they can. A setting or flag that
 * already exists would make every command fail, unless both strategies declare the same member.
 */
export function problemWithSettings({ settings = {} }: StrategyDefinition): string | null {
  const flags = new Map(listSettings().map(({ flag, path }) => [flag, path]));
  for (const [group, schema] of Object.entries(settings)) {
    if (isSharedGroup(group) || !/^[a-z][a-z0-9_]*$/.test(group))
      return `invalid setting group ${JSON.stringify(group)}: use lower-case letters, digits and underscores, and a name that no shared group has`;
    if (!(schema instanceof z.ZodObject))
      return `invalid setting group ${group}: use z.strictObject({ ... }) of zod 4`;
    for (const { path, flag, type } of settingsOfGroup(group, schema)) {
      const known = settingSchema(path);
      if (known === type) continue;
      if (known !== undefined)
        return `invalid setting ${path}: another strategy has it, so choose another name`;
      const taken = flags.get(flag);
      if (taken !== undefined)
        return `invalid flag --${flag} of its setting ${path}: ${taken} has it, so choose another with .meta({ flag: "..." })`;
      if (!type.safeParse(undefined).success)
        return `its setting ${path} has no default: add .default(...)`;
      flags.set(flag, path);
    }
  }
  return null;
}
