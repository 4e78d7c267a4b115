import { z } from "zod";
import { Failure } from "../errors.ts";
import { registryRevision } from "../registry.ts";
import { type Settings, SharedSettings } from "./schema.ts";
import { settingMeta } from "./setting-meta.ts";
import { defaultStrategy, settingsReaders } from "./strategies.ts";

/** The complete schema: shared settings and the groups of each strategy. */
export interface SettingsSchema {
  schema: z.ZodObject;
  /** Path of a setting that belongs to strategies -> their names. */
  owners: ReadonlyMap<string, readonly string[]>;
}

let made: SettingsSchema | undefined;
let madeOf: readonly unknown[] = [];
let madeAt = -1;

/**
 * Rebuilt after a strategy was added, or a tool that a strategy lists in its settings.
 * Strategies share a setting by declaring the same member of a group. Throws `Failure`
 * `wrong-usage` without strategies, or if two declare different settings under one name.
 */
export function settingsSchema(): SettingsSchema {
  const revision = registryRevision();
  if (made !== undefined && madeAt === revision) return made;
  const readers = settingsReaders.all();
  const of = readers.flatMap(({ name, settings = {} }) => [name, ...Object.values(settings)]);
  if (
    made !== undefined &&
    of.length === madeOf.length &&
    of.every((one, n) => one === madeOf[n])
  ) {
    madeAt = revision;
    return made;
  }
  if (readers.length === 0)
    throw new Failure(
      "wrong-usage",
      "No strategy is registered. Import src/app/registry.ts, or add one with `strategies.add`.",
    );
  const owners = new Map<string, string[]>();
  const groups = new Map<string, Record<string, z.ZodType>>();
  for (const { name, settings = {} } of readers)
    for (const [group, { shape }] of Object.entries(settings)) {
      if (group in SharedSettings) throw inUse(name, group);
      const members = groups.get(group) ?? {};
      for (const [member, schema] of Object.entries(shape as Record<string, z.ZodType>)) {
        const path = `${group}.${member}`;
        if (members[member] !== undefined && members[member] !== schema) throw inUse(name, path);
        members[member] = schema;
        owners.set(path, [...(owners.get(path) ?? []), name]);
      }
      groups.set(group, members);
    }
  const own = Object.fromEntries(
    [...groups].map(([group, members]) => [group, z.strictObject(members).prefault({})]),
  );
  const { strategy, budget, runtime, ...shared } = SharedSettings;
  const names = readers.map((reader) => reader.name) as [string, ...string[]];
  const schema = z.strictObject({
    strategy: z
      .enum(names)
      .default(defaultStrategy("without-model") ?? names[0])
      .describe(strategy.description ?? "")
      .meta(settingMeta({ flag: "strategy", names: "strategy", common: true, caller: true })),
    ...shared,
    ...own,
    budget,
    runtime,
  });
  madeOf = of;
  madeAt = revision;
  made = { schema, owners };
  return made;
}

function inUse(strategy: string, name: string): Failure {
  return new Failure(
    "wrong-usage",
    `Cannot add the setting ${name} of the strategy ${strategy}: the name is in use.`,
    { strategy, name },
  );
}

/** Whether a group belongs to all strategies, so that none can bring one of this name. */
export function isSharedGroup(name: string): boolean {
  return name in SharedSettings;
}

/** The schema of a setting that strategies brought; undefined if none has it. */
export function settingSchema(path: string): z.ZodType | undefined {
  const [group = "", member = ""] = path.split(".");
  const { settings } =
    settingsReaders.all().find(({ settings }) => settings?.[group]?.shape[member] !== undefined) ??
    {};
  return settings?.[group]?.shape[member] as z.ZodType | undefined;
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
