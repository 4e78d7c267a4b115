import type { Command } from "commander";
import { addStudyCalibration } from "./study-calibration.ts";
import { addStudyPropagation } from "./study-propagation.ts";

/** The group of commands that study runs beyond their scores. */
export function addStudy(program: Command): void {
  const command = program
    .command("study")
    .description(
      "study runs beyond their scores: errors of recognition, calibration of confidences",
    );
  addStudyPropagation(command);
  addStudyCalibration(command);
}
