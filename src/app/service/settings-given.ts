import { checkModels } from "../../../graphs/check-models.ts";
import { needsModel, standard, strategies } from "../../../graphs/define-strategy.ts";
import { Failure, isFailure } from "../../core/errors.ts";
import {
  listSettings,
  readSettings,
  type Setting,
  type Settings,
  setValueAt,
  valueAt,
} from "../../core/settings.ts";
import type { ServiceOptions } from "./options.ts";

/** What a request may set: settings whose definitions say so. */
export function settable(): Setting[] {
  return listSettings().filter(({ caller }) => caller);
}

type Own = Pick<ServiceOptions, "settings" | "models">;

/**
 * Settings of a question by path, from dotted or nested ones.
 * Throws `Failure` `wrong-setting` for a name that a request may not set, or a model that is not allowed.
 */
export function readGiven(input: Record<string, unknown>, own: Own): Record<string, unknown> {
  const leaves = new Map(settable().map((setting) => [setting.path, setting]));
  const given = Object.fromEntries(flat(input, ""));
  for (const [path, value] of Object.entries(given)) {
    if (!leaves.has(path))
      throw new Failure(
        "wrong-setting",
        `A request cannot set ${JSON.stringify(path.slice(0, 100))}. GET /api/service lists the settings it can.`,
        { path },
      );
    checkCeiling(path, value, leaves.get(path), own);
    if (namesModel(leaves.get(path)) && typeof value === "string" && value !== "off")
      checkAllowed(value, own);
  }
  return given;
}

/** The operator's limits can only be lowered. */
function checkCeiling(
  path: string,
  value: unknown,
  setting: Setting | undefined,
  { settings }: Own,
): void {
  const most = valueAt(settings, path);
  if (setting?.ceiling !== true || typeof most !== "number") return;
  if (typeof value === "number" && value <= most) return;
  throw new Failure(
    "wrong-setting",
    `${path} is limited to ${most} by the operator: use a number from 0 to ${most}.`,
    { path, most },
  );
}

function checkAllowed(model: string, { models, settings }: Own): void {
  if (models === null || models.includes(model) || model === valueAt(settings, "model")) return;
  if (
    listSettings().some(
      (setting) => namesModel(setting) && valueAt(settings, setting.path) === model,
    )
  )
    return;
  throw new Failure(
    "unknown-model",
    `The model ${JSON.stringify(model.slice(0, 100))} is not allowed here. GET /api/service lists the models that are.`,
  );
}

/** Whether a setting names the model of a role, so that its value has to be an allowed one. */
function namesModel(setting: Setting | undefined): boolean {
  return setting !== undefined && setting.role !== null;
}

/** Leaves of nested objects by their path. Settings are nested two deep; what goes deeper is an unknown name. */
function flat(value: Record<string, unknown>, prefix: string, deep = 0): [string, unknown][] {
  return Object.entries(value).flatMap(([name, member]) => {
    const path = prefix === "" ? name : `${prefix}.${name}`;
    return typeof member === "object" && member !== null && !Array.isArray(member) && deep < 3
      ? flat(member as Record<string, unknown>, path, deep + 1)
      : [[path, member] as [string, unknown]];
  });
}

/** The strategy that is taken if none is given: the operator's, else the default with or without a model. */
export function defaultStrategy({ settings }: Pick<Own, "settings">): string {
  const own = strategies.names().find((name) => name === settings.strategy);
  return own ?? standard(valueAt(settings, "model") == null ? "without-model" : "with-model").name;
}

/**
 * The whole settings of a question: what it brings before the operator's own, of which those are left out that its
 * strategy does not read. Throws `Failure` `wrong-setting`.
 */
export function settingsFor(given: Record<string, unknown>, own: Own, data: string): Settings {
  const strategy = given.strategy ?? defaultStrategy(own);
  const merged: Record<string, unknown> = { strategy };
  for (const setting of listSettings()) {
    const { path } = setting;
    const read =
      setting.strategies === null || setting.strategies.some((name) => name === strategy);
    const most = valueAt(own.settings, path);
    const value = given[path] ?? (read ? most : undefined);
    if (value !== undefined && path !== "strategy") setValueAt(merged, path.split("."), value);
    if (given[path] === null) setValueAt(merged, path.split("."), null);
    // A question may have been asked before the operator lowered a limit.
    if (setting.ceiling && read && typeof most === "number")
      setValueAt(merged, path.split("."), typeof value === "number" ? Math.min(value, most) : most);
  }
  setValueAt(merged, ["runtime", "data"], data);
  return readSettings(merged);
}

/** Strategies that can be asked for, and why the operator's model cannot be called, if it cannot. */
export function usable(own: Own, data: string): { usable: string[]; missing: string | null } {
  const problem = problemWith(standard("with-model").name, own, data);
  const any = own.models === null || own.models.length > 0;
  const needsName = valueAt(own.settings, "model") == null && any;
  const names = strategies
    .names()
    .filter((name) => !needsModel(name) || problem === null || needsName);
  return { usable: names, missing: problem };
}

function problemWith(strategy: string, own: Own, data: string): string | null {
  try {
    checkModels(settingsFor({ strategy }, own, data));
    return null;
  } catch (error) {
    if (isFailure(error)) return error.message;
    throw error;
  }
}
