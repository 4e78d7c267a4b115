import type { Command } from "commander";
import { addAsk } from "./ask.ts";
import { addAttribute } from "./attribute.ts";
import { addBuildVcrbench } from "./build-vcrbench.ts";
import { addCards } from "./cards.ts";
import { addCompare } from "./compare.ts";
import { addDemo } from "./demo.ts";
import { addDoctor } from "./doctor.ts";
import { addEval } from "./eval.ts";
import { addExport } from "./export.ts";
import { addForget } from "./forget.ts";
import { addFrames } from "./frames.ts";
import { addIndex } from "./index.ts";
import { addProbe } from "./probe.ts";
import { addReport } from "./report.ts";
import { addScore } from "./score.ts";
import { addSearch } from "./search.ts";
import { addShots } from "./shots.ts";
import { addSimulateOrdering } from "./simulate-ordering.ts";
import { addSubtitles } from "./subtitles.ts";
import { addSweep } from "./sweep.ts";
import { addText } from "./text.ts";

/** Every command, in the order of the help. */
export const COMMANDS: readonly ((program: Command) => void)[] = [
  addAsk,
  addDemo,
  addEval,
  addScore,
  addCompare,
  addSweep,
  addReport,
  addExport,
  addProbe,
  addFrames,
  addCards,
  addShots,
  addText,
  addSubtitles,
  addIndex,
  addSearch,
  addAttribute,
  addBuildVcrbench,
  addSimulateOrdering,
  addForget,
  addDoctor,
];
