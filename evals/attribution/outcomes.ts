import { Failure } from "../../src/core/errors.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { unitOf } from "../run/selection.ts";
import { type MetricName, metricItems } from "../score/metrics.ts";
import type { Results } from "../score/read-results.ts";
import { scoreReplies } from "../score/score-replies.ts";
import type { OutcomeTable } from "./outcome-table.ts";

/** A sample without a result in one of the runs. */
export interface FailedSample {
  sample: string;
  /** The first run in which it failed, and why. */
  message: string;
}

/**
 * The scores of the runs of all combinations, on the questions that have a result in each run; the others are in `failed`.
 * Throws `Failure` `not-found` if no question has a result in each.
 */
export function outcomesOf(
  stages: readonly string[],
  runs: readonly Results[],
  metric: MetricName,
): { table: OutcomeTable; failed: FailedSample[] } {
  const samples = runs[0]?.samples ?? [];
  const failed = samples.flatMap((sample): FailedSample[] => {
    const message = runs.map((run) => failureIn(run, sample)).find((one) => one !== null);
    return message === undefined || message === null ? [] : [{ sample: sample.id, message }];
  });
  const ids = new Set(failed.map(({ sample }) => sample));
  const left = new Set(samples.filter(({ id }) => ids.has(id)).map(unitOf));
  const sources = new Map(samples.map((sample) => [unitOf(sample), sourceOf(sample)]));
  const items = runs.map((run) => {
    const scored = scoreReplies(run).filter(({ sample }) => !left.has(unitOf(sample)));
    return new Map(metricItems(metric, run, scored).map((item) => [item.id, item]));
  });
  const [first] = items;
  if (first === undefined || first.size === 0)
    throw new Failure(
      "not-found",
      `No question has a score in every run${failed[0] === undefined ? ": choose a scorer with --scorer" : `. The first failed with: ${failed[0].message}`}`,
      { failed: failed.length },
    );
  const kept = [...first.values()];
  return {
    failed,
    table: {
      stages: [...stages],
      samples: kept.map(({ id }) => id),
      clusters: kept.map(({ question, cluster }) => sources.get(question) ?? cluster),
      arms: items.map((of) => kept.map(({ id }) => of.get(id)?.value ?? 0)),
    },
  };
}

/** The source video of an arrangement of clips; arrangements of one source are not independent. */
export function sourceOf({ row }: Sample): string | null {
  const { provenance } = row as { provenance?: { source_sha256?: unknown } };
  return typeof provenance?.source_sha256 === "string" ? provenance.source_sha256 : null;
}

/** Why a sample has no result in a run; null if it has one in every epoch. */
function failureIn({ name, said }: Results, { id }: Sample): string | null {
  const own = said.filter(({ sample }) => sample.id === id);
  const error = own.find(({ line }) => line?.error !== undefined)?.line?.error;
  if (error !== undefined) return `${name}: ${error.message}`;
  return own.length === 0 || own.some(({ line }) => line === null) ? `${name}: not asked` : null;
}
