import { Failure } from "../../src/core/errors.ts";
import { valueAt } from "../../src/core/settings.ts";
import { merged } from "../run/eval-settings.ts";
import { PRESETS, presetNamed } from "./presets/presets.ts";
import { readSweep, type Sweep } from "./sweep-settings.ts";

/** What is given for a preset in addition to its settings. */
export interface PresetOptions {
  /** `provider:model` of each row; empty: the model of the settings. */
  models?: readonly string[];
  judge_model?: string;
  /** Dollars that all runs may spend together. */
  total_cost_limit?: number;
}

/**
 * Reads a preset as a sweep; settings in `over` override those that all of its arms share. Throws `Failure` `wrong-usage`
 * for an unknown preset, another benchmark, or a judge that the preset does not use, and as `readSweep`.
 *
 * @example
 * const sweep = readPreset("vcrbench-table-1", { data: "VCRBench" }, { models: ["openai:gpt-4.1"] });
 * await startSweep(sweep, "sweeps/table-1");
 */
export function readPreset(
  name: string,
  over: unknown = {},
  { models = [], judge_model, total_cost_limit }: PresetOptions = {},
): Sweep {
  const preset = presetNamed(name);
  if (preset === undefined)
    throw new Failure(
      "wrong-usage",
      `Invalid --preset ${JSON.stringify(name)}: use ${PRESETS.map((one) => one.name).join(", ")}.`,
      { preset: name },
    );
  const { sweep, judges = [], tables = [] } = preset;
  const inputOf = (model: string | null) => {
    const input = typeof sweep === "function" ? sweep(model) : sweep;
    refuseBenchmark(name, valueAt(input, "base.benchmark"), valueAt(over, "benchmark"));
    return merged(input, total_cost_limit === undefined ? {} : { total_cost_limit });
  };
  if (judge_model !== undefined && judges.length === 0)
    throw new Failure(
      "wrong-usage",
      `Invalid --judge-model for --preset ${name}: no judge reads its replies. Leave it out.`,
      { preset: name },
    );
  return {
    ...readSweep(inputOf, over, models),
    ...(tables.length > 0 || judges.length > 0 ? { preset: name } : {}),
    ...(judge_model === undefined ? {} : { judge_model }),
  };
}

function refuseBenchmark(preset: string, own: unknown, given: unknown): void {
  if (own === undefined || given === undefined || own === given) return;
  throw new Failure(
    "wrong-usage",
    `Invalid --benchmark ${given} for --preset ${preset}, which is of ${own}: leave --benchmark out.`,
    { preset, benchmark: given },
  );
}
