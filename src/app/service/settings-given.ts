import { checkModels } from "../../../graphs/check-models.ts";
import { Failure, isFailure } from "../../core/errors.ts";
import {
  at,
  put,
  readSettings,
  type SettingLeaf,
  type Settings,
  STRATEGIES,
  type Strategy,
  settingLeaves,
} from "../../core/settings.ts";
import type { ServiceOptions } from "./options.ts";

/** Leaves that name a model: their values are held against the allowed ones. */
const MODEL_LEAF = /(^|\.)(model|verifier|embeddings)$/;

/** What a question may set: everything that results depend on, never addresses, folders, prices or concurrency. */
export function settable(): SettingLeaf[] {
  return settingLeaves().filter(({ path, operator }) => !operator && !path.startsWith("runtime."));
}

type Own = Pick<ServiceOptions, "settings" | "models">;

/**
 * Settings of a question by path, from dotted or nested ones.
 * Throws `Failure` `wrong-setting` for a name that a request may not set, or a model that is not allowed.
 */
export function readGiven(input: Record<string, unknown>, own: Own): Record<string, unknown> {
  const leaves = new Map(settable().map((leaf) => [leaf.path, leaf]));
  const given = Object.fromEntries(flat(input, ""));
  for (const [path, value] of Object.entries(given)) {
    if (!leaves.has(path))
      throw new Failure(
        "wrong-setting",
        `A request cannot set ${JSON.stringify(path.slice(0, 100))}. GET /api/service lists the settings it can.`,
        { path },
      );
    checkCeiling(path, value, leaves.get(path), own);
    if (MODEL_LEAF.test(path) && typeof value === "string" && value !== "off")
      checkAllowed(value, own);
  }
  return given;
}

/** The operator's limits can only be lowered. */
function checkCeiling(
  path: string,
  value: unknown,
  leaf: SettingLeaf | undefined,
  { settings }: Own,
): void {
  const most = at(settings, path);
  if (leaf?.ceiling !== true || typeof most !== "number") return;
  if (typeof value === "number" && value <= most) return;
  throw new Failure(
    "wrong-setting",
    `${path} is limited to ${most} by the operator: use a number from 0 to ${most}.`,
    { path, most },
  );
}

function checkAllowed(model: string, { models, settings }: Own): void {
  if (models === null || models.includes(model) || model === at(settings, "model")) return;
  if (settable().some(({ path }) => MODEL_LEAF.test(path) && at(settings, path) === model)) return;
  throw new Failure(
    "unknown-model",
    `The model ${JSON.stringify(model.slice(0, 100))} is not allowed here. GET /api/service lists the models that are.`,
  );
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

/** The strategy that is taken where none is given: the operator's, else `rrd` with a model and `extractive` without. */
export function defaultStrategy({ settings }: Pick<Own, "settings">): Strategy {
  const own = STRATEGIES.find((name) => name === settings.strategy);
  return own ?? (at(settings, "model") == null ? "extractive" : "rrd");
}

/**
 * The whole settings of a question: what it brings before the operator's own, of which those are left out that its
 * strategy does not read. Throws `Failure` `wrong-setting`.
 */
export function settingsFor(given: Record<string, unknown>, own: Own, data: string): Settings {
  const strategy = given.strategy ?? defaultStrategy(own);
  const merged: Record<string, unknown> = { strategy };
  for (const leaf of settingLeaves()) {
    const { path, strategies } = leaf;
    const read = strategies === null || strategies.some((name) => name === strategy);
    const most = at(own.settings, path);
    const value = given[path] ?? (read ? most : undefined);
    if (value !== undefined && path !== "strategy") put(merged, path.split("."), value);
    if (given[path] === null) put(merged, path.split("."), null);
    // A question may have been asked before the operator lowered a limit.
    if (leaf.ceiling && read && typeof most === "number")
      put(merged, path.split("."), typeof value === "number" ? Math.min(value, most) : most);
  }
  put(merged, ["runtime", "data"], data);
  return readSettings(merged);
}

/** Strategies that can be asked for, and why the operator's model cannot be called, where it cannot. */
export function usable(own: Own, data: string): { strategies: Strategy[]; missing: string | null } {
  const none = new Set<Strategy>(["extractive", "random"]);
  const problem = problemWith("rrd", own, data);
  const any = own.models === null || own.models.length > 0;
  const needsName = at(own.settings, "model") == null && any;
  const strategies = STRATEGIES.filter((name) => none.has(name) || problem === null || needsName);
  return { strategies: [...strategies], missing: problem };
}

function problemWith(strategy: Strategy, own: Own, data: string): string | null {
  try {
    checkModels(settingsFor({ strategy }, own, data));
    return null;
  } catch (error) {
    if (isFailure(error)) return error.message;
    throw error;
  }
}
