import type { Command } from "commander";
import { addSettingFlags } from "./setting-flags.ts";

/** What the calls of a judge can be told; the judge itself is named by `--judge-model`. */
const GROUPS = ["generation.", "budget.", "runtime."];
const FRAMES = [
  "recognition.fps",
  "recognition.sampler",
  "recognition.max_side",
  "recognition.max_area",
];

/** The flags that `judge` and `eval-judge` share. */
export function addJudgeFlags(command: Command): Command {
  command
    .requiredOption("--judge-model <name>", "the judge, as provider:model")
    .option("--limit <n>", "only so many of the replies")
    .option("--temperature <number>", "default: steps and VideoMathQA's errors 0.6, else 0")
    .option("--max-tokens <number>", "new tokens a judge's reply may have (default: 8192)")
    .option("--frames <number>", "frames that a judge of MMR-V sees (default: 16)")
    .option("--total-cost-limit <dollars>", "stop once so much is paid for this judging in all")
    .option("--text-only", "send no frames to a judge that looks at frames")
    .option("--out <folder>", "where judgements on a response file go (default: under runs/)")
    .option("--json", "print one JSON value");
  return addSettingFlags(
    command,
    (path) => FRAMES.includes(path) || GROUPS.some((group) => path.startsWith(group)),
  );
}
