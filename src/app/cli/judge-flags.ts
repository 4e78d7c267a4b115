import type { Command } from "commander";
import { addSettingFlags, isForModelCalls } from "./setting-flags.ts";

/** Settings of the calls of a judge. `--judge-model` names the judge. */
const GROUPS = ["generation.", "budget."];
const FRAMES = [
  "recognition.fps",
  "recognition.sampler",
  "recognition.max_side",
  "recognition.max_area",
];

/** The flags that `judge` and `eval-judge` share. */
export function addJudgeFlags(
  command: Command,
  more: (path: string) => boolean = () => false,
): Command {
  command
    .requiredOption("--judge-model <name>", "the judge, as provider:model")
    .option("--limit <n>", "maximum number of replies to judge")
    .option("--temperature <number>", "default: steps and VideoMathQA's errors 0.6, else 0")
    .option("--max-tokens <number>", "maximum output tokens of a judge's reply (default: 8192)")
    .option("--frames <number>", "frames that a judge of MMR-V gets (default: 16)")
    .option("--total-cost-limit <dollars>", "stop when the whole judging has cost this much")
    .option("--text-only", "send no frames to a judge that uses frames")
    .option(
      "--out <folder>",
      "folder for judgements of a response file (default: a new one under runs/)",
    )
    .option("--json", "print one JSON value");
  return addSettingFlags(
    command,
    (path) =>
      more(path) ||
      FRAMES.includes(path) ||
      isForModelCalls(path) ||
      GROUPS.some((group) => path.startsWith(group)),
  );
}
