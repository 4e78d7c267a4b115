import { z } from "zod";
import type { Role } from "../events.ts";
import type { DefinitionKind } from "../registry.ts";
import { TASKS, type Task } from "../shapes.ts";
import { type SettingsSchema, settingsSchema } from "./assemble.ts";
import type { SettingPath } from "./schema.ts";
import type { SettingMeta, WordingDefaults } from "./setting-meta.ts";
import { type SettingsReader, SHARED_DEFAULTS, settingsReaders } from "./strategies.ts";

/** One setting: its path, flag and values, and who may set it. */
export interface Setting {
  path: string;
  flag: string;
  description: string;
  default: unknown;
  /** Names of the strategies that read it; null: all strategies. */
  strategies: readonly string[] | null;
  /** Tasks whose questions read it; null: all tasks. */
  tasks: readonly Task[] | null;
  kind: "boolean" | "number" | "string" | "choice";
  choices: readonly string[] | null;
  /** Of a number: `a whole number from 1 to 2048`. */
  range: string | null;
  nullable: boolean;
  /** The role whose model it selects. */
  role: Role | "any" | null;
  /** The kind of definitions that its value names, for which the operator may give files; null: it names none. */
  names: DefinitionKind | null;
  /** The role for whose replies it sets the expected length. */
  reserves: Role | null;
  /** Its value if it is not set, by the wording of the question; null: the wording does not decide. */
  byWording: ((wording: WordingDefaults) => unknown) | null;
  added: boolean;
  /** Whether a request may set it; otherwise only the operator may. */
  caller: boolean;
  /** A limit, which a request can only lower. */
  ceiling: boolean;
  secret: boolean;
  repeats: boolean;
}

let made: { of: SettingsSchema; leaves: Setting[]; byPath: Map<string, Setting> } | undefined;

/** Every setting in the order of the schema. Flags, help, forms and grid axes derive from this list. */
export function listSettings(): readonly Setting[] {
  return listed().leaves;
}

function listed(): NonNullable<typeof made> {
  const of = settingsSchema();
  if (made?.of === of) return made;
  const leaves = leavesOf(of.schema, [], of);
  made = { of, leaves, byPath: new Map(leaves.map((setting) => [setting.path, setting])) };
  return made;
}

/** Whether a strategy reads the setting at a path. */
export function readsSetting(strategy: string, path: string): boolean {
  const setting = listed().byPath.get(path);
  return setting !== undefined && isReadBy(setting, strategy);
}

/** Whether a strategy reads a setting. */
export function isReadBy({ strategies }: Pick<Setting, "strategies">, strategy: string): boolean {
  return strategies === null || strategies.includes(strategy);
}

function leavesOf(schema: z.ZodObject, groups: string[], of: SettingsSchema): Setting[] {
  return Object.entries(schema.shape).flatMap(([name, member]) => {
    const type = member as z.ZodType;
    const { inner, nullable } = unwrap(type);
    if (inner instanceof z.ZodObject) return leavesOf(inner, [...groups, name], of);
    const meta: Partial<SettingMeta> = type.meta() ?? {};
    const path = [...groups, name].join(".");
    const owners = of.owners.get(path);
    const readers = readersOf(path, owners ?? []);
    return [
      {
        path,
        flag: flagOf(path, meta),
        description: `${meta.description ?? ""}${whenUnset(path, readers)}`,
        default: type.parse(undefined) ?? null,
        strategies: meta.common ? null : readers,
        tasks: meta.tasks ?? null,
        kind: kindOf(inner),
        choices: inner instanceof z.ZodEnum ? inner.options.map(String) : null,
        range: inner instanceof z.ZodNumber ? rangeOf(inner) : null,
        nullable,
        role: meta.role ?? null,
        names: meta.names ?? (meta.role === undefined ? null : "provider"),
        reserves: meta.reserves ?? null,
        byWording: meta.byWording ?? null,
        added: meta.added ?? owners !== undefined,
        caller: meta.caller === true,
        ceiling: meta.ceiling === true,
        secret: meta.secret === true,
        repeats: meta.repeats === true,
      },
    ];
  });
}

