import type { Command } from "commander";
import { withExamples } from "./example.ts";
import { print, printJson, run } from "./output.ts";
import { renderComparison } from "./render-comparison.ts";
import { addResultsFlags, extractorAsked, type ResultsFlags } from "./results-flags.ts";

export function addCompare(program: Command): void {
  const command = program
    .command("compare")
    .description("compare runs over the same questions, each with the first, question by question")
    .argument("<runs...>", "folders of runs, or response files")
    .option("--seed <n>", "seed of the resampling", "0")
    .option("--flips <n>", "flipped questions to show", "20")
    .option("--json", "print one JSON value");
  addResultsFlags(command);
  withExamples(command, "compare runs/direct runs/rrd", "compare runs/a runs/b runs/c --json");
  command.action(
    (paths: string[], flags: ResultsFlags & { seed: string; flips: string; json?: boolean }) =>
      run(async () => {
        const { readResults } = await import("../../evals/read-results.ts");
        const { compareResults } = await import("../../evals/compare.ts");
        const { wholeNumber } = await import("./setting-flags.ts");
        const { withExtractor } = await import("../../evals/extractor-choice.ts");
        const asked = await extractorAsked(flags);
        const results = await Promise.all(
          paths.map(async (path) => withExtractor(await readResults(path, flags), asked)),
        );
        const comparison = compareResults(results, {
          seed: wholeNumber("--seed", flags.seed),
        });
        if (flags.json) printJson(comparison);
        else print(renderComparison(comparison, wholeNumber("--flips", flags.flips)));
        return undefined;
      }),
  );
}
