import type { Results } from "../score/read-results.ts";

/**
 * Whether the difference of a run to the one before it can be the effect of one change. False if `--model` differs and
 * other settings too: a sweep with several models runs all its arms for one model after the other.
 */
export function continuesChain(before: Results, run: Results): boolean {
  const [a, b] = [splitSettings(before), splitSettings(run)];
  return a.model === null || b.model === null || a.model === b.model || a.others === b.others;
}

function splitSettings({ header }: Results): { model: unknown; others: string } {
  const { model = null, ...others } = header?.settings ?? {};
  return { model, others: JSON.stringify([header?.descriptions, others]) };
}
