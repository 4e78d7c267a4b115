import { needsModel } from "../../graphs/define-strategy.ts";
import { storedSettings } from "../../src/core/settings.ts";
import { nameOf } from "../../src/models/name.ts";
import type { Results } from "./read-results.ts";

/** The reasoning model that the settings of a run name; null if no model is called, or if it is not known. */
export function settingsModel({ header }: Pick<Results, "header">): string | null {
  const settings = storedSettings(header?.settings);
  if (settings === null || header?.human_study !== undefined || !needsModel(settings.strategy))
    return null;
  return nameOf(settings, "reasoner");
}
