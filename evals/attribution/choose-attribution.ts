import { strategies } from "../../graphs/define-strategy.ts";
import { Failure } from "../../src/core/errors.ts";
import { benchmarks } from "../benchmarks/define-benchmark.ts";
import { readEvalSettings } from "../run/eval-settings.ts";
import { prepare } from "../run/prepare-run.ts";
import { hasStepNames } from "../run/step-names.ts";
import type { GoldSources } from "./plan-gold.ts";

/**
 * Whether errors are attributed to stages by gold; otherwise to recognition and reasoning over the step names of an
 * ordering set, or to two models. Step names decide where nothing was asked for. Throws `Failure` `wrong-usage` for gold
 * together with a second model, and as `startRun`.
 */
export async function isByGold(
  input: unknown,
  sources: GoldSources,
  other: string | undefined,
): Promise<boolean> {
  if (Object.values(sources).some((value) => value !== undefined)) {
    if (other === undefined) return true;
    throw new Failure(
      "wrong-usage",
      "--other-model swaps two models and uses no gold: leave it out, or leave out --gold, --oracle-model and --stages.",
    );
  }
  if (other !== undefined) return false;
  const asked = readEvalSettings(input);
  const { tasks } = benchmarks.get(asked.benchmark);
  if (!tasks.includes("order")) return true;
  if (strategies.get(asked.settings.strategy).approach !== "decomposed") return true;
  if (tasks.length === 1) return false;
  return !(await prepare(asked)).samples.some(hasStepNames);
}
