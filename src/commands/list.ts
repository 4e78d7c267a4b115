import type { Command } from "commander";
import { addAsk } from "./ask.ts";
import { addCards } from "./cards.ts";
import { addCompare } from "./compare.ts";
import { addDemo } from "./demo.ts";
import { addDoctor } from "./doctor.ts";
import { addEval } from "./eval.ts";
import { addExport } from "./export.ts";
import { addForget } from "./forget.ts";
import { addFrames } from "./frames.ts";
import { addProbe } from "./probe.ts";
import { addScore } from "./score.ts";

/** Every command, in the order of the help. */
export const COMMANDS: readonly ((program: Command) => void)[] = [
  addAsk,
  addDemo,
  addEval,
  addScore,
  addCompare,
  addExport,
  addProbe,
  addFrames,
  addCards,
  addForget,
  addDoctor,
];
