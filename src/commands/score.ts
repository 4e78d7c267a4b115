import type { Command } from "commander";
import { withExamples } from "./example.ts";
import { print, printJson, run } from "./output.ts";
import { renderScore } from "./render-score.ts";
import { addResultsFlags, type ResultsFlags } from "./results-flags.ts";

export function addScore(program: Command): void {
  const command = program
    .command("score")
    .description("score a run, or a response file of others, without any new call")
    .argument("<run>", "a run's folder, or a VCRBench, MMR-V or lmms-eval response file")
    .option("--json", "print one JSON value with the benchmark's own names");
  addResultsFlags(command);
  withExamples(
    command,
    "score runs/vcrbench-rrd-20260801-093000 --extractor sound",
    "score responses.json --benchmark vcrbench --data VCRBench --json",
  );
  command.action((path: string, flags: ResultsFlags & { json?: boolean }) =>
    run(async () => {
      const { readResults } = await import("../../evals/read-results.ts");
      const { scoreJson, scoreResults } = await import("../../evals/score-run.ts");
      const score = scoreResults(await readResults(path, flags), flags.extractor);
      if (flags.json) printJson(scoreJson(score));
      else print(renderScore(score));
      return undefined;
    }),
  );
}
