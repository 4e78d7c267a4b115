import {
  defaultsOf,
  isReadBy,
  listSettings,
  type ResolvedSettings,
  resolveSettings,
  type Setting,
  type Settings,
  type TaskDefaults,
  valueAt,
} from "../src/core/settings.ts";
import type { Task } from "../src/core/shapes.ts";
import { embedderOf } from "../src/models/name.ts";
import type { Wording } from "./wording.ts";

/*
 * The settings of one question with every default filled in: the strategy's, those that the wording decides, and the
 * model for embeddings, which follows from the provider. A run stores these defaults and continues with them.
 */

/** The defaults for settings that are not set, by path. */
export function questionDefaults(settings: Settings, task: Task, wording: Wording): TaskDefaults {
  return { ...defaultsOf(settings, task), ...defaultsInContext(settings, wording) };
}

/**
 * Fills in the defaults. Throws as `resolveSettings`.
 *
 * @param kept the defaults that an earlier run stored; an older run stored only the strategy's own
 */
export function resolveQuestion(
  settings: Settings,
  task: Task,
  wording: Wording,
  kept?: TaskDefaults,
): ResolvedSettings {
  const defaults =
    kept === undefined
      ? questionDefaults(settings, task, wording)
      : { ...defaultsInContext(settings, wording), ...kept };
  return resolveSettings(settings, task, defaults);
}

/** The defaults that do not depend on the strategy, for the settings that it reads. */
export function defaultsInContext(settings: Settings, wording: Wording): TaskDefaults {
  return Object.fromEntries(
    settingsInContext().flatMap((setting): [string, unknown][] => {
      const { path, byWording } = setting;
      if (!isReadBy(setting, settings.strategy) || valueAt(settings, path) != null) return [];
      if (byWording !== null) return [[path, byWording(wording)]];
      return [[path, embedderOf(settings) ?? "off"]];
    }),
  );
}

let chosen: { of: readonly Setting[]; settings: Setting[] } | undefined;

/** The few settings that have such defaults. */
function settingsInContext(): readonly Setting[] {
  const of = listSettings();
  if (chosen?.of !== of) {
    const settings = of.filter(({ byWording, role }) => byWording !== null || role === "embedder");
    chosen = { of, settings };
  }
  return chosen.settings;
}
