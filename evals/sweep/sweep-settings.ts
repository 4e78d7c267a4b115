import { resolve } from "node:path";
import { z } from "zod";
import { Failure, isFailure, oneLine } from "../../src/core/errors.ts";
import { defaultStrategy, listSettings, type Setting, valueAt } from "../../src/core/settings.ts";
import { type EvalSettings, evalNames, merged, readEvalSettings } from "../run/eval-settings.ts";

/* A sweep: one run (cell) for every combination of named settings. */

const Value = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const SettingsRecord = z.record(z.string(), z.unknown());

const SweepFile = z.strictObject({
  name: z.string().min(1).default("sweep"),
  /** Settings of every run, as for `eval`. A setting that a strategy does not read is dropped if another strategy reads it. */
  base: SettingsRecord.default({}),
  /** Named groups of settings; each is combined with all of `axes`. */
  arms: z.array(z.strictObject({ name: z.string().min(1), settings: SettingsRecord })).default([]),
  /** Path of a setting or name of its flag -> the values to try. */
  axes: z.record(z.string(), z.array(Value).min(1)).default({}),
  /** The run that each run is compared with. */
  against: z.enum(["first", "previous"]).default("first"),
  /** Dollars that all runs may spend together; null: no limit. */
  total_cost_limit: z.number().nonnegative().nullable().default(null),
  /** Shown with the results, such as why an arm is missing. */
  remarks: z.array(z.string()).default([]),
});
export type SweepInput = z.input<typeof SweepFile>;

/** One run of a sweep. */
export interface SweepCell {
  /** Also the name of the run's folder. */
  name: string;
  /** Name of its arm; missing without arms, and in older sweeps. */
  arm?: string;
  /** The one of several `--model` that it is for; null with fewer; missing in older sweeps. */
  model?: string | null;
  /** Input of `startRun`, with absolute paths. */
  input: unknown;
}

/** The runs of a sweep, read from its file. */
export interface Sweep extends Pick<z.infer<typeof SweepFile>, "name" | "against" | "remarks"> {
  total_cost_limit: number | null;
  /** Name of the preset that its runs belong to; missing without one, and in older sweeps. */
  preset?: string;
  /** `provider:model` that judges the replies as the preset says; missing: the user runs `judge`. */
  judge_model?: string;
  cells: SweepCell[];
}

/** A larger grid is most likely a mistake. */
const MOST_CELLS = 1000;

/**
 * Reads a sweep; settings in `over` override its `base`. Validates every cell as `eval` does. With several `models`, all of
 * its runs are made for each of them; `given` may be a function of the model (null: none is given).
 * Throws `Failure` `wrong-setting` that names the cell.
 */
export function readSweep(
  given: unknown,
  over: unknown = {},
  models: readonly string[] = [],
): Sweep {
  const twice = models.find((model, place) => models.indexOf(model) < place);
  if (twice !== undefined)
    throw new Failure("wrong-setting", `Duplicate --model ${twice}: name each model once.`, {
      model: twice,
    });
  const read = (models.length === 0 ? [null] : models).map((model) =>
    readForModel(
      typeof given === "function" ? given(model) : given,
      model === null ? over : merged(over, { model }),
      models.length > 1 ? model : null,
    ),
  );
  const [first] = read;
  const cells = read.flatMap((one) => one.cells);
  refuseLargeSweep(cells.length);
  return {
    ...(first as Omit<Sweep, "cells">),
    remarks: [...new Set(read.flatMap(({ remarks }) => remarks))],
    cells: cells.map((one, place) => named(one, place, cells.length)),
  };
}

/** The sweep with cells that are not numbered. `tag`: the model, as part of their names. */
function readForModel(given: unknown, over: unknown, tag: string | null): Sweep {
  if (typeof given === "object" && given !== null && "cost_limit" in given)
    throw new Failure(
      "wrong-setting",
      "Unknown setting `cost_limit` of a sweep: use `total_cost_limit` for all runs together, or `base: { budget: { cost: ... } }` for each question.",
      { unknown: ["cost_limit"] },
    );
  const read = SweepFile.safeParse(given);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new Failure(
      "wrong-setting",
      `Invalid sweep at \`${issue?.path.join(".")}\`: ${oneLine(issue?.message ?? "unreadable", 120)}. A sweep has \`base\` and \`axes\` or \`arms\`.`,
      { issue },
    );
  }
  const { name, against, total_cost_limit, remarks, base, arms, axes } = read.data;
  const places = Object.entries(axes).map(([axis, values]) => ({ path: pathOf(axis), values }));
  const twice = places.find(({ path }, n) => places.some((one, m) => m < n && one.path === path));
  if (twice !== undefined)
    throw new Failure(
      "wrong-setting",
      `Duplicate axis \`${twice.path}\`: merge its values into one axis.`,
      twice,
    );
  if (tag !== null && places.some(({ path }) => path === "model"))
    throw new Failure(
      "wrong-setting",
      "Several --model exclude the axis `model` of the sweep: leave one of them out.",
      { axis: "model" },
    );
  refuseLargeSweep(
    places.reduce((all, { values }) => all * values.length, Math.max(1, arms.length)),
  );
  const combined = combinations(places);
  const under = merged(base, over);
  const cells = (arms.length === 0 ? [{ name: "", settings: {} }] : arms).flatMap((arm) =>
    combined.map((chosen) => cell(arm, chosen, under, tag)),
  );
  refuseUnread(under, cells);
  return { name, against, total_cost_limit, remarks, cells };
}

