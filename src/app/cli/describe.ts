import { basename, extname, resolve } from "node:path";
import type { Command } from "commander";
import { benchmarkNamed, benchmarks } from "../../../evals/benchmarks/define-benchmark.ts";
import { allLoadSettings } from "../../../evals/benchmarks/load-settings.ts";
import { Failure } from "../../core/errors.ts";
import { oneOf } from "../../core/one-of.ts";
import { dataFileHelp, readBenchmarkArgument } from "./benchmark-argument.ts";
import { checkOutputFile } from "./check-output-file.ts";
import { withExamples } from "./example.ts";
import { print, printJson, run, say } from "./output.ts";
import { subsetHelp } from "./results-flags.ts";
import { addDeclaredFlags, declaredFlags } from "./setting-flags.ts";
import { withJobContext } from "./with-job-context.ts";

interface Flags {
  data?: string;
  subset?: string;
  media?: boolean;
  dataDir: string;
  out?: string;
  name?: string;
  json?: boolean;
}

export function configureDescribe(command: Command): void {
  command
    .argument("<benchmark>", `${oneOf(benchmarks.names())}, or ${dataFileHelp()}`)
    .option("--data <folder>", "folder of the benchmark as downloaded; or a data file")
    .option("--subset <name>", `${subsetHelp()} (default: the first)`)
    .option("--media", "also open every video: lengths, sizes, sound, files with the same content")
    .option(
      "--data-dir <folder>",
      "--media: folder of the store, so that videos are read once",
      ".video-rrd",
    )
    .option("-o, --out <file>", "write a data card (.md) with fields for a person to fill in")
    .option("--name <text>", "name of the set in the card (default: that of the data)")
    .option("--json", "print one JSON value");
  addDeclaredFlags(command, allLoadSettings());
  withExamples(
    command,
    "describe mmr-v --data MMR-V --media",
    "describe questions.jsonl -o card.md",
    "describe questions.csv --columns question=q,answer=label --answers index0 --json",
  );
  command.action((given: string, flags: Flags) =>
    run(async (signal) => {
      if (flags.out !== undefined && extname(flags.out).toLowerCase() !== ".md")
        throw new Failure(
          "wrong-usage",
          `Invalid --out ${JSON.stringify(flags.out)}: a data card is a Markdown file, so use a name that ends in .md.`,
          { out: flags.out },
        );
      if (flags.out !== undefined) await checkOutputFile(flags.out);
      const { describeData } = await import("../../../evals/describe/describe-data.ts");
      const { readEvalSettings } = await import("../../../evals/run/eval-settings.ts");
      const { data, subset, load, ...asked } = readEvalSettings({
        ...readBenchmarkArgument(given, flags.data),
        ...(flags.subset === undefined ? {} : { subset: flags.subset }),
        ...declaredFlags(command, allLoadSettings()),
      });
      const benchmark = benchmarkNamed(asked.benchmark);
      const loaded = await benchmark.load(data, { config: subset, settings: load });
      const about = flags.media
        ? await withJobContext(flags.dataDir, signal, "describe", (job) =>
            describeData(benchmark, loaded, { subset, job }),
          )
        : await describeData(benchmark, loaded, { subset });
      if (loaded.packed !== null) say(loaded.packed);
      if (flags.out !== undefined) {
        const { dataCard } = await import("../../../evals/describe/data-card.ts");
        const { writeReport } = await import("./save-report.ts");
        await writeReport(flags.out, dataCard(about, flags.name ?? nameOf(data)));
        say(`Data card: ${resolve(flags.out)}`);
      }
      if (flags.json) printJson(about);
      else {
        const { renderDescription } = await import("./render/description.ts");
        print(renderDescription(about));
      }
      return undefined;
    }),
  );
}

function nameOf(data: string): string {
  return basename(resolve(data), extname(data));
}
