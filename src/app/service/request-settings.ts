import { checkModels } from "../../../graphs/check-models.ts";
import { needsModel, standard, strategies } from "../../../graphs/define-strategy.ts";
import { Failure, isFailure } from "../../core/errors.ts";
import {
  checkTaskSettings,
  fitsTask,
  listSettings,
  readSettings,
  type Setting,
  type Settings,
  setValueAt,
  valueAt,
} from "../../core/settings.ts";
import type { Task } from "../../core/shapes.ts";
import { fullName } from "../../models/name.ts";
import { keyPlaceOf, type ServiceOptions } from "./options.ts";

/** Settings that a request may set: those whose definition names `caller`. */
export function callerSettings(): Setting[] {
  return listSettings().filter(({ caller }) => caller);
}

type OperatorOptions = Pick<ServiceOptions, "settings" | "models">;

/**
 * Parses the settings of a request, dotted or nested, into settings by path.
 * Throws `Failure` `wrong-setting` (unknown, not for requests, or above the operator's limit) and `unknown-model` (a model
 * that is not allowed).
 */
export function parseRequestSettings(
  input: Record<string, unknown>,
  own: OperatorOptions,
): Record<string, unknown> {
  const leaves = new Map(callerSettings().map((leaf) => [leaf.path, leaf]));
  const given = Object.fromEntries(flatten(input, ""));
  for (const [path, value] of Object.entries(given)) {
    if (!leaves.has(path))
      throw new Failure(
        "wrong-setting",
        `A request cannot set ${JSON.stringify(path.slice(0, 100))}. GET /api/v1/service lists the settings it can.`,
        { path },
      );
    checkCeiling(path, value, leaves.get(path), own);
    if (namesModel(leaves.get(path)) && typeof value === "string" && value !== "off")
      checkAllowed(value, own);
  }
  return given;
}

/** A request can lower a limit of the operator, but not raise it. */
function checkCeiling(
  path: string,
  value: unknown,
  leaf: Setting | undefined,
  { settings }: OperatorOptions,
): void {
  const max = valueAt(settings, path);
  if (leaf?.ceiling !== true || typeof max !== "number") return;
  if (typeof value === "number" && value <= max) return;
  throw new Failure(
    "wrong-setting",
    `Invalid ${path}: the operator's limit is ${max}. Use a number from 0 to ${max}.`,
    { path, most: max },
  );
}

/** Whether a question may call a model: one that the operator allows or whose name is one of the operator's settings. */
export function isAllowed(model: string, { models, settings }: OperatorOptions): boolean {
  if (models === null) return true;
  const named = listSettings().flatMap((leaf) =>
    namesModel(leaf) ? valueAt(settings, leaf.path) : [],
  );
  const isSame = (allowed: unknown) =>
    typeof allowed === "string" && fullName(allowed) === fullName(model);
  return [...models, valueAt(settings, "model"), ...named].some(isSame);
}

function checkAllowed(model: string, own: OperatorOptions): void {
  if (isAllowed(model, own)) return;
  throw new Failure(
    "unknown-model",
    `The model ${JSON.stringify(model.slice(0, 100))} is not allowed. GET /api/v1/service lists the allowed models.`,
  );
}

/** Whether the value of a setting is a model name, which must be allowed. */
function namesModel(leaf: Setting | undefined): boolean {
  return leaf !== undefined && leaf.role !== null;
}

/** Flattens nested objects to values by path. Settings have two levels; a deeper path is an unknown name. */
function flatten(value: Record<string, unknown>, prefix: string, deep = 0): [string, unknown][] {
  return Object.entries(value).flatMap(([name, member]) => {
    const path = prefix === "" ? name : `${prefix}.${name}`;
    return typeof member === "object" && member !== null && !Array.isArray(member) && deep < 3
      ? flatten(member as Record<string, unknown>, path, deep + 1)
      : [[path, member] as [string, unknown]];
  });
}

/** The operator's file of MCP servers, whichever strategy a request chooses; null without one. */
export function mcpFileOf(settings: OperatorOptions["settings"]): string | null {
  const file = valueAt(settings, "runtime.mcp");
  return typeof file === "string" ? file : null;
}

/** The strategy of a question that names none: the operator's, or the default with or without a model. */
export function defaultStrategy({ settings }: Pick<OperatorOptions, "settings">): string {
  const own = strategies.names().find((name) => name === settings.strategy);
  return own ?? standard(valueAt(settings, "model") == null ? "without-model" : "with-model").name;
}

/**
 * The complete settings of a question: its own settings override the operator's. Settings of the operator that its
 * strategy does not read, or that do not fit the task, are left out. Throws `Failure` `wrong-setting`.
 */
export function resolveSettings(
  given: Record<string, unknown>,
  own: OperatorOptions,
  data: string,
  task?: Task,
): Settings {
  const strategy = given.strategy ?? defaultStrategy(own);
  const merged: Record<string, unknown> = { strategy };
  for (const leaf of listSettings()) {
    const { path } = leaf;
    const read = leaf.strategies === null || leaf.strategies.some((name) => name === strategy);
    const operator = valueAt(own.settings, path);
    const value = given[path] ?? (read ? operator : undefined);
    if (value !== undefined && path !== "strategy") setValueAt(merged, path.split("."), value);
    if (given[path] === null) setValueAt(merged, path.split("."), null);
    // The operator may have lowered a limit after the question was asked.
    if (leaf.ceiling && read && typeof operator === "number")
      setValueAt(
        merged,
        path.split("."),
        typeof value === "number" ? Math.min(value, operator) : operator,
      );
  }
  setValueAt(merged, ["runtime", "data"], data);
  const settings = readSettings(merged);
  if (task === undefined || fitsTask(settings, task)) return settings;
  if (given["recognition.segments"] === undefined) settings.recognition.segments = null;
  checkTaskSettings(settings, task);
  return settings;
}

/** Strategies that a request may name, and the reason why the operator's model cannot be called, or null. */
export function usableStrategies(
  own: OperatorOptions & Pick<ServiceOptions, "workers">,
  data: string,
): { usable: string[]; missing: string | null } {
  const problem = problemWith(standard("with-model").name, own, data);
  const any = own.models === null || own.models.length > 0;
  const needsName = valueAt(own.settings, "model") == null && any;
  const names = strategies
    .names()
    .filter((name) => !needsModel(name) || problem === null || needsName);
  return { usable: names, missing: problem };
}

function problemWith(
  strategy: string,
  own: Parameters<typeof usableStrategies>[0],
  data: string,
): string | null {
  try {
    checkModels(resolveSettings({ strategy }, own, data), undefined, keyPlaceOf(own));
    return null;
  } catch (error) {
    if (isFailure(error)) return error.message;
    throw error;
  }
}
