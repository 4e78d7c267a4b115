import { z } from "zod";
import type { LeafMeta, Strategy } from "./leaf.ts";
import { Settings } from "./schema.ts";

/** A leaf of the schema: where it is, what it is called on a command line, what it takes. */
export interface SettingLeaf {
  path: string;
  flag: string;
  description: string;
  default: unknown;
  strategies: readonly Strategy[] | null;
  kind: "boolean" | "number" | "string" | "choice";
  choices: readonly string[] | null;
  nullable: boolean;
  added: boolean;
  operator: boolean;
  /** A limit, which a request can only lower. */
  ceiling: boolean;
  secret: boolean;
  repeats: boolean;
}

/** Every leaf of `Settings`, in the order of the schema: the source of flags, help and grid axes. */
export function settingLeaves(): SettingLeaf[] {
  return leavesOf(Settings, []);
}

function leavesOf(schema: z.ZodObject, path: string[]): SettingLeaf[] {
  return Object.entries(schema.shape).flatMap(([name, member]) => {
    const group = unwrap(member as z.ZodType);
    if (group.inner instanceof z.ZodObject) return leavesOf(group.inner, [...path, name]);
    const meta = (member as z.ZodType).meta() as LeafMeta;
    return [
      {
        path: [...path, name].join("."),
        flag: meta.flag,
        description: String(meta.description ?? ""),
        default: (member as z.ZodType).parse(undefined) ?? null,
        strategies: meta.strategies ?? null,
        kind: kindOf(group.inner),
        choices: group.inner instanceof z.ZodEnum ? group.inner.options.map(String) : null,
        nullable: group.nullable,
        added: meta.added === true,
        operator: meta.operator === true,
        ceiling: meta.ceiling === true,
        secret: meta.secret === true,
        repeats: meta.repeats === true,
      },
    ];
  });
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

function kindOf(schema: z.ZodType): SettingLeaf["kind"] {
  if (schema instanceof z.ZodBoolean) return "boolean";
  if (schema instanceof z.ZodNumber) return "number";
  if (schema instanceof z.ZodEnum) return "choice";
  return "string";
}

/** `a.b` of nested plain objects. */
export function at(input: unknown, path: string): unknown {
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

/** Sets `path` in nested plain objects, and makes those that are not there. */
export function put(
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
  put(target[name] as Record<string, unknown>, rest, value);
}
