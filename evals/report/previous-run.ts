import type { Results } from "../score/read-results.ts";

/**
 * Whether the difference of a run to the one before it can be the effect of one change. False where another model begins:
 * a sweep with several `--model` runs all its arms for one model after the other. Two such runs are still compared if
 * they differ only by their model.
 */
export function continuesChain(before: Results, run: Results): boolean {
  return !beginsModel(before, run) || othersOf(before) === othersOf(run);
}

/** Outside sweeps, and in older ones, which do not store it, another model in the settings counts as one of several. */
function beginsModel(before: Results, run: Results): boolean {
  if (before.sweep_model !== undefined && run.sweep_model !== undefined)
    return before.sweep_model !== run.sweep_model;
  const [a, b] = [before, run].map(({ header }) => header?.settings.model ?? null);
  return a !== null && b !== null && a !== b;
}

/** All that a sweep may vary in a run, without its model. */
function othersOf({ header }: Results): string {
  if (header === null) return "";
  const { settings, descriptions, epochs, option_orders = 1, gold, extractor, scorers } = header;
  const { model: _, ...others } = settings;
  return JSON.stringify([others, descriptions, epochs, option_orders, gold, extractor, scorers]);
}
