import type { z } from "zod";
import { Failure } from "./errors.ts";

/*
 * Settings that a definition brings with it, such as the tolerance of a scorer or the columns of a data file. Flags, help
 * and members of a YAML file derive from them.
 */

/** One setting of a definition. */
export interface DeclaredSetting {
  /**
   * Reads what a flag or a YAML file gives. What it returns is stored as JSON, and must be read again as the same value.
   */
  schema: z.ZodType;
  /** The value in help, as commander writes it: `<number>`, or `<name...>` for several values. */
  placeholder: string;
  /** One line for help. */
  summary: string;
  /** A stored value for a person. Default: as text. */
  show?(value: unknown): string;
  /** What is accepted, after "use": `a number from 0, or a percentage`. */
  expected: string;
}

/** By name, in lower case with `_`: `option_columns` is the flag `--option-columns`. */
export type DeclaredSettings = Readonly<Record<string, DeclaredSetting>>;

/** The flag of a setting. */
export function flagOf(name: string): string {
  return `--${name.replaceAll("_", "-")}`;
}

/** The given settings among those declared, without those that are null. Throws `Failure` `wrong-setting`. */
export function readDeclared(
  declared: DeclaredSettings,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(declared).flatMap(([name, { schema, expected }]) => {
      const value = given[name];
      if (value === undefined || value === null) return [];
      const read = schema.safeParse(value);
      if (read.success) return [[name, read.data]];
      throw new Failure(
        "wrong-setting",
        `Invalid ${flagOf(name)} ${JSON.stringify(value)}: use ${expected}.`,
        { name, value },
      );
    }),
  );
}
