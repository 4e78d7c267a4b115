import { Failure } from "../../src/core/errors.ts";
import { BENCHMARKS, type Benchmark, type BenchmarkName } from "./benchmark.ts";
import { mmrV } from "./mmr-v/benchmark.ts";
import { vcrbench } from "./vcrbench/benchmark.ts";
import { videoMathQa } from "./videomathqa/benchmark.ts";

const ALL: Record<BenchmarkName, Benchmark> = { vcrbench, "mmr-v": mmrV, videomathqa: videoMathQa };

/** Throws `Failure` `wrong-usage` for a name that is none of the three. */
export function benchmarkNamed(name: string): Benchmark {
  const known = BENCHMARKS.find((item) => item === name.toLowerCase());
  if (known === undefined)
    throw new Failure(
      "wrong-usage",
      `Expected a benchmark out of ${BENCHMARKS.join(", ")}, got ${JSON.stringify(name)}.`,
      { name },
    );
  return ALL[known];
}
