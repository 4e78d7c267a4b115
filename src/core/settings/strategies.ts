import type { z } from "zod";
import { createRegistry, type Definition } from "../registry.ts";
import type { Task } from "../shapes.ts";
import type { SettingPath, SettingValue } from "./schema.ts";

/** Defaults by path, for settings that are not set. */
export type TaskDefaults = { readonly [Path in SettingPath]?: SettingValue<Path> };

/** The members of a strategy's definition that concern settings. */
export interface SettingsReader extends Definition {
  /** Groups (`generation`) and single settings (`recognition.frames`) that it reads, in addition to the common ones. */
  readonly reads: readonly (SettingPath | SettingGroup)[];
  /** Groups of settings that only strategies which declare them have; each is a `z.strictObject` whose members carry `settingMeta` metadata. */
  readonly settings?: Readonly<Record<string, z.ZodObject>>;
  /** Its defaults for settings that are not set (null), by the task of the question. */
  readonly defaults?: (task: Task) => TaskDefaults;
  /** It is the default strategy, with or without a model. */
  readonly standard?: "with-model" | "without-model";
}

/** Defaults for settings that the definition of a strategy does not mention. */
export const SHARED_DEFAULTS = {
  "recognition.ocr": "off",
  "recognition.subtitles": "off",
  "recognition.input": "clip",
} as const satisfies TaskDefaults;

/** A group of settings, such as `recognition`. */
export type SettingGroup = SettingPath extends infer Path
  ? Path extends `${infer Group}.${string}`
    ? Group
    : never
  : never;

/** All strategies whose settings can be read. The registry of strategies fills it. */
export const settingsReaders = createRegistry<SettingsReader>("a strategy");

/** Name of the default strategy; undefined if no definition declares it. */
export function defaultStrategy(which: "with-model" | "without-model"): string | undefined {
  return settingsReaders.all().find(({ standard }) => standard === which)?.name;
}
