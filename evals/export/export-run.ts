import { Failure } from "../../src/core/errors.ts";
import { ownName } from "../../src/models/name.ts";
import type { Results, SampleReply } from "../score/read-results.ts";
import { scoreReplies } from "../score/score-replies.ts";
import { toDataset } from "./data-rows.ts";
import { releasedReplies, toCsv, toJson, toLmmsEval } from "./export.ts";
import { DATA_FORMAT, GENERAL_FORMATS } from "./formats.ts";

/**
 * Writes a run in a format of another tool, as text. Leaves out samples without a result. `places` for lmms-eval: where the
 * samples are in the data (`dataPlaces`); null: not known.
 * Throws `Failure` `wrong-usage` for the leaderboard format of another benchmark, and for a response file with other orders of
 * the options in a format that knows only that of the data.
 */
export function exportResults(
  results: Results,
  format: string,
  {
    replies = false,
    places = null,
  }: { replies?: boolean; places?: ReadonlyMap<string, number> | null } = {},
): string {
  const { benchmark, samples, header, name } = results;
  const said = scoreReplies(results);
  // Other tools know a single order of the options: with another order, the same letter names another option.
  const asReleased = said.filter(({ shift = 0 }) => shift === 0);
  switch (format) {
    case "lmms-eval":
      refuseReordered(said, name, format);
      return toLmmsEval(asReleased, places);
    case "csv":
      return toCsv([{ results: said, benchmark }]);
    case "json":
      return toJson([{ results: said, benchmark }]);
    case DATA_FORMAT:
      return toDataset(said, samples, (sample) => benchmark.groups(sample), { replies });
  }
  if (format !== benchmark.name || benchmark.leaderboard === undefined)
    throw new Failure(
      "wrong-usage",
      `Invalid --format ${format} for ${name}, a run of ${benchmark.name}: use ${[...(benchmark.leaderboard === undefined ? [] : [benchmark.name]), ...GENERAL_FORMATS].join(", ")}.`,
      { format, benchmark: benchmark.name },
    );
  refuseReordered(said, name, format);
  return benchmark.leaderboard(releasedReplies(asReleased), modelName(header?.settings.model));
}

/** Refuses a response file with options in another order, instead of leaving out its replies. */
function refuseReordered(said: readonly SampleReply[], name: string, format: string): void {
  const reordered = said.filter((one) => one.option_order !== undefined).length;
  if (reordered === 0) return;
  throw new Failure(
    "wrong-usage",
    `Cannot write ${name} as ${format}: ${reordered} of its replies name letters of another order of the options than that of the data. Use --format csv or json, which have the answers in the letters of the data.`,
    { name, format, reordered },
  );
}

/** Writes all runs of a sweep as one table or list; each result has the name of its run. */
export function exportSweep(runs: readonly Results[], format: "csv" | "json"): string {
  const named = runs.map((run) => ({
    run: run.name,
    results: scoreReplies(run),
    benchmark: run.benchmark,
  }));
  return format === "csv" ? toCsv(named) : toJson(named);
}

/** The name of a model without its provider. */
function modelName(model: unknown): string {
  return typeof model === "string"
    ? (ownName(model) ?? model.slice(model.indexOf(":") + 1))
    : "model";
}
