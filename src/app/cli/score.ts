import type { Command } from "commander";
import { withExamples } from "./example.ts";
import { print, printJson, run, say } from "./output.ts";
import { readRuns } from "./read-runs.ts";
import { renderScore } from "./render/score.ts";
import {
  addConnectionFlags,
  addResultsFlags,
  notStartedText,
  type ResultsFlags,
} from "./results-flags.ts";

export function configureScore(command: Command): void {
  command
    .argument(
      "<run>",
      "the folder of a run or sweep, or a VCRBench, MMR-V or lmms-eval response file",
    )
    .option(
      "--json",
      "print one JSON value with the metric names of the benchmark; for a sweep: { sweep, not_begun, runs }",
    );
  addResultsFlags(command);
  addConnectionFlags(command);
  withExamples(
    command,
    "score runs/vcrbench-rrd-20260801-093000 --extractor sound",
    "score sweeps/ladder",
    "score runs/videomathqa-direct-20260801-093000 --extractor-model openai:Qwen/Qwen3-4B --base-url http://localhost:8000/v1 --thinking-budget 0",
    "score runs/dataset-direct-20260801-093000 --scorer open=judged --judge-model openai:gpt-4.1 --rubric rubric.txt",
    "score runs/dataset-direct-20260801-093000 --scorer-command 'python3 grade.py --strict'",
    "score responses.json --benchmark vcrbench --data VCRBench --json",
  );
  command.action((path: string, flags: ResultsFlags & { json?: boolean }) =>
    run(async (signal) => {
      const { scoreJson, scoreResults } = await import("../../../evals/score/score-run.ts");
      const { sweep, not_begun, runs } = await readRuns(path, flags, command, signal);
      const scores = runs.map(({ results }) => scoreResults(results));
      if (flags.json) {
        const values = scores.map(scoreJson);
        printJson(sweep === null ? values[0] : { sweep, not_begun, runs: values });
      } else print(scores.map(renderScore).join("\n\n\n"));
      if (not_begun > 0) say(notStartedText(not_begun));
      return undefined;
    }),
  );
}
