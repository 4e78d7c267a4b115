import { type Command, Option } from "commander";
import { Failure } from "../../core/errors.ts";
import { listSettings, type Setting, setValueAt } from "../../core/settings.ts";

/**
 * Adds a flag for each setting whose path passes `keep`.
 * Values are handed on as they were typed: the one schema says what is wrong with them.
 */
export function addSettingFlags(command: Command, keep: (path: string) => boolean): Command {
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

/** The settings that were typed, nested as the schema has them; `none` is null where it is no choice. */
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

/** A number where the text is one; else as it was typed, for the schema to refuse. */
export function typedNumber(value: unknown): unknown {
  if (typeof value !== "string" || value.trim() === "") return value;
  const number = Number(value);
  return Number.isNaN(number) ? value : number;
}

/** Of a flag that belongs to no schema. Throws `Failure` `wrong-usage`. */
export function wholeNumber(flag: string, given: string): number {
  const number = typedNumber(given);
  if (typeof number === "number" && Number.isSafeInteger(number) && number >= 0) return number;
  throw new Failure(
    "wrong-usage",
    `Invalid ${flag} ${JSON.stringify(given)}: use a whole number from 0.`,
    { flag, given },
  );
}

/** Dollars of a flag that belongs to no schema; null where it was not given. Throws `Failure` `wrong-usage`. */
export function dollars(flag: string, given: string | undefined): number | null {
  if (given === undefined) return null;
  const number = typedNumber(given);
  if (typeof number === "number" && Number.isFinite(number) && number >= 0) return number;
  throw new Failure(
    "wrong-usage",
    `Invalid ${flag} ${JSON.stringify(given)}: use dollars from 0, such as 20.`,
    { flag, given },
  );
}
