import type { CalibrationStudy } from "../../../../evals/calibration/calibration-study.ts";
import { CALIBRATION_ABOUT, calibrationRows } from "../../../../evals/calibration/report.ts";
import { printable, table } from "../output.ts";

/** The signals of a run in a table, with what they are. */
export function renderCalibration(study: CalibrationStudy): string {
  const { run, benchmark, extractor, basis, caveats, signals } = study;
  return [
    `${printable(run)}: ${benchmark}, extractor ${extractor}`,
    "",
    table(calibrationRows(signals)),
    ...(caveats === null ? [] : ["", printable(`${run}: ${caveats}`)]),
    "",
    ...signals.map(({ signal, title }) => `${signal}: ${title}.`),
    ...basis.map((words) => `The strategy computes its confidence as ${printable(words)}.`),
    CALIBRATION_ABOUT,
    ...(signals.some(({ fitted }) => fitted === null)
      ? ["n too small: fewer than 20 videos, so nothing was calibrated."]
      : []),
  ].join("\n");
}
