import { z } from "zod";
import { Failure } from "../errors.ts";
import { type Settings, SharedSettings } from "./schema.ts";
import { settingMeta } from "./setting-meta.ts";
import { defaultStrategy, settingsReaders } from "./strategies.ts";

/** The complete schema: shared settings and the groups of each strategy. */
export interface SettingsSchema {
  schema: z.ZodObject;
  /** Name of a group -> name of the strategy that it belongs to. */
  owners: ReadonlyMap<string, string>;
}

let made: SettingsSchema | undefined;
let madeOf = 0;

/** Rebuilt after a strategy was added. Throws `Failure` `wrong-usage` without strategies, or if two declare the same group. */
export function settingsSchema(): SettingsSchema {
  const readers = settingsReaders.all();
  if (made !== undefined && madeOf === readers.length) return made;
  if (readers.length === 0)
    throw new Failure(
      "wrong-usage",
      "No strategy is registered. Import src/app/registry.ts, or add one with `strategies.add`.",
    );
  const owners = new Map<string, string>();
  const own: Record<string, z.ZodType> = {};
  for (const { name, settings = {} } of readers)
    for (const [group, schema] of Object.entries(settings)) {
      if (group in SharedSettings || owners.has(group))
        throw new Failure(
          "wrong-usage",
          `Cannot add the setting group ${group} of the strategy ${name}: the name is in use.`,
          { name, group },
        );
      owners.set(group, name);
      own[group] = schema.prefault({});
    }
  const { strategy, budget, runtime, ...shared } = SharedSettings;
  const names = readers.map((reader) => reader.name) as [string, ...string[]];
  const schema = z.strictObject({
    strategy: z
      .enum(names)
      .default(defaultStrategy("without-model") ?? names[0])
      .describe(strategy.description ?? "")
      .meta(settingMeta({ flag: "strategy", common: true, caller: true })),
    ...shared,
    ...own,
    budget,
    runtime,
  });
  madeOf = readers.length;
  made = { schema, owners };
  return made;
}

/** Settings from a header or file, with defaults filled in; null if they are incomplete or invalid. */
export function storedSettings(stored: unknown): Settings | null {
  const read = settingsSchema().schema.safeParse(stored);
  return read.success ? (read.data as Settings) : null;
}

/** Top-level names of the settings: `strategy`, `seed`, `model` and the groups. */
export function settingGroups(): string[] {
  return Object.keys(settingsSchema().schema.shape);
}

/**
 * A typed view of a group that belongs to one strategy.
 *
 * @example
 * const thinkingSettings = ownSettings("thinking", z.strictObject({ rounds: z.int().default(2) }));
 * thinkingSettings(context.settings).rounds;
 */
export function ownSettings<Group extends z.ZodObject>(
  name: string,
  schema: Group,
): (settings: object) => z.infer<Group> {
  return (settings) => schema.parse((settings as { [group: string]: unknown })[name] ?? {});
}
