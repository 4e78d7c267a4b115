import { haveSameScorers, isOfSameData } from "../compare/require-comparable.ts";
import { unitOf } from "../run/selection.ts";
import { hasScorer, type MetricItem } from "../score/metrics.ts";
import { shortenedQuestions } from "../score/shortened-questions.ts";
import { armOf, type PresetColumn, type PresetTable } from "../sweep/presets/preset.ts";
import { questionIds, type ReportRun } from "./run.ts";

/* Differences between two arms of a preset: paired, over the questions that both runs have. */

/** The paired difference of a column in points, `to` minus `from`; null without a common item or with different scorers. */
export function pairedDifference(
  column: PresetColumn,
  from: ReportRun,
  to: ReportRun,
): number | null {
  if (!areComparable(from, to) || column.items === undefined) return null;
  const before = new Map(column.items(from).map((item) => [item.id, item.value]));
  const changes = column.items(to).flatMap(({ id, value }: MetricItem) => {
    const old = before.get(id);
    return old === undefined ? [] : [value - old];
  });
  if (changes.length === 0) return null;
  return (100 * changes.reduce((sum, change) => sum + change, 0)) / changes.length;
}

function areComparable(a: ReportRun, b: ReportRun): boolean {
  return isOfSameData(a.results, b.results) && haveSameScorers(a.results, b.results);
}

/** How many questions the cells and differences of a table cover, where results are missing, and which runs are not compared. */
export function coverageTexts(
  { rows, columns }: PresetTable,
  byArm: ReadonlyMap<string, ReportRun>,
): string[] {
  const shown = rows.flatMap(({ arm, against }) =>
    [arm, ...(against === undefined ? [] : [against])].flatMap((ofRow) => [
      ofRow,
      ...columns.map((column) => armOf(column, ofRow)),
    ]),
  );
  const runs = [...new Set(shown)].flatMap((arm) => byArm.get(arm) ?? []);
  const partial = runs.filter(({ results }) => results.missing > 0);
  return [
    ...partial.map(
      (run) =>
        `${run.name} lacks ${run.results.missing} results: its cells cover ${questionIds(run).size} of ${askedBy(run)} questions.`,
    ),
    ...rows.flatMap(({ arm, against }) => {
      const [to, from] = [byArm.get(arm), byArm.get(against ?? "")];
      if (to === undefined || from === undefined) return [];
      const names = `${to.name} minus ${from.name}`;
      if (!haveSameScorers(from.results, to.results))
        return [`${names}: no difference, because their answers are scored in different ways.`];
      const [own, others] = [questionIds(to), questionIds(from)];
      const common = [...own].filter((id) => others.has(id)).length;
      if (common >= Math.max(askedBy(to), askedBy(from))) return [];
      return [`${names}: over the ${common} questions that both have.`];
    }),
  ];
}

/** The number of questions of a run that have a scorer and all of their pairs, with a result or without. */
function askedBy({ results }: ReportRun): number {
  const { samples, benchmark } = results;
  const shortened = new Set(shortenedQuestions(samples).map(({ id }) => id));
  const asked = samples.filter((sample) => hasScorer(benchmark, sample)).map(unitOf);
  return new Set(asked.filter((id) => !shortened.has(id))).size;
}
