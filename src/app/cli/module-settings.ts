import type { DefinitionKind } from "../../core/registry.ts";
import { listSettings, setValueAt, valueAt } from "../../core/settings.ts";
import { nameOf } from "./module-names.ts";
import { readYaml } from "./read-yaml.ts";

/** Settings of a run that name definitions, in addition to those of a question. */
const RUN_SETTINGS: Readonly<Record<string, DefinitionKind>> = {
  benchmark: "benchmark",
  scorer: "scorer",
  extractor_model: "provider",
};

/**
 * Loads the files that a YAML file names. A file that cannot be read names none: the command that reads it says so.
 * Throws `Failure` as `loadModule`.
 */
export async function loadFromYaml(file: string): Promise<void> {
  const given = await readYaml(file).catch(() => null);
  // The settings of a strategy, which may name models, are known once it is loaded.
  await namesInYaml(given);
  await namesInYaml(given);
}

/**
 * A copy of the settings of a run or sweep with names of definitions in the place of files, which are loaded. Throws
 * `Failure` as `loadModule`.
 */
export async function namesInYaml(given: unknown): Promise<unknown> {
  const copy: unknown = structuredClone(given);
  if (!isRecord(copy)) return copy;
  await namesInSettings(copy);
  const { base, arms, axes } = copy;
  if (isRecord(base)) await namesInSettings(base);
  for (const arm of Array.isArray(arms) ? arms : [])
    if (isRecord(arm) && isRecord(arm.settings)) await namesInSettings(arm.settings);
  if (isRecord(axes)) await namesInAxes(axes);
  return copy;
}

async function namesInSettings(settings: Record<string, unknown>): Promise<void> {
  for (const [path, kind] of namingPaths()) {
    const value = valueAt(settings, path);
    const named = Array.isArray(value) ? await namesInList(kind, value) : await nameIn(kind, value);
    if (named !== undefined) setValueAt(settings, path.split("."), named);
  }
}

async function namesInAxes(axes: Record<string, unknown>): Promise<void> {
  const flags = new Map(listSettings().map(({ flag, path }) => [flag, path]));
  const kinds = namingPaths();
  for (const [axis, values] of Object.entries(axes)) {
    const name = axis.replace(/^--/, "");
    const kind =
      kinds.get(name) ??
      kinds.get(flags.get(name) ?? "") ??
      RUN_SETTINGS[name.replaceAll("-", "_")];
    if (kind === undefined || !Array.isArray(values)) continue;
    axes[axis] = await namesInList(kind, values);
  }
}

/** Path of each setting that names definitions, with their kind. */
function namingPaths(): Map<string, DefinitionKind> {
  const settings = listSettings().flatMap(({ path, names }): [string, DefinitionKind][] =>
    names === null ? [] : [[path, names]],
  );
  return new Map([...Object.entries(RUN_SETTINGS), ...settings]);
}

async function namesInList(kind: DefinitionKind, values: readonly unknown[]): Promise<unknown[]> {
  const named: unknown[] = [];
  for (const value of values) named.push(await nameIn(kind, value));
  return named;
}

async function nameIn(kind: DefinitionKind, value: unknown): Promise<unknown> {
  return typeof value === "string" ? nameOf(kind, value) : value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
