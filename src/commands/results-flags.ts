import type { Command } from "commander";

export interface ResultsFlags {
  benchmark?: string;
  data?: string;
  subset?: "mcq" | "multi_binary";
  model?: string;
  extractor: string;
}

/** What says how a run or a response file of others is to be read and scored. */
export function addResultsFlags(command: Command): Command {
  return command
    .option("--benchmark <name>", "of a response file: vcrbench, mmr-v or videomathqa")
    .option("--data <folder>", "the benchmark's data, where a response file does not hold its own")
    .option("--subset <name>", "VideoMathQA: mcq or multi_binary")
    .option("--model <name>", "of an MMR-V file with several models' responses")
    .option(
      "--extractor <name>",
      "official or sound: how an answer is read from a reply",
      "official",
    );
}

/** Said of a sweep that is read before all of its runs have begun. */
export function notBegunText(count: number): string {
  return `${count} ${count === 1 ? "run" : "runs"} of the sweep ${count === 1 ? "has" : "have"} not begun.`;
}
