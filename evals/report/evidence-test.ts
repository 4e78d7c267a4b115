import type { ReportPart } from "../../src/pages/report-data.ts";
import { withInterval } from "./figures.ts";
import type { ReportRun } from "./run.ts";

/** Results of `eval --evidence-test`; empty if no run has them. */
export function evidenceTestPart(
  runs: readonly ReportRun[],
): Pick<ReportPart, "tables" | "warnings"> {
  const tested = runs.flatMap(({ name, score }) =>
    score.evidence_test === null ? [] : [{ name, test: score.evidence_test }],
  );
  if (tested.length === 0) return { tables: [], warnings: [] };
  const hasOverlap = tested.some(({ test }) => test.overlap !== null);
  return {
    warnings: tested.flatMap(({ name, test }) => [
      ...(test.status === "finished" ? [] : [`${name}: its evidence test is not finished.`]),
      ...(test.failed > 0 ? [`${name}: the evidence test of ${test.failed} answers failed.`] : []),
    ]),
    tables: [
      {
        title: "Dependence of answers on evidence",
        about:
          "Each answered question was asked again with evidence only, without the video. Stable: the same answer from all evidence. Sufficient: the same answer from only the cited evidence. Necessary: another answer, or none, without the cited evidence." +
          (hasOverlap
            ? " Recall: right spans that overlap a citation. Precision: citations that overlap a right span. IoU: seconds in both divided by seconds in either, with moments widened to 2 s."
            : ""),
        head: [
          "Run",
          "Answers tested",
          "Citing nothing",
          "Stable",
          "Sufficient",
          "Necessary",
          ...(hasOverlap ? ["Recall", "Precision", "IoU"] : []),
        ],
        words: 1,
        rows: tested.map(({ name, test }) => [
          name,
          String(test.tested),
          String(test.citing_nothing),
          withInterval(test.stability),
          withInterval(test.sufficiency),
          withInterval(test.necessity),
          ...(hasOverlap
            ? [test.overlap?.recall, test.overlap?.precision, test.overlap?.iou].map((mean) =>
                withInterval(mean ?? null),
              )
            : []),
        ]),
      },
    ],
  };
}
