import { extname } from "node:path";
import { type Benchmark, benchmarks } from "../../../evals/benchmarks/define-benchmark.ts";
import { Failure } from "../../core/errors.ts";

/** What names the questions of a run: settings of `readEvalSettings`. */
export interface BenchmarkArgument {
  benchmark?: string;
  data?: string;
}

/**
 * Reads the benchmark argument of a command: the name of a benchmark, or a data file, by its extension. `data` is the
 * value of `--data`. Throws `Failure` `wrong-usage`.
 */
export function readBenchmarkArgument(given: string | undefined, data?: string): BenchmarkArgument {
  const rest = data === undefined ? {} : { data };
  if (given === undefined) return rest;
  const extension = extname(given).toLowerCase();
  const opening = benchmarkOf(extension);
  if (opening === undefined) {
    if (extension !== "" && benchmarks.find(given) === undefined) throw notOpened(given);
    return { benchmark: given, ...rest };
  }
  if (data === undefined) return { benchmark: opening.name, data: given };
  throw new Failure(
    "wrong-usage",
    `${given} and --data ${data} both name the data: leave one of them out.`,
    { given, data },
  );
}

/** The benchmark that opens data files of an extension. */
function benchmarkOf(extension: string): Benchmark | undefined {
  return benchmarks.all().find(({ opens = [] }) => opens.includes(extension));
}

/** Names of benchmarks and data files, for help. */
export function dataFileHelp(): string {
  return `a data file (${extensions().join(", ")})`;
}

function extensions(): string[] {
  return benchmarks.all().flatMap(({ opens = [] }) => opens);
}

function notOpened(given: string): Failure {
  return new Failure(
    "wrong-usage",
    `Cannot run ${given}: use the name of a benchmark (${benchmarks.names().join(", ")}), or a data file that ends in ${extensions().join(", ")}.`,
    { given },
  );
}
