import { join } from "node:path";
import { hasStepNames } from "../../run/step-names.ts";
import type { Need } from "./preset.ts";

/** The name of the step in each clip. */
export const STEP_NAMES: Need = {
  what: "step names",
  has: hasStepNames,
  advice: "Released VCRBench has none; make a set of your own videos with `build-vcrbench`.",
};

/** Subtitle files in `subtitles/`. */
export const SUBTITLES: Need = {
  what: "subtitles",
  has: ({ subtitles }) => subtitles !== undefined,
  advice: "Put the released files into `subtitles/`, named after their videos.",
};

/** A soundtrack. A video that cannot be read has none. */
export const SOUND: Need = {
  what: "sound",
  async has({ video, hasVideo }, folder) {
    if (!hasVideo) return false;
    const { probe } = await import("../../../src/media/probe.ts");
    const found = await probe(join(folder, video)).catch(() => null);
    return (found?.audio.length ?? 0) > 0;
  },
  advice: "Use videos with a soundtrack.",
};

/** Annotated steps of the solution, with which a judge compares a chain of thought. */
export const SOLUTION_STEPS: Need = {
  what: "annotated solution steps",
  has: ({ task, steps }) => task === "choice" && (steps?.length ?? 0) > 0,
  advice: "They are in the column `steps` of the released data.",
};

/** A column `difficulty`. */
export const DIFFICULTY: Need = {
  what: "a difficulty",
  has: ({ row }) => Object.keys(row).some((column) => /^difficulty([_ ]?level)?$/i.test(column)),
  advice: "It is read from a column `difficulty` of the data.",
};
