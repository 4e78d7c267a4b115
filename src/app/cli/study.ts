import type { Command } from "commander";
import { withExamples } from "./example.ts";
import { addStudyCalibration } from "./study-calibration.ts";
import { addStudyFrontier } from "./study-frontier.ts";
import { addStudyPropagation } from "./study-propagation.ts";

/** The group of commands that study runs beyond their scores. */
export function configureStudy(command: Command): void {
  withExamples(command, "study frontier runs/direct runs/rrd");
  addStudyFrontier(command);
  addStudyPropagation(command);
  addStudyCalibration(command);
}
