import { type Command, Option } from "commander";
import type { z } from "zod";
import { type DeclaredSettings, flagOf } from "../../core/declared-settings.ts";
import { Failure } from "../../core/errors.ts";
import { listSettings, rangeOf, type Setting, setValueAt } from "../../core/settings.ts";
import { MODULE_FLAG } from "./may-name-modules.ts";

/**
 * Adds a flag for each setting whose path passes `keep`, and the one for files with definitions. Values are not checked
 * here: the settings schema checks them.
 */
export function addSettingFlags(command: Command, keep: (path: string) => boolean): Command {
  command.addOption(
    new Option(
      `${MODULE_FLAG} <file>`,
      "TypeScript or JavaScript file with definitions of your own, which this command then knows by name; may be repeated",
    ).argParser((file: string, before: string[] = []) => [...before, file]),
  );
  for (const setting of listSettings()) {
    if (!keep(setting.path)) continue;
    const unset = setting.choices?.includes("none") ? "not set" : "none";
    const shown = setting.default === null ? unset : String(setting.default);
    const read = setting.strategies === null ? "" : `; read by ${setting.strategies.join(", ")}`;
    const about =
      setting.choices === null
        ? setting.description
        : `${setting.description}: ${setting.choices.join(" | ")}`;
    const help = `${about} (default: ${shown}${read})`;
    if (setting.kind === "boolean") {
      command.addOption(new Option(`--${setting.flag}`, help));
      command.addOption(new Option(`--no-${setting.flag}`).hideHelp());
      continue;
    }
    const option = new Option(`--${setting.flag} <${setting.kind}>`, help);
    if (setting.repeats)
      option.argParser((value: string, before?: string) =>
        before === undefined ? value : `${before},${value}`,
      );
    command.addOption(option);
  }
  return command;
}

/** The setting of the commands whose calls can wait. */
export const BATCH = "runtime.batch";

/** Whether a command that answers questions at once has the setting. */
export function isForQuestions(path: string): boolean {
  return path !== BATCH;
}

/** Whether a command that makes model calls, but answers no questions, has the setting: it concerns places and speed. */
export function isForModelCalls(path: string): boolean {
  return path.startsWith("runtime.") && path !== "runtime.mcp" && path !== BATCH;
}

/** Declared settings by command, as far as the command has no flag of its own with that name. */
const addedFlags = new WeakMap<Command, Set<string>>();

/** Adds a flag for each setting that a benchmark or scorer declares; a flag that the command has keeps its meaning. */
export function addDeclaredFlags(command: Command, declared: DeclaredSettings): Command {
  const added = addedFlags.get(command) ?? new Set();
  addedFlags.set(command, added);
  for (const [name, { placeholder, summary }] of Object.entries(declared)) {
    if (command.options.some(({ long }) => long === flagOf(name))) continue;
    command.option(`${flagOf(name)} ${placeholder}`, summary);
    added.add(name);
  }
  return command;
}

/** The declared settings that are given as flags. Their values are not checked here. */
export function declaredFlags(
  command: Command,
  declared: DeclaredSettings,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(declared).flatMap((name) => {
      if (!addedFlags.get(command)?.has(name)) return [];
      const option = name.replace(/_([a-z])/g, (_line, letter: string) => letter.toUpperCase());
      const value = (command.opts() as Record<string, unknown>)[option];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The settings given as flags, nested as in the schema. `none` becomes null unless it is a choice of the setting. */
export function givenSettings(command: Command): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  const options = command.opts() as Record<string, unknown>;
  for (const setting of listSettings()) {
    const name = setting.flag.replace(/-([a-z])/g, (_dash, letter: string) => letter.toUpperCase());
    if (command.getOptionValueSource(name) !== "cli") continue;
    setValueAt(given, setting.path.split("."), typed(options[name], setting));
  }
  return given;
}

function typed(value: unknown, { kind, nullable, choices }: Setting): unknown {
  if (nullable && value === "none" && !choices?.includes("none")) return null;
  return kind === "number" ? typedNumber(value) : value;
}

/** A number if the text is one; otherwise the text, which the schema refuses. */
export function typedNumber(value: unknown): unknown {
  if (typeof value !== "string" || value.trim() === "") return value;
  const number = Number(value);
  return Number.isNaN(number) ? value : number;
}

/** Parses a flag that is not a setting. Throws `Failure` `wrong-usage`. */
export function wholeNumber(flag: string, given: string): number {
  const number = typedNumber(given);
  if (typeof number === "number" && Number.isSafeInteger(number) && number >= 0) return number;
  throw new Failure(
    "wrong-usage",
    `Invalid ${flag} ${JSON.stringify(given)}: use a whole number from 0.`,
    { flag, given },
  );
}

/**
 * Parses a flag that is not a setting, with the range of its schema. Throws `Failure` `wrong-usage`.
 *
 * @example
 * numberFlag("--power", flags.power, z.number().min(0.5).lt(1));
 */
export function numberFlag(flag: string, given: string, schema: z.ZodNumber): number {
  const read = schema.safeParse(typedNumber(given));
  if (read.success) return read.data;
  throw new Failure(
    "wrong-usage",
    `Invalid ${flag} ${JSON.stringify(given)}: use ${rangeOf(schema)}.`,
    { flag, given },
  );
}

/** Parses a flag in dollars that is not a setting; null if it was not given. Throws `Failure` `wrong-usage`. */
export function dollars(flag: string, given: string | undefined): number | null {
  if (given === undefined) return null;
  const number = typedNumber(given);
  if (typeof number === "number" && Number.isFinite(number) && number >= 0) return number;
  throw new Failure(
    "wrong-usage",
    `Invalid ${flag} ${JSON.stringify(given)}: use dollars from 0, for example 20.`,
    { flag, given },
  );
}
