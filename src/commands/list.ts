import type { Command } from "commander";
import { addAsk } from "./ask.ts";
import { addCards } from "./cards.ts";
import { addDemo } from "./demo.ts";
import { addDoctor } from "./doctor.ts";
import { addForget } from "./forget.ts";
import { addFrames } from "./frames.ts";
import { addProbe } from "./probe.ts";

/** Every command, in the order of the help. */
export const COMMANDS: readonly ((program: Command) => void)[] = [
  addAsk,
  addDemo,
  addProbe,
  addFrames,
  addCards,
  addForget,
  addDoctor,
];
