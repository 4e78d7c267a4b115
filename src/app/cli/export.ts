import { writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { type Command, Option } from "commander";
import { TABLE_FILES } from "../../../evals/benchmarks/table-files.ts";
import {
  DATA_FORMAT,
  GENERAL_FORMATS,
  LOG_FORMAT,
  leaderboardFormats,
} from "../../../evals/export/formats.ts";
import type { Results } from "../../../evals/score/read-results.ts";
import { Failure, toFailure } from "../../core/errors.ts";
import { makeFolder } from "../../storage/make-folder.ts";
import { withExamples } from "./example.ts";
import { run, say } from "./output.ts";
import { readRuns } from "./read-runs.ts";
import {
  addConnectionFlags,
  addResultsFlags,
  notStartedText,
  type ResultsFlags,
} from "./results-flags.ts";
import { givenSettings } from "./setting-flags.ts";

interface Flags extends ResultsFlags {
  format: string;
  output?: string;
  replies?: boolean;
}

export function configureExport(command: Command): void {
  const own = leaderboardFormats();
  command
    .argument("<run>", "the folder of a run or sweep, or a response file")
    .addOption(
      new Option(
        "--format <name>",
        `${own.join(" and ")}: the formats of their leaderboards; dataset: the questions in the columns of own data; inspect: a log file of Inspect, with messages and pictures if the run kept them (eval --keep-requests)`,
      )
        .choices([...own, ...GENERAL_FORMATS, LOG_FORMAT])
        .makeOptionMandatory(),
    )
    .option(
      "-o, --output <path>",
      "output file (default: standard output); for a sweep in a leaderboard format or as logs, a folder with one file for each run",
    );
  command.option(
    "--replies",
    "dataset: one line for each result, with epoch, reply, reply_answer and score",
  );
  addResultsFlags(command);
  addConnectionFlags(command);
  withExamples(
    command,
    "export runs/vcrbench-rrd-20260801-093000 --format vcrbench -o responses.json",
    "export runs/mmr-v-direct-20260801-093000 --format csv > results.csv",
    "export runs/mmr-v-direct-20260801-093000 --format dataset --replies -o replies.jsonl",
    "export sweeps/ladder --format csv -o ladder.csv",
    "export sweeps/ladder --format vcrbench -o responses",
    "export runs/mmr-v-direct-20260801-093000 --format inspect -o logs/mmr-v-direct.eval",
  );
  command.action((path: string, flags: Flags) =>
    run(async (signal) => {
      const { exportResults, exportSweep } = await import("../../../evals/export/export-run.ts");
      const { sweep, not_begun, runs } = await readRuns(path, flags, command, signal);
      const { format, output, replies = false } = flags;
      if (replies && format !== DATA_FORMAT)
        throw new Failure(
          "wrong-usage",
          `--replies is only for --format ${DATA_FORMAT}: the other formats have replies anyway.`,
          { format },
        );
      const all = runs.map(({ results }) => results);
      if (not_begun > 0) say(notStartedText(not_begun));
      if (format === LOG_FORMAT) {
        const { exportLogs } = await import("../../../evals/export/inspect/export-logs.ts");
        if (output === undefined)
          throw new Failure(
            "wrong-usage",
            `Missing -o for --format ${LOG_FORMAT}: use ${sweep === null ? "a file, such as -o run.eval" : "a folder, such as -o logs"}.`,
            { format },
          );
        const isSweep = sweep !== null;
        const { data } = (givenSettings(command).runtime ?? {}) as { data?: string };
        await exportLogs(runs, output, { isSweep, data, onFile: sayWritten, onNote: say, signal });
        return undefined;
      }
      const { dataPlaces } = await import("../../../evals/export/data-places.ts");
      const written = async (results: Results) => {
        const places = format === "lmms-eval" ? await dataPlaces(results, say) : null;
        return exportResults(results, format, { replies, places });
      };
      if (sweep === null || format === "csv" || format === "json") {
        if (output !== undefined) refuseOtherExtension(format, output);
        const text =
          sweep !== null && (format === "csv" || format === "json")
            ? exportSweep(all, format)
            : (await Promise.all(all.map(written))).join("");
        if (output === undefined) process.stdout.write(text);
        else await writeText(output, text);
        return undefined;
      }
      if (output === undefined)
        throw new Failure(
          "wrong-usage",
          `The ${runs.length} runs of the sweep in ${path} need one file each with --format ${format}. Pass a folder with -o, or use csv or json.`,
          { path, format },
        );
      const extension = format === "lmms-eval" || format === DATA_FORMAT ? "jsonl" : "json";
      // All runs are converted before the first file is written, so that a failure leaves no partial output.
      const files = await Promise.all(
        all.map(async (results) => ({
          file: join(output, `${results.name}.${extension}`),
          text: await written(results),
        })),
      );
      await makeFolder(output);
      for (const { file, text } of files) await writeText(file, text);
      return undefined;
    }),
  );
}

/** A `.csv` with JSON in it would be read as one broken table. */
function refuseOtherExtension(format: string, output: string): void {
  const extension = extname(output).toLowerCase();
  const [kind, usual, ...others] =
    format === "csv"
      ? (["CSV", ".csv", ".tsv"] as const)
      : format === "lmms-eval" || format === DATA_FORMAT
        ? (["JSON lines", ".jsonl", ".ndjson", ".json"] as const)
        : (["JSON", ".json", ".jsonl"] as const);
  const isTable = (TABLE_FILES as readonly string[]).includes(extension);
  if (!isTable || [usual, ...others].some((known) => known === extension)) return;
  throw new Failure(
    "wrong-usage",
    `--format ${format} writes ${kind}, which would be misread in ${basename(output)}. Use -o ${basename(output, extname(output))}${usual}.`,
    { format, output },
  );
}

async function writeText(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw toFailure(error, "file-unreadable", `writing ${file}`);
  }
  sayWritten(file);
}

function sayWritten(file: string): void {
  say(`Wrote ${file}`);
}
