import type { Role } from "../events.ts";
import { hashOf } from "../hash.ts";
import type { Task } from "../shapes.ts";
import { listSettings, setValueAt, valueAt } from "./list-settings.ts";
import type { Settings } from "./schema.ts";
import { SHARED_DEFAULTS, settingsReaders, type TaskDefaults } from "./strategies.ts";

/** Settings that no stage finds unset. */
type DefaultedPath = "recognition.ocr" | "recognition.subtitles" | "recognition.input";
type WithDefaults<Group extends keyof Settings & string> = {
  [Name in keyof Settings[Group]]: `${Group}.${Name & string}` extends DefaultedPath
    ? NonNullable<Settings[Group][Name]>
    : Settings[Group][Name];
};

/** Settings with the strategy's defaults for a task filled in: what stages read. */
export type ResolvedSettings = Omit<Settings, "recognition"> & {
  recognition: WithDefaults<"recognition">;
};

/**
 * Fills in what the strategy of the settings takes for those that are not set. To be called once for a question, at
 * the border.
 *
 * @param kept the defaults that an earlier run began with; default: those of today
 */
export function resolveSettings(
  settings: Settings,
  task: Task,
  kept: TaskDefaults = defaultsOf(settings, task),
): ResolvedSettings {
  const resolved = structuredClone(settings);
  for (const [path, value] of Object.entries({ ...SHARED_DEFAULTS, ...kept }))
    if (valueAt(resolved, path) == null) setValueAt(resolved, path.split("."), value);
  return resolved as ResolvedSettings;
}

/** Values by path that the strategy takes for settings that are not set; to be kept with a run. */
export function defaultsOf(settings: Settings, task: Task): TaskDefaults {
  const chosen = { ...SHARED_DEFAULTS, ...settingsReaders.get(settings.strategy).defaults?.(task) };
  const unset = (path: string) => valueAt(settings, path) == null;
  return Object.fromEntries(Object.entries(chosen).filter(([path]) => unset(path)));
}

/**
 * Tokens that a reply of this role is expected to have, which a budget reserves before the call: the role's own setting,
 * else the one for all roles, else a quarter of `maxTokens`; never more than `maxTokens`.
 */
export function expectedOutput(
  settings: Pick<Settings, "budget">,
  role: Role,
  maxTokens: number,
): number {
  const setting = listSettings().find(({ reserves }) => reserves === role);
  const own = setting === undefined ? null : valueAt(settings, setting.path);
  const tokens = typeof own === "number" ? own : settings.budget.expected_output;
  return Math.min(maxTokens, tokens ?? Math.ceil(maxTokens / 4));
}

/**
 * What results depend on: all but `runtime`. Settings that came later count only where they are set, so that the runs
 * of before keep their names.
 */
export function settingsHash(settings: Settings): string {
  const { runtime: _runtime, ...rest } = structuredClone(settings) as Partial<Settings>;
  for (const { path, added, default: unset } of listSettings())
    if (added && valueAt(rest, path) === unset) drop(rest, path);
  return hashOf(rest);
}

/** Removes a leaf, and its group where nothing else is left in it. */
function drop(settings: Record<string, unknown>, path: string): void {
  const [group = "", name] = path.split(".");
  const members = settings[group];
  if (name === undefined) delete settings[group];
  else if (typeof members === "object" && members !== null) {
    Reflect.deleteProperty(members, name);
    if (Object.keys(members).length === 0) delete settings[group];
  }
}
