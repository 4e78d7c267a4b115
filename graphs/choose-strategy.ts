import { standard } from "./define-strategy.ts";

/**
 * The strategy for settings that name a model and no strategy: the one that asks a model by default. Null if they name a
 * strategy, or no model.
 */
export function chooseStrategy(given: unknown): string | null {
  if (typeof given !== "object" || given === null) return null;
  const { strategy, model } = given as { strategy?: unknown; model?: unknown };
  return strategy == null && model != null ? standard("with-model").name : null;
}

/** The settings with that strategy. */
export function withChosenStrategy(given: unknown): unknown {
  const strategy = chooseStrategy(given);
  return strategy === null ? given : { ...(given as object), strategy };
}
