import { Generation } from "../core/settings/generation.ts";
import type { Settings } from "../core/settings.ts";
import type { SettingProblem } from "./define-provider.ts";

/** Settings of generation whose name in a request body is their own. */
export type BodySetting = "top_p" | "top_k" | "reasoning_effort";

/**
 * A member of an extra body that has a flag, which runs record and reports show; null: there is none. A value that the
 * flag does not take may stay: a server may know more values.
 */
export function flaggedMember(
  extraBody: Settings["generation"]["extra_body"],
  settings: readonly BodySetting[],
): SettingProblem | null {
  const name = settings.find((setting) => {
    const value = extraBody?.[setting];
    return value != null && Generation.shape[setting].safeParse(value).success;
  });
  if (name === undefined) return null;
  return {
    flag: "extra-body",
    why: `it sets \`${name}\`; use \`--${name.replaceAll("_", "-")}\`.`,
  };
}
