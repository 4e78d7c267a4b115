import { percent, withInterval } from "../../report/figures.ts";
import type { ReportRun } from "../../report/run.ts";
import { metricItems } from "../../score/metrics.ts";
import { type Mean, meanShare } from "../../statistics/statistics.ts";
import type { Cell, PresetColumn } from "./preset.ts";

/* Columns that several presets have. Every number comes from the scores of a run. */

/** A number that a run does not have. */
export const NOT_MEASURED: Cell = { text: "–", value: null };

/** A share as a percentage with its interval. */
export function shareCell(mean: Mean | null | undefined): Cell {
  if (mean == null) return NOT_MEASURED;
  const { low, high } = mean;
  return { text: withInterval(mean), value: 100 * mean.mean, low, high };
}

/** A share as a percentage without an interval. */
export function plainShareCell(share: number | null | undefined): Cell {
  return share == null ? NOT_MEASURED : { text: percent(share), value: 100 * share };
}

/** Accuracy over all questions. `published`: name of the metric in the published results. */
export function accuracy(head: string, published: string, arm?: string): PresetColumn {
  return {
    head,
    arm,
    value: ({ score }) => shareCell(score.all.ofAll),
    items: ({ results, said }) => metricItems("accuracy", results, said),
    published: ({ scores }) => scores[published],
  };
}

/** Right positions over all positions of the orders. */
export function stepAccuracy(head: string, published: string): PresetColumn {
  return {
    head,
    value: ({ score }) => shareCell(score.step_accuracy?.micro),
    items: ({ results, said }) => metricItems("step-accuracy", results, said),
    published: ({ scores }) => scores[published],
  };
}

/** Accuracy over the questions of a group, such as the kind `length` and the group `short`. */
export function groupAccuracy(
  head: string,
  {
    kind,
    group,
    published,
    arm,
  }: { kind: string; group: string; published?: string; arm?: string },
): PresetColumn {
  return {
    head,
    arm,
    value: (run) => shareCell(groupOf(run, kind, group)?.ofAll),
    items: ({ results, said }) =>
      metricItems("accuracy", results, said).filter(
        ({ groups }) => plain(groups[kind] ?? "") === plain(group),
      ),
    published: ({ by }) => (published === undefined ? undefined : by?.[published]?.[kind]?.[group]),
  };
}

function groupOf({ score }: ReportRun, kind: string, group: string) {
  return score.groups.find((one) => one.kind === kind && plain(one.group) === plain(group));
}

/** Data and papers differ in capitals and separators. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, "");
}

/** The share of the clips whose step the model of the run recognises among three. */
export function eventRecognition(head: string): PresetColumn {
  return {
    head,
    value({ results: { eventTest = [] } }) {
      const items = eventTest
        .filter(({ stopped_by }) => stopped_by === undefined)
        .map(({ right, cluster }) => ({ value: Number(right === true), cluster }));
      return shareCell(items.length === 0 ? null : meanShare(items));
    },
  };
}
