import type { Command } from "commander";
import { addStudyCalibration } from "./study-calibration.ts";
import { addStudyFrontier } from "./study-frontier.ts";
import { addStudyPropagation } from "./study-propagation.ts";

/** The group of commands that study runs beyond their scores. */
export function addStudy(program: Command): void {
  const command = program
    .command("study")
    .description("study runs beyond their scores: price, errors of recognition, confidences");
  addStudyFrontier(command);
  addStudyPropagation(command);
  addStudyCalibration(command);
}
