import type { Role } from "../events.ts";
import { hashOf } from "../hash.ts";
import type { Task } from "../shapes.ts";
import { listSettings, setValueAt, valueAt } from "./list-settings.ts";
import { hearsSpeech } from "./recognition.ts";
import type { Settings } from "./schema.ts";
import { checkTaskSettings } from "./segments.ts";
import { SHARED_DEFAULTS, settingsReaders, type TaskDefaults } from "./strategies.ts";

/** Where subtitles and speech are used. */
const SAID = "recognition.subtitles";

/** Settings that always have a value after `resolveSettings`. */
type DefaultedPath = "recognition.ocr" | "recognition.subtitles" | "recognition.input";
type WithDefaults<Group extends keyof Settings & string> = {
  [Name in keyof Settings[Group]]: `${Group}.${Name & string}` extends DefaultedPath
    ? NonNullable<Settings[Group][Name]>
    : Settings[Group][Name];
};

/** Settings with the strategy's defaults for a task filled in, as stages read them. */
export type ResolvedSettings = Omit<Settings, "recognition"> & {
  recognition: WithDefaults<"recognition">;
};

/**
 * Fills in the strategy's defaults for settings that are not set. Call it once per question, at the border. Throws
 * `Failure` `wrong-setting` for settings that do not fit the task.
 *
 * @param kept the defaults that an earlier run stored; default: the current ones
 */
export function resolveSettings(
  settings: Settings,
  task: Task,
  kept: TaskDefaults = defaultsOf(settings, task),
): ResolvedSettings {
  checkTaskSettings(settings, task);
  const resolved = withOwnGroups(settings);
  for (const [path, value] of Object.entries({ ...SHARED_DEFAULTS, ...kept }))
    if (valueAt(resolved, path) == null) setValueAt(resolved, path.split("."), value);
  return resolved as unknown as ResolvedSettings;
}

/** A copy whose groups can be changed; the values of their members are shared. */
function withOwnGroups(settings: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, group]) => [
      name,
      typeof group === "object" && group !== null ? { ...group } : group,
    ]),
  );
}

/** The strategy's defaults for settings that are not set, by path. A run stores them. */
export function defaultsOf(settings: Settings, task: Task): TaskDefaults {
  const chosen: Record<string, unknown> = {
    ...SHARED_DEFAULTS,
    ...settingsReaders.get(settings.strategy).defaults?.(task),
  };
  // Whoever names a transcriber wants its words to be used.
  if (chosen[SAID] === "off" && hearsSpeech(settings.recognition)) chosen[SAID] = "full";
  const unset = (path: string) => valueAt(settings, path) == null;
  return Object.fromEntries(Object.entries(chosen).filter(([path]) => unset(path)));
}

/**
 * Expected tokens of a reply of this role, which a budget reserves before the call: the role's own setting, else the
 * setting for all roles, else a quarter of `maxTokens`; at most `maxTokens`.
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
 * Hash of the settings that results depend on: all except `runtime`. Settings added later count only if they are set, so
 * that earlier runs keep their names.
 */
export function settingsHash(settings: Settings): string {
  const { runtime: _runtime, ...rest } = withOwnGroups(settings);
  for (const { path, added, default: unset } of listSettings())
    if (added && valueAt(rest, path) === unset) drop(rest, path);
  return hashOf(rest);
}

/** Removes a setting, and its group if it becomes empty. */
function drop(settings: Record<string, unknown>, path: string): void {
  const [group = "", name] = path.split(".");
  const members = settings[group];
  if (name === undefined) delete settings[group];
  else if (typeof members === "object" && members !== null) {
    Reflect.deleteProperty(members, name);
    if (Object.keys(members).length === 0) delete settings[group];
  }
}