function refuseLargeSweep(size: number): void {
  if (size <= MOST_CELLS) return;
  throw new Failure(
    "wrong-setting",
    `Too many runs in the sweep (${size}): use at most ${MOST_CELLS}.`,
    { size },
  );
}

interface AxisValue {
  path: string;
  value: z.infer<typeof Value>;
}

function combinations(
  axes: readonly { path: string; values: AxisValue["value"][] }[],
): AxisValue[][] {
  return axes.reduce<AxisValue[][]>(
    (before, { path, values }) =>
      before.flatMap((chosen) => values.map((value) => [...chosen, { path, value }])),
    [[]],
  );
}

/** Resolves `recognition.mode`, `epochs`, or a flag such as `recognition`. The data folder of runs cannot be an axis. */
function pathOf(axis: string): string {
  const name = axis.replace(/^--/, "");
  if (evalNames().includes(name.replaceAll("-", "_"))) return name.replaceAll("-", "_");
  const leaves = listSettings();
  const setting =
    leaves.find(({ path }) => path === name) ?? leaves.find(({ flag }) => flag === name);
  if (setting !== undefined && setting.path !== "runtime.data") return setting.path;
  throw new Failure(
    "wrong-setting",
    `Invalid axis ${JSON.stringify(axis)} of a sweep: use a setting (${leaves.map(({ path }) => path).join(", ")}, ${evalNames().join(", ")}).`,
    { axis },
  );
}

function cell(
  arm: { name: string; settings: unknown },
  chosen: readonly AxisValue[],
  under: unknown,
  tag: string | null,
): SweepCell {
  const own = chosen.reduce<unknown>(
    (settings, { path, value }) => merged(settings, nested(path.split("."), value)),
    arm.settings,
  );
  const strategy = strategyOf(merged(under, own));
  const unread = listSettings().filter(
    (setting) => valueAt(under, setting.path) !== undefined && !isRead(setting, strategy),
  );
  const input = merged(
    without(
      under,
      unread.map(({ path }) => path),
    ),
    own,
  );
  const parts = chosen.map(({ path, value }) => `${path.split(".").at(-1)}=${String(value)}`);
  const model = tag?.slice(tag.indexOf(":") + 1) ?? "";
  const name = [model, arm.name, ...parts].filter((part) => part !== "").join(",");
  return {
    name: name.replace(/[^A-Za-z0-9.,=_+-]+/g, "-").slice(0, 80) || "all",
    ...(arm.name === "" ? {} : { arm: arm.name }),
    model: tag,
    input,
  };
}

function strategyOf(input: unknown): unknown {
  return valueAt(input, "strategy") ?? defaultStrategy("without-model");
}

function isRead({ strategies }: Setting, strategy: unknown): boolean {
  return strategies === null || strategies.some((one) => one === strategy);
}

/** Refuses a setting that no strategy of the sweep reads: it is most likely a mistake. */
function refuseUnread(under: unknown, cells: readonly SweepCell[]): void {
  const strategies = cells.map(({ input }) => strategyOf(input));
  const unread = listSettings().find(
    (setting) =>
      valueAt(under, setting.path) !== undefined &&
      valueAt(under, setting.path) !== setting.default &&
      !strategies.some((strategy) => isRead(setting, strategy)),
  );
  if (unread === undefined) return;
  throw new Failure(
    "wrong-setting",
    `No strategy of the sweep (${[...new Set(strategies)].join(", ")}) reads \`--${unread.flag}\` (${unread.path}): leave it out.`,
    { path: unread.path },
  );
}

/** A copy without the settings at these paths. */
function without(settings: unknown, paths: readonly string[]): unknown {
  const copy: unknown = structuredClone(settings);
  for (const path of paths) {
    const parts = path.split(".");
    const name = parts.pop() ?? "";
    const holder = parts.length === 0 ? copy : valueAt(copy, parts.join("."));
    if (typeof holder === "object" && holder !== null) Reflect.deleteProperty(holder, name);
  }
  return copy;
}

function nested([name = "", ...rest]: readonly string[], value: unknown): unknown {
  return { [name]: rest.length === 0 ? value : nested(rest, value) };
}

/** Numbers the cells, so that folders are unique and sort in order; validates each cell and makes its paths absolute. */
function named({ name, input, ...rest }: SweepCell, place: number, of: number): SweepCell {
  const number = String(place + 1).padStart(String(of).length, "0");
  let asked: EvalSettings;
  try {
    asked = readEvalSettings(input);
  } catch (error) {
    if (!isFailure(error)) throw error;
    throw new Failure(error.kind, `${name}: ${error.message}`, { ...error.facts, cell: name });
  }
  return { name: `${number}-${name}`, ...rest, input: withAbsolutePaths(input, asked) };
}

/** Makes paths absolute, because a sweep may be resumed from another folder. */
function withAbsolutePaths(
  input: unknown,
  { data, load, leave_out, settings: { runtime } }: EvalSettings,
): unknown {
  const absolute = (path: string | null) => (path === null ? null : resolve(path));
  return merged(input, {
    data: resolve(data),
    ...load,
    ...(leave_out === null ? {} : { leave_out: absolute(leave_out) }),
    runtime: {
      data: resolve(runtime.data),
      prompts: absolute(runtime.prompts),
      prices: absolute(runtime.prices),
    },
  });
}
