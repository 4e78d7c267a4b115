import type { z } from "zod";
import { createRegistry, type Definition } from "../registry.ts";
import type { Task } from "../shapes.ts";
import type { SettingPath, SettingValue } from "./schema.ts";

/** Values by path for settings that are not set. */
export type TaskDefaults = { readonly [Path in SettingPath]?: SettingValue<Path> };

/** What the settings engine has to know of a strategy; its definition says more. */
export interface SettingsReader extends Definition {
  /** Groups (`generation`) and single settings (`recognition.frames`) that it reads, besides those that all read. */
  readonly reads: readonly (SettingPath | SettingGroup)[];
  /** Groups of settings that only this strategy has, each a `z.strictObject` whose members carry `settingMeta` metadata. */
  readonly settings?: Readonly<Record<string, z.ZodObject>>;
  /** What it takes for settings that are not set (null), by the task of the question. */
  readonly defaults?: (task: Task) => TaskDefaults;
  /** It is the one taken if none is named: with a model, or without. */
  readonly standard?: "with-model" | "without-model";
}

/** What holds for settings of which the definition of a strategy says nothing. */
export const SHARED_DEFAULTS = {
  "recognition.ocr": "off",
  "recognition.subtitles": "off",
  "recognition.input": "clip",
} as const satisfies TaskDefaults;

export type SettingGroup = SettingPath extends infer Path
  ? Path extends `${infer Group}.${string}`
    ? Group
    : never
  : never;

/** Every strategy whose settings can be read. Filled by the registry of strategies. */
export const settingsReaders = createRegistry<SettingsReader>("a strategy");

/** The name of the strategy that is taken if none is named; undefined if no definition says that it is. */
export function defaultStrategy(which: "with-model" | "without-model"): string | undefined {
  return settingsReaders.all().find(({ standard }) => standard === which)?.name;
}
