import type { ReportPart } from "../../src/pages/report-data.ts";
import { withInterval } from "./figures.ts";
import type { ReportRun } from "./run.ts";

/** What `eval --evidence-test` found of the runs that it was asked for; nothing where it was of none. */
export function evidenceTestPart(
  runs: readonly ReportRun[],
): Pick<ReportPart, "tables" | "warnings"> {
  const tested = runs.flatMap(({ name, score }) =>
    score.evidence_test === null ? [] : [{ name, test: score.evidence_test }],
  );
  if (tested.length === 0) return { tables: [], warnings: [] };
  const placed = tested.some(({ test }) => test.overlap !== null);
  return {
    warnings: tested.flatMap(({ name, test }) => [
      ...(test.status === "finished" ? [] : [`${name}: its evidence test is not finished.`]),
      ...(test.failed > 0 ? [`${name}: the evidence test of ${test.failed} answers failed.`] : []),
    ]),
    tables: [
      {
        title: "What answers hang on",
        about:
          "Each answered question was asked again over evidence alone. Stable: the same answer from all of it. Sufficient: the same answer from what was cited alone. Necessary: another answer, or none, without what was cited." +
          (placed
            ? " Recall: right places that a citation touches. Precision: citations that touch one. IoU: seconds in both over seconds in either, moments widened to 2 s."
            : ""),
        head: [
          "Run",
          "Answers tested",
          "Citing nothing",
          "Stable",
          "Sufficient",
          "Necessary",
          ...(placed ? ["Recall", "Precision", "IoU"] : []),
        ],
        words: 1,
        rows: tested.map(({ name, test }) => [
          name,
          String(test.tested),
          String(test.citing_nothing),
          withInterval(test.stability),
          withInterval(test.sufficiency),
          withInterval(test.necessity),
          ...(placed
            ? [test.overlap?.recall, test.overlap?.precision, test.overlap?.iou].map((mean) =>
                withInterval(mean ?? null),
              )
            : []),
        ]),
      },
    ],
  };
}
