import { Failure } from "../../src/core/errors.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { stoppedBy } from "../run/run-account.ts";
import { unitOf } from "../run/selection.ts";
import { type MetricName, metricItems } from "../score/metrics.ts";
import type { Results } from "../score/read-results.ts";
import { scoreReplies } from "../score/score-replies.ts";
import type { OutcomeTable } from "./outcome-table.ts";
import { budgetText, countByBudget, placeOf, type StoppedSample } from "./stopped-samples.ts";

/** A sample without a result in one of the runs. */
export interface FailedSample {
  sample: string;
  /** The first run in which it failed, and why. */
  message: string;
}

/** The scores of all combinations, and the samples that are in no score. */
export interface Outcomes {
  table: OutcomeTable;
  failed: FailedSample[];
  stopped: StoppedSample[];
  /** Number of samples with scores that were answered after a budget had refused a call. */
  at_limit: number;
}

/**
 * The scores of the runs of all combinations, on the questions that have a result in each run; the others are in `failed`,
 * or in `stopped` if a budget left them without an answer. `sources`: runs that only recognise for the others.
 * Throws `Failure` `not-found` if no question has a result in each.
 */
export function outcomesOf(
  stages: readonly string[],
  runs: readonly Results[],
  metric: MetricName,
  sources: readonly Results[] = [],
): Outcomes {
  const samples = runs[0]?.samples ?? [];
  const failed = samples.flatMap((sample): FailedSample[] => {
    const message = runs.map((run) => failureIn(run, sample)).find((one) => one !== null);
    return message === undefined || message === null ? [] : [{ sample: sample.id, message }];
  });
  const withError = new Set(failed.map(({ sample }) => sample));
  const stopped = samples
    .filter(({ id }) => !withError.has(id))
    .flatMap((sample) => {
      // Over the evidence of a stopped recognition, stages would also lack what was not recognised.
      const stops = [...sources, ...runs].map((run) => stopIn(run, sample));
      return stops.find((stop) => stop !== null) ?? [];
    });
  const ids = new Set([...failed, ...stopped].map(({ sample }) => sample));
  const left = new Set(samples.filter(({ id }) => ids.has(id)).map(unitOf));
  const items = runs.map((run) => {
    const scored = scoreReplies(run).filter(({ sample }) => !left.has(unitOf(sample)));
    return new Map(metricItems(metric, run, scored).map((item) => [item.id, item]));
  });
  const [first] = items;
  if (first === undefined || first.size === 0) throw noScores(failed, stopped);
  const kept = [...first.values()];
  return {
    failed,
    stopped,
    at_limit: samples.filter(
      (sample) =>
        !left.has(unitOf(sample)) && [...sources, ...runs].some((run) => isAtLimit(run, sample)),
    ).length,
    table: {
      stages: [...stages],
      samples: kept.map(({ id }) => id),
      clusters: kept.map(({ cluster }) => cluster),
      arms: items.map((of) => kept.map(({ id }) => of.get(id)?.value ?? 0)),
    },
  };
}

/** Why a sample has no result in a run; null if it has one in every epoch. */
function failureIn({ name, said }: Results, { id }: Sample): string | null {
  const own = said.filter(({ sample }) => sample.id === id);
  const error = own.find(({ line }) => line?.error !== undefined)?.line?.error;
  if (error !== undefined) return `${name}: ${error.message}`;
  return own.length === 0 ? `${name}: not asked` : null;
}

/** The budget that left a sample without an answer in a run; null if it has one in every epoch. */
function stopIn({ name, said }: Results, { id }: Sample): StoppedSample | null {
  for (const { sample, line } of said) {
    const by = sample.id === id && line !== null ? stoppedBy(line) : null;
    if (by !== null) return { sample: id, by, run: name };
  }
  return null;
}

/** Whether a budget refused a call of a sample in a run. */
function isAtLimit({ said }: Results, { id }: Sample): boolean {
  return said.some(({ sample, line }) => sample.id === id && (line?.limits_met.length ?? 0) > 0);
}

function noScores(failed: readonly FailedSample[], stopped: readonly StoppedSample[]): Failure {
  const by = countByBudget(stopped);
  const [error] = failed;
  const [stop] = stopped;
  const why = [
    ...(error === undefined ? [] : [`The first failed with: ${error.message}`]),
    ...(stop === undefined
      ? []
      : [
          `A budget stopped ${stopped.length} (${budgetText(by)}), such as ${placeOf(stop)}: start a new attribution with a higher limit.`,
        ]),
  ];
  return new Failure(
    "not-found",
    why.length === 0
      ? "No question has a score in every run: choose a scorer with --scorer."
      : `No question has a score in every run. ${why.join(" ")}`,
    { failed: failed.length, stopped: by },
  );
}
