import {
  PROPAGATION_ABOUT,
  propagationRows,
  warningsOf,
} from "../../../../evals/propagation/report.ts";
import type { PropagationStudy } from "../../../../evals/propagation/summary.ts";
import { printable, table } from "../output.ts";

/** One table for each kind of error, with the runs below each other. */
export function renderPropagation(studies: readonly PropagationStudy[]): string {
  const curves = studies.flatMap((study) =>
    study.curves.map((curve) => ({ study, run: study.run, curve })),
  );
  const tables = [...Map.groupBy(curves, ({ curve }) => curve.error)].flatMap(([error, having]) => [
    `${error}: ${having[0]?.curve.summary}`,
    table(propagationRows(having).map((row) => row.map(printable))),
    ...having.flatMap(({ study, curve }) => warningsOf(study, curve)).map(printable),
    "",
  ]);
  return [...tables, PROPAGATION_ABOUT].join("\n");
}
