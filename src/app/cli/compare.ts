import type { Command } from "commander";
import type { Results } from "../../../evals/score/read-results.ts";
import { withExamples } from "./example.ts";
import { print, printJson, run } from "./output.ts";
import { runReader } from "./read-runs.ts";
import { renderBeyondBlind } from "./render/blind.ts";
import { renderComparison } from "./render/comparison.ts";
import {
  addConnectionFlags,
  addMetricFlag,
  addResultsFlags,
  type ResultsFlags,
} from "./results-flags.ts";

interface Flags extends ResultsFlags {
  metric: string;
  rerun?: string;
  seed: string;
  flips: string;
  json?: boolean;
}

export function configureCompare(command: Command): void {
  command
    .argument("<runs...>", "folders of runs, or response files")
    .option(
      "--rerun <run>",
      "a second run with the settings of the first, for the noise floor (default: the first other run with equal settings)",
    )
    .option("--seed <n>", "seed of the bootstrap", "0")
    .option("--flips <n>", "number of flipped questions to print", "20")
    .option("--json", "print one JSON value");
  addMetricFlag(addConnectionFlags(addResultsFlags(command)));
  withExamples(
    command,
    "compare runs/direct runs/rrd",
    "compare runs/blind runs/rrd",
    "compare runs/a runs/b runs/c --json",
    "compare runs/a runs/b --metric majority",
    "compare runs/a runs/b --rerun runs/a-again",
  );
  command.action((paths: string[], flags: Flags) =>
    run(async (signal) => {
      const { beyondBlind } = await import("../../../evals/compare/beyond-blind.ts");
      const { compareResults } = await import("../../../evals/compare/compare.ts");
      const { readMetric } = await import("../../../evals/score/metrics.ts");
      const { wholeNumber } = await import("./setting-flags.ts");
      const metric = readMetric(flags.metric);
      const { read } = runReader(flags, command, signal);
      const results: Results[] = [];
      for (const path of paths) results.push(await read(path));
      const comparison = compareResults(results, {
        metric,
        rerun: flags.rerun === undefined ? undefined : await read(flags.rerun),
        seed: wholeNumber("--seed", flags.seed),
      });
      const beyond_blind = beyondBlind(results, { seed: wholeNumber("--seed", flags.seed) });
      if (flags.json) printJson({ ...comparison, beyond_blind });
      else {
        print(renderComparison(comparison, wholeNumber("--flips", flags.flips)));
        if (beyond_blind.length > 0) print(`\n${renderBeyondBlind(beyond_blind)}`);
      }
      return undefined;
    }),
  );
}
