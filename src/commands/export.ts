import { writeFile } from "node:fs/promises";
import { type Command, Option } from "commander";
import { toFailure } from "../core/errors.ts";
import { withExamples } from "./example.ts";
import { run, say } from "./output.ts";
import { addResultsFlags, type ResultsFlags } from "./results-flags.ts";

const FORMATS = ["vcrbench", "mmr-v", "lmms-eval", "csv", "json"] as const;

export function addExport(program: Command): void {
  const command = program
    .command("export")
    .description("write a run in a format of others")
    .argument("<run>", "a run's folder, or a response file")
    .addOption(
      new Option("--format <name>", "vcrbench and mmr-v: as their leaderboards take it")
        .choices(FORMATS)
        .makeOptionMandatory(),
    )
    .option("-o, --output <file>", "write to a file instead of standard output");
  addResultsFlags(command);
  withExamples(
    command,
    "export runs/vcrbench-rrd-20260801-093000 --format vcrbench -o responses.json",
    "export runs/mmr-v-direct-20260801-093000 --format csv > results.csv",
  );
  command.action(
    (path: string, flags: ResultsFlags & { format: (typeof FORMATS)[number]; output?: string }) =>
      run(async () => {
        const { readResults } = await import("../../evals/read-results.ts");
        const { exportResults } = await import("../../evals/export-run.ts");
        const text = exportResults(await readResults(path, flags), flags.format, flags.extractor);
        if (flags.output === undefined) {
          process.stdout.write(text);
          return undefined;
        }
        try {
          await writeFile(flags.output, text);
        } catch (error) {
          throw toFailure(error, "file-unreadable", `writing ${flags.output}`);
        }
        say(`Written: ${flags.output}`);
        return undefined;
      }),
  );
}
