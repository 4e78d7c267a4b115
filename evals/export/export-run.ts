import { Failure } from "../../src/core/errors.ts";
import { type Results, scoreSaid } from "../score/read-results.ts";
import { toCsv, toJson, toLmmsEval, toMmrV, toVcrbench } from "./export.ts";

export type ExportFormat = "vcrbench" | "mmr-v" | "lmms-eval" | "csv" | "json";

/**
 * A run as text in a format of others. Samples without a result are left out of it.
 * Throws `Failure` `wrong-usage` for a leaderboard's format of another benchmark.
 */
export function exportResults(results: Results, format: ExportFormat): string {
  const { benchmark, samples, header, name } = results;
  if ((format === "vcrbench" || format === "mmr-v") && format !== benchmark.name)
    throw new Failure(
      "wrong-usage",
      `Expected a run of ${format} for \`--format ${format}\`, but ${name} is of ${benchmark.name}.`,
      { format, benchmark: benchmark.name },
    );
  const said = scoreSaid(results);
  // Formats of others know nothing of other orders of the options, under which the same letter means something else.
  const asReleased = said.filter(({ shift = 0 }) => shift === 0);
  switch (format) {
    case "vcrbench":
      return toVcrbench(asReleased);
    case "mmr-v":
      return toMmrV(asReleased, modelName(header?.settings.model));
    case "lmms-eval":
      return toLmmsEval(asReleased, samples);
    case "csv":
      return toCsv([{ results: said, benchmark }]);
    case "json":
      return toJson([{ results: said, benchmark }]);
  }
}

/** All runs of a sweep in one table or list, each result with the name of its run. */
export function exportSweep(
  runs: readonly Results[],
  format: Extract<ExportFormat, "csv" | "json">,
): string {
  const named = runs.map((run) => ({
    run: run.name,
    results: scoreSaid(run),
    benchmark: run.benchmark,
  }));
  return format === "csv" ? toCsv(named) : toJson(named);
}

/** The column's name in an MMR-V file: the model without its provider. */
function modelName(model: unknown): string {
  return typeof model === "string" ? model.slice(model.indexOf(":") + 1) : "model";
}
