import { frontier } from "./frontier.ts";
import { ladder } from "./ladder.ts";
import { leaks } from "./leaks.ts";
import { mmrVFigure4 } from "./mmr-v-figure-4.ts";
import { mmrVFigure5 } from "./mmr-v-figure-5.ts";
import { mmrVFigure6 } from "./mmr-v-figure-6.ts";
import { mmrVTable3 } from "./mmr-v-table-3.ts";
import { mmrVTable4 } from "./mmr-v-table-4.ts";
import { mmrVThinking } from "./mmr-v-thinking.ts";
import type { Preset } from "./preset.ts";
import { rrd } from "./rrd.ts";
import { vcrbenchFigure7 } from "./vcrbench-figure-7.ts";
import { vcrbenchTable1 } from "./vcrbench-table-1.ts";
import { vcrbenchTable2 } from "./vcrbench-table-2.ts";
import { vcrbenchTable3 } from "./vcrbench-table-3.ts";
import { vcrbenchTable4 } from "./vcrbench-table-4.ts";
import { videoMathQaFigure4 } from "./videomathqa-figure-4.ts";
import { videoMathQaFigure4c } from "./videomathqa-figure-4c.ts";
import { videoMathQaFigure5a } from "./videomathqa-figure-5a.ts";
import { videoMathQaFigure5b } from "./videomathqa-figure-5b.ts";
import { videoMathQaFigure5c } from "./videomathqa-figure-5c.ts";
import { videoMathQaTable1 } from "./videomathqa-table-1.ts";
import { videoMathQaTable2 } from "./videomathqa-table-2.ts";

/** Built-in presets, in the order of the help. */
export const PRESETS: readonly Preset[] = [
  rrd,
  ladder,
  leaks,
  frontier,
  vcrbenchTable1,
  vcrbenchTable2,
  vcrbenchTable3,
  vcrbenchTable4,
  vcrbenchFigure7,
  mmrVTable3,
  mmrVTable4,
  mmrVFigure4,
  mmrVFigure5,
  mmrVFigure6,
  mmrVThinking,
  videoMathQaTable1,
  videoMathQaTable2,
  videoMathQaFigure4,
  videoMathQaFigure4c,
  videoMathQaFigure5a,
  videoMathQaFigure5b,
  videoMathQaFigure5c,
];

/** The preset of that name; undefined if there is none. */
export function presetNamed(name: string): Preset | undefined {
  return PRESETS.find((preset) => preset.name === name);
}
