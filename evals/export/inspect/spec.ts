import { basename } from "node:path";
import { headerVariables } from "../../../src/core/settings/headers.ts";
import { valueAt } from "../../../src/core/settings/list-settings.ts";
import { listSettings, readsSetting, type Settings } from "../../../src/core/settings.ts";
import { version } from "../../../src/core/version.ts";
import { extractorNames } from "../../score/extractor-choice.ts";
import type { Results } from "../../score/read-results.ts";
import type { Config, EvalPlan, EvalSpec } from "./log-schema.ts";
import { idOf } from "./messages.ts";
import { logId } from "./sample-id.ts";
import { modelName } from "./usage.ts";

type Facts = EvalSpec["metadata"];

/** What was run: the task, the data, the model and the settings. `created` is ISO 8601. */
export function toEvalSpec(results: Results, created: string): EvalSpec {
  const { benchmark, samples, header, name, epochs } = results;
  const settings = (header?.settings ?? {}) as Partial<Settings>;
  const run = header?.run ?? idOf(name, results.data?.hash ?? "");
  const path = header?.data.path ?? header?.data.folder;
  const task_args = facts({
    ...(results.data === null ? {} : { subset: results.data.subset }),
    ...header?.data.load,
  });
  const strategy = solverOf(results);
  const base = baseUrl(settings.runtime?.base_url);
  return {
    eval_id: idOf(run, "eval"),
    run_id: run,
    created,
    task: benchmark.name,
    task_id: idOf(run, "task"),
    task_version: 0,
    task_display_name: benchmark.title,
    task_attribs: {},
    ...{ task_args, task_args_passed: task_args },
    ...(strategy === null
      ? {}
      : {
          solver: strategy.solver,
          solver_args: strategy.params,
          solver_args_passed: strategy.params_passed,
        }),
    dataset: {
      name: benchmark.name,
      ...(path === undefined ? {} : { location: basename(path) }),
      samples: samples.length,
      sample_ids: samples.map(({ id }) => logId(id)),
      ...(header === null ? {} : { shuffled: header.selection.sample_shuffle !== null }),
    },
    model: settings.model == null ? "none/none" : modelName(settings.model),
    ...(base === null ? {} : { model_base_url: base }),
    model_generate_config: configOf(settings),
    model_args: {},
    ...rolesOf(settings),
    config: {
      epochs,
      ...(epochs > 1 ? { epochs_reducer: ["mean"] as ["mean"] } : {}),
      ...selectionOf(results),
      log_images: header?.keep_requests === true,
    },
    packages: { ...header?.versions, "video-rrd": header?.versions["video-rrd"] ?? version() },
    metadata: metadataOf(results),
    scorers: extractorNames(benchmark).map((extractor) => ({
      name: extractor,
      options: facts({ scorers: benchmark.scorers }),
    })),
  };
}

/** The strategy as a plan of one step. */
export function toEvalPlan(results: Results): EvalPlan {
  const step = solverOf(results);
  const settings = (results.header?.settings ?? {}) as Partial<Settings>;
  return { name: "plan", steps: step === null ? [] : [step], config: configOf(settings) };
}

/** The settings that the strategy reads, and those that differ from their defaults; no secret, no address. */
function solverOf({ header }: Results): EvalPlan["steps"][number] | null {
  const settings = header?.settings;
  const solver = settings?.strategy;
  if (typeof solver !== "string") return null;
  const shown = listSettings()
    .filter(
      ({ path, secret }) =>
        !secret &&
        !path.startsWith("runtime.") &&
        readsSetting(solver, path) &&
        path !== "strategy",
    )
    .map(({ path, default: unset }) => ({ path, unset, value: shownValue(settings, path) }))
    .filter(({ value }) => value !== null && value !== undefined);
  const changed = shown.filter(
    ({ value, unset }) => JSON.stringify(value) !== JSON.stringify(unset),
  );
  const asFacts = (some: typeof shown) =>
    facts(Object.fromEntries(some.map(({ path, value }) => [path, value])));
  return { solver, params: asFacts(shown), params_passed: asFacts(changed) };
}

/** Of an object such as `extra_body` only the names: a value may be a secret. */
function shownValue(settings: unknown, path: string): unknown {
  const value = valueAt(settings, path);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? Object.keys(value) : value;
}

function configOf(settings: Partial<Settings>): Config {
  const { generation, reasoning, seed } = settings;
  const { temperature, max_tokens } = (reasoning ?? {}) as Record<string, unknown>;
  return {
    ...(typeof temperature === "number" ? { temperature } : {}),
    ...(typeof max_tokens === "number" ? { max_tokens } : {}),
    ...(generation?.top_p == null ? {} : { top_p: generation.top_p }),
    ...(generation?.top_k == null ? {} : { top_k: generation.top_k }),
    ...(seed === undefined ? {} : { seed }),
    ...(generation?.reasoning_effort == null
      ? {}
      : { reasoning_effort: generation.reasoning_effort }),
    ...((generation?.thinking_budget ?? -1) < 0
      ? {}
      : { reasoning_tokens: generation?.thinking_budget ?? 0 }),
  };
}

function rolesOf(settings: unknown): Pick<EvalSpec, "model_roles"> {
  const roles = listSettings().flatMap(({ path, role, kind }) => {
    const value = role === null || role === "any" ? null : valueAt(settings, path);
    const isModel = kind === "string" && typeof value === "string" && value.includes(":");
    return isModel
      ? [[role as string, { model: modelName(value), config: {}, args: {} }] as const]
      : [];
  });
  return roles.length === 0 ? {} : { model_roles: Object.fromEntries(roles) };
}

/** Without user, password and query, which may be secrets. */
function baseUrl(given: string | null | undefined): string | null {
  if (given == null || !URL.canParse(given)) return null;
  const { origin, pathname } = new URL(given);
  return origin + pathname;
}

function selectionOf({ header }: Results) {
  if (header === null) return {};
  const { limit, sample_id, sample_shuffle } = header.selection;
  return {
    ...(limit === null
      ? {}
      : // Inspect counts from 0.
        { limit: [limit.from - 1, limit.to] as [number, number] }),
    ...(sample_id.length === 0 ? {} : { sample_id }),
    ...(sample_shuffle === null ? {} : { sample_shuffle }),
    ...(header.max_samples === null ? {} : { max_samples: header.max_samples }),
    ...(header.fail_on_error === null ? {} : { fail_on_error: header.fail_on_error }),
  };
}

function metadataOf({ header, data, name, notes, option_orders = 1 }: Results): Facts {
  const headers = header === null ? null : (header.settings as Partial<Settings>).runtime?.headers;
  return facts({
    ...{ made_by: "video-rrd export", run_name: name, data_hash: data?.hash, notes },
    ...(option_orders === 1 ? {} : { option_orders }),
    ...(headers == null ? {} : { header_names: [...(headerVariables(headers)?.keys() ?? [])] }),
    ...(header === null
      ? {}
      : {
          format: header.format,
          settings_hash: header.settings_hash,
          status: header.status,
          ended_by: header.ended_by,
          descriptions: header.descriptions,
          protocol: header.protocol,
          extractor: header.extractor,
          prompts: header.prompts,
          prompts_replaced: header.prompts_replaced,
          modules: header.modules?.map(({ sha256 }) => sha256),
          gold: header.gold,
          human_study: header.human_study,
          total_cost_limit: header.total_cost_limit,
        }),
  });
}

/** As JSON, without members that are undefined. */
export function facts(value: Record<string, unknown>): Facts {
  return JSON.parse(JSON.stringify(value)) as Facts;
}