function flagOf(path: string, { flag }: Partial<SettingMeta>): string {
  return flag ?? path.replace(/[._]/g, "-");
}

/** The settings of a group that no strategy has brought yet, with their flags. */
export function settingsOfGroup(group: string, schema: z.ZodObject) {
  return Object.entries(schema.shape).map(([name, member]) => {
    const path = `${group}.${name}`;
    const type = member as z.ZodType;
    return { path, flag: flagOf(path, type.meta() ?? {}), type };
  });
}

function readersOf(path: string, owners: readonly string[]): string[] {
  const [group] = path.split(".");
  const reads: (reader: SettingsReader) => boolean = ({ name, reads }) =>
    owners.includes(name) ||
    (reads as readonly string[]).some((read) => read === path || read === group);
  return settingsReaders.all().flatMap((reader) => (reads(reader) ? [reader.name] : []));
}

/** `; not set: tesseract for rrd (choice, open) and extractive, else off`: the defaults of strategies for an unset setting. */
function whenUnset(path: string, readers: readonly string[]): string {
  const chosen = new Map<unknown, string[]>();
  for (const { name, defaults } of settingsReaders.all()) {
    if (!readers.includes(name)) continue;
    const byValue = Map.groupBy(TASKS, (task) => defaults?.(task)[path as SettingPath]);
    byValue.delete(undefined);
    for (const [value, tasks] of byValue) {
      const some = tasks.length < TASKS.length ? ` (${tasks.join(", ")})` : "";
      chosen.set(value, [...(chosen.get(value) ?? []), `${name}${some}`]);
    }
  }
  if (chosen.size === 0) return "";
  const values = [...chosen].map(([value, names]) => `${value} for ${names.join(", ")}`);
  const plain = SHARED_DEFAULTS[path as keyof typeof SHARED_DEFAULTS];
  return `; not set: ${values.join("; ")}${plain === undefined ? "" : `; else ${plain}`}`;
}

function unwrap(schema: z.ZodType): { inner: z.ZodType; nullable: boolean } {
  let inner = schema;
  let nullable = false;
  for (;;) {
    if (inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault)
      inner = inner.def.innerType as z.ZodType;
    else if (inner instanceof z.ZodOptional) inner = inner.def.innerType as z.ZodType;
    else if (inner instanceof z.ZodNullable) {
      nullable = true;
      inner = inner.def.innerType as z.ZodType;
    } else return { inner, nullable };
  }
}

/** What a number may be, as a clause: `a whole number from 1 to 2048`. */
export function rangeOf(schema: z.ZodNumber): string {
  const { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = z.toJSONSchema(schema) as {
    type: string;
    minimum?: number;
    maximum?: number;
    exclusiveMinimum?: number;
    exclusiveMaximum?: number;
  };
  const what = type === "integer" ? "a whole number" : "a number";
  const least = minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum;
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  const below = exclusiveMaximum === undefined ? "" : ` and below ${exclusiveMaximum}`;
  if (exclusiveMinimum !== undefined)
    return `${what} above ${exclusiveMinimum}${most === undefined ? below : `, up to ${most}`}`;
  if (below !== "" && least !== undefined) return `${what} from ${least}${below}`;
  const from = least === undefined ? "" : ` from ${least}`;
  return `${what}${from}${most === undefined ? "" : `${from === "" ? " up" : ""} to ${most}`}`;
}

function kindOf(schema: z.ZodType): Setting["kind"] {
  if (schema instanceof z.ZodBoolean) return "boolean";
  if (schema instanceof z.ZodNumber) return "number";
  if (schema instanceof z.ZodEnum) return "choice";
  return "string";
}

/** The value at a path such as `a.b` in nested plain objects; undefined if missing. */
export function valueAt(input: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (value, name) =>
        typeof value === "object" && value !== null
          ? (value as Record<string, unknown>)[name]
          : undefined,
      input,
    );
}

/** Sets the value at a path in nested plain objects, and creates missing ones. */
export function setValueAt(
  target: Record<string, unknown>,
  [name, ...rest]: readonly string[],
  value: unknown,
): void {
  if (name === undefined) return;
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  target[name] ??= {};
  setValueAt(target[name] as Record<string, unknown>, rest, value);
}
